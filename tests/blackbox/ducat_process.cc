#include "ducat_process.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/result.h"

namespace ducat::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Pipe {
  int read = -1, write = -1;
};

Pipe MakePipe() {
  std::array<int, 2> ends{};
  CHECK(pipe2(ends.data(), O_CLOEXEC) == 0);
  return {.read = ends[0], .write = ends[1]};
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::vector<std::string> RunEnvironment(const ScratchFolder& home,
                                        std::vector<std::string> environment) {
  std::filesystem::create_directory(home.path() / "tmp");
  environment.push_back("HOME=" + home.string());
  environment.push_back("TMPDIR=" + home.string() + "/tmp");
  environment.emplace_back("PATH=/usr/bin:/bin");
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "DUCAT_WORKER"}) {
    if (const char* value = std::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  }
  return environment;
}

DucatProcess::DucatProcess(std::vector<std::string> arguments,
                           std::vector<std::string> environment) {
  signal(SIGPIPE, SIG_IGN);
  arguments.insert(arguments.begin(), DUCAT_EXECUTABLE);
  environment = RunEnvironment(home_, std::move(environment));
  const Pipe in = MakePipe(), out = MakePipe(), err = MakePipe();
  std::vector<char*> argv = Pointers(arguments), envp = Pointers(environment);
  pid_ = fork();
  CHECK(pid_ >= 0);
  if (pid_ == 0) {
    dup2(in.read, STDIN_FILENO);
    dup2(out.write, STDOUT_FILENO);
    dup2(err.write, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(in.read);
  close(out.write);
  close(err.write);
  in_ = in.write, out_ = out.read, err_ = err.read;
  fcntl(err_, F_SETFL, O_NONBLOCK);
}

DucatProcess::~DucatProcess() {
  CloseInput();
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  CloseOutput();
  close(err_);
}

void DucatProcess::SendRaw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(in_, bytes.data(), bytes.size());
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void DucatProcess::Send(std::string_view line) {
  SendRaw(std::string(line) + "\n");
}

void DucatProcess::CloseInput() {
  if (in_ >= 0) close(in_);
  in_ = -1;
}

void DucatProcess::CloseOutput() {
  if (out_ >= 0) close(out_);
  out_ = -1;
  out_ended_ = true;
}

void DucatProcess::Signal(int number) const {
  kill(pid_, number);
}

void DucatProcess::DrainErrors() {
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; (got = read(err_, piece.data(), piece.size())) > 0;) {
    errors_.append(piece.data(), static_cast<size_t>(got));
  }
}

// Reads more of stdout; false at its end or when patience ends.
bool DucatProcess::Fill(milliseconds patience) {
  DrainErrors();
  pollfd waiting{.fd = out_, .events = POLLIN, .revents = 0};
  if (out_ended_ || poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return false;
  std::array<char, 65536> piece{};
  const ssize_t got = read(out_, piece.data(), piece.size());
  if (got <= 0) out_ended_ = true;
  if (got > 0) buffered_.append(piece.data(), static_cast<size_t>(got));
  return got > 0;
}

std::optional<std::string> DucatProcess::ReadLine(milliseconds patience) {
  const auto until = steady_clock::now() + patience;
  for (;;) {
    if (const size_t end = buffered_.find('\n'); end != std::string::npos) {
      std::string line = buffered_.substr(0, end);
      buffered_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now());
    if (left.count() <= 0 || !Fill(left)) return std::nullopt;
  }
}

std::string DucatProcess::ReadLineWith(std::string_view part) {
  while (const std::optional<std::string> line = ReadLine()) {
    if (line->find(part) != std::string::npos) return *line;
  }
  return "";
}

std::string DucatProcess::Ask(std::string_view id, std::string_view method,
                              std::string_view params) {
  std::string message = R"({"jsonrpc":"2.0","id":")";
  message.append(id).append(R"(","method":")").append(method).append(R"(","params":)");
  Send(message.append(params).append("}"));
  return ReadLineWith("\"id\":\"" + std::string(id) + "\"");
}

std::string DucatProcess::CallTool(std::string_view id, std::string_view tool,
                                   std::string_view arguments) {
  std::string params = R"({"name":")";
  params.append(tool).append(R"(","arguments":)").append(arguments).append("}");
  return Ask(id, "tools/call", params);
}

void DucatProcess::Handshake() {
  CHECK(!Ask("init", "initialize",
             R"({"protocolVersion":"2025-11-25","capabilities":{},)"
             R"("clientInfo":{"name":"t","version":"1"}})")
             .empty());
  Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

std::string DucatProcess::RestOfOutput() {
  while (Fill(kPatience)) {
  }
  return std::exchange(buffered_, {});
}

int DucatProcess::WaitForExit() {
  CloseInput();
  const auto until = steady_clock::now() + kPatience;
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (steady_clock::now() > until) return -1;
    (void)Fill(milliseconds(10));
    if (out_ended_) std::this_thread::sleep_for(milliseconds(5));
  }
  while (Fill(milliseconds(0))) {
  }
  DrainErrors();
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string DucatProcess::Errors() {
  DrainErrors();
  return errors_;
}

Finished RunDucat(std::vector<std::string> arguments, std::vector<std::string> environment) {
  DucatProcess process(std::move(arguments), std::move(environment));
  process.CloseInput();
  Finished finished;
  finished.exit_code = process.WaitForExit();
  finished.out = process.RestOfOutput();
  finished.err = process.Errors();
  return finished;
}

}  // namespace ducat::testing
