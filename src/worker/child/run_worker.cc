#include "worker/child/run_worker.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

#include "json/decode.h"
#include "json/encode.h"
#include "worker/child/channel.h"
#include "worker/child/confine/confine.h"
#include "worker/child/confine/process_limits.h"
#include "worker/child/confine/self_check.h"
#include "worker/child/engine/connection.h"
#include "worker/child/exit_codes.h"
#include "worker/child/job_loop.h"
#include "worker/job_message.h"

#ifdef DUCAT_SANITIZED
// The leak check at exit needs ptrace, which the cage refuses.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0";
}
#endif

namespace ducat::worker::child {
namespace {

using Steady = std::chrono::steady_clock;

std::optional<pid_t> ParsePid(const char* text) {
  pid_t pid = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, pid);
  if (error != std::errc() || rest != end || pid <= 0) return std::nullopt;
  return pid;
}

// Waits for HELLO; nothing when the control process has no use for this worker any more.
Result<std::optional<Hello>> ReadHello(Channel& channel) {
  std::optional<Hello> hello;
  const auto take = [&](const Frame& frame) -> Status {
    if (hello || frame.header.kind != FrameKind::kHello) return Internal("HELLO comes first");
    json::Document document;
    TRY_ASSIGN(const json::View view, document.Parse(frame.payload));
    TRY_ASSIGN(hello, json::Decode<Hello>(view));
    return {};
  };
  while (!hello) {
    TRY_ASSIGN(const Channel::Input input, channel.Read(-1, take));
    if (input == Channel::Input::kEnd) break;
  }
  return hello;
}

// Says in the place of READY why there will be none.
int Refuse(Channel& channel, const Error& error) {
  std::fprintf(stderr, "ducat-worker: %s: %s\n", error.reason.c_str(), error.message.c_str());
  JobEnd end{.error = ToFailure(error), .retire = true};
  channel.Write(FrameKind::kDone, 0, json::Encode(end));
  return error.reason == "sandbox_missing" ? kExitSandboxMissing : kExitBroken;
}

engine::EngineSettings Settings(const Hello& hello) {
  return {.data_dir = hello.data_dir,
          .db_file = hello.db_file,
          .tables_dir = hello.tables_dir,
          .private_dir = hello.private_dir,
          .memory_limit_bytes = hello.memory_limit_bytes,
          .temp_limit_bytes = hello.temp_limit_bytes,
          .threads = hello.threads,
          .canvas_profile = hello.profile == Profile::kCanvas};
}

// Confines the process, opens the engine and serves until the end.
Status Serve(Channel& channel, const Hello& hello, std::vector<JobEntry> jobs,
             Steady::time_point began) {
  TRY_ASSIGN(Cage cage, Confine(hello));
  TRY_ASSIGN(engine::Database database, engine::Database::Open(Settings(hello)));
  TRY_ASSIGN(engine::Connection connection, database.Connect());
  TRY(CheckCage(hello, cage.landlock_abi > 0));
  Ready ready{.pid = getpid(),
              .engine_version = std::string(engine::RequiredVersion()),
              .landlock_abi = cage.landlock_abi,
              .seccomp = true,
              .namespaces = cage.namespaces,
              .missing = std::move(cage.missing)};
  ready.start_ms = std::chrono::duration<double, std::milli>(Steady::now() - began).count();
  channel.Write(FrameKind::kReady, 0, json::Encode(ready));
  JobLoop(channel, hello, connection, std::move(jobs)).Run();
}

}  // namespace

int RunWorker(std::vector<JobEntry> jobs, int argc, char** argv) {
  const auto parent = argc == 2 ? ParsePid(argv[1]) : std::nullopt;
  if (!parent) {
    std::fputs("ducat-worker is started by ducat, not by hand.\n", stderr);
    return kExitUsage;
  }
  if (!TieToParent(*parent)) return 0;
  std::signal(SIGPIPE, SIG_IGN);
  Channel channel;
  const Result<std::optional<Hello>> hello = ReadHello(channel);
  if (!hello) return Refuse(channel, hello.error());
  if (!*hello) return 0;
  const Status served = Serve(channel, **hello, std::move(jobs), Steady::now());
  // Only a worker that never became ready comes back.
  const int code = Refuse(channel, served.error());
  _exit(code);
}

}  // namespace ducat::worker::child
