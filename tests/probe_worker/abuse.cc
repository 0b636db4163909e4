#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "json/writer.h"
#include "probe_worker/probe_jobs.h"

namespace ducat::worker::probe {
namespace {

using child::JobContext;

int64_t Number(json::View arguments, std::string_view key, int64_t fallback) {
  return arguments.Find(key).value_or(json::View()).AsInteger().value_or(fallback);
}

std::string Counter(std::string_view name, int64_t value) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field(name, value);
  writer.Field("pid", static_cast<int64_t>(getpid()));
  writer.EndObject();
  return out;
}

Result<std::string> Echo(JobContext& context, json::View arguments) {
  TRY(context.output.Meta(arguments.ToJson()));
  TRY(context.output.Rows("[1,\"a\"],[2,\"b\"]"));
  TRY(context.output.Text("| 1 | a |\\n"));
  return Counter("rows", 2);
}

// Opens the file until the limit; the number that were open at once.
Result<std::string> OpenMany(JobContext& context, json::View) {
  std::vector<int> fds;
  const std::string path = context.hello.data_dir + "/orders.csv";
  for (int fd = 0; (fd = open(path.c_str(), O_RDONLY)) >= 0;)
    fds.push_back(fd);
  const int error = errno;
  for (const int fd : fds)
    close(fd);
  return Counter(error == EMFILE ? "opened" : "failed", static_cast<int64_t>(fds.size()));
}

Result<std::string> Allocate(JobContext&, json::View) {
  std::vector<std::unique_ptr<char[]>> blocks;
  for (;;) {
    constexpr size_t kBytes = size_t{64} << 20;
    blocks.push_back(std::make_unique_for_overwrite<char[]>(kBytes));  // throws past RLIMIT_AS
  }
}

// Keeps address space that nobody uses, as the engine's allocator does after a large statement.
Result<std::string> KeepMapped(JobContext&, json::View arguments) {
  const auto bytes = static_cast<size_t>(Number(arguments, "mib", 0)) << 20;
  void* kept = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Counter("kept", kept == MAP_FAILED ? 0 : 1);
}

// Fills memory for real, as the kernel's OOM killer would see it.
Result<std::string> KillSelf(JobContext&, json::View arguments) {
  const auto signal = static_cast<int>(Number(arguments, "signal", SIGSEGV));
  std::signal(signal, SIG_DFL);
  raise(signal);
  return std::string();
}

Result<std::string> WriteMuch(JobContext& context, json::View) {
  const std::string path = context.hello.private_dir + "/much";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  if (fd < 0) return Internal("cannot write to the private directory");
  const std::string block(1 << 20, 'x');
  while (write(fd, block.data(), block.size()) > 0) {
  }
  return Internal("writing ended with an error and without a signal");
}

int64_t Recurse(volatile char* above) {
  if (above == nullptr) return 0;
  volatile char frame[4096];
  frame[0] = *above;
  return Recurse(frame) + frame[0];
}

Result<std::string> RecurseDeep(JobContext&, json::View) {
  volatile char start = 1;
  return Counter("depth", Recurse(&start));
}

Result<std::string> Spin(JobContext&, json::View) {
  for (volatile uint64_t turns = 0;; turns = turns + 1) {
  }
}

Result<std::string> Wait(JobContext& context, json::View arguments) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(Number(arguments, "ms", 60'000));
  while (std::chrono::steady_clock::now() < end) {
    if (context.interrupted()) return Fail(ErrorCode::kInternal, "stopped", "interrupted");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return Counter("waited", 1);
}

Result<std::string> Exit(JobContext&, json::View arguments) {
  _exit(static_cast<int>(Number(arguments, "code", 0)));
}

Result<std::string> ThrowForeign(JobContext&, json::View) {
  return std::string("abc").substr(10);  // std::out_of_range
}

Result<std::string> PrintMuch(JobContext&, json::View arguments) {
  const std::string line(1'023, 'e');
  const int64_t lines = Number(arguments, "lines", 1'000);
  for (int64_t i = 0; i < lines; ++i) {
    if (write(2, (line + "\n").data(), line.size() + 1) < 0) break;
    if (write(1, line.data(), line.size()) < 0) break;
  }
  return Counter("lines", lines);
}

Result<std::string> Stage(JobContext& context, json::View arguments) {
  const std::string path = context.hello.private_dir + "/out.tmp";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return Internal("cannot stage");
  const bool fails = Number(arguments, "fails", 0) != 0;
  const ssize_t written = write(fd, "table", 5);
  close(fd);
  if (fails) return Fail(ErrorCode::kInvalidArgument, "bad_file", "after staging");
  return Counter("bytes", written);
}

}  // namespace

std::vector<child::JobEntry> AbuseJobs() {
  return {{"echo", Echo},           {"open_many", OpenMany},
          {"allocate", Allocate},   {"keep_mapped", KeepMapped},
          {"signal", KillSelf},     {"write_much", WriteMuch},
          {"recurse", RecurseDeep}, {"spin", Spin},
          {"wait", Wait},           {"exit", Exit},
          {"throw", ThrowForeign},  {"print", PrintMuch},
          {"stage", Stage}};
}

}  // namespace ducat::worker::probe
