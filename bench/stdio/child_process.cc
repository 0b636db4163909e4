#include "child_process.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace ducat::bench {
namespace {

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::exit(EXIT_FAILURE);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) Die("pipe2");
  std::vector<char*> argv;
  for (const std::string& word : command)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  if (::posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ) != 0) Die(argv[0]);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  to_child_ = in[1];
  from_child_ = out[0];
}

ChildProcess::~ChildProcess() {
  ::close(to_child_);
  ::close(from_child_);
  ::waitpid(pid_, nullptr, 0);
}

void ChildProcess::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(to_child_, bytes.data(), bytes.size());
    if (put < 0) Die("write");
    bytes.remove_prefix(static_cast<size_t>(put));
  }
}

std::string ChildProcess::ReadLine() {
  std::array<char, 65'536> chunk{};
  while (true) {
    if (const size_t end = buffer_.find('\n'); end != buffer_.npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    const ssize_t got = ::read(from_child_, chunk.data(), chunk.size());
    if (got <= 0) return {};
    buffer_.append(chunk.data(), static_cast<size_t>(got));
  }
}

size_t ChildProcess::CountLines() {
  std::array<char, 65'536> chunk{};
  size_t lines = 0;
  while (lines == 0) {
    const ssize_t got = ::read(from_child_, chunk.data(), chunk.size());
    if (got <= 0) Die("the server ended");
    lines += static_cast<size_t>(std::count(chunk.begin(), chunk.begin() + got, '\n'));
  }
  return lines;
}

double ChildProcess::resident_mib() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

double ChildProcess::cpu_seconds() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i)
    fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace ducat::bench
