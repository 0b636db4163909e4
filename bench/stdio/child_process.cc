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

// What the server says of its own accord answers nothing.
bool IsReply(std::string_view line) {
  return line.substr(0, 80).find("\"method\":\"notifications/") == line.npos;
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

std::string ChildProcess::ReadReply() {
  while (true) {
    for (size_t end = unread_.find('\n'); end != unread_.npos; end = unread_.find('\n')) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      if (IsReply(line)) return line;
    }
    if (!ReadSome()) return {};
  }
}

size_t ChildProcess::CountReplies() {
  size_t replies = 0;
  while (replies == 0) {
    if (!ReadSome()) Die("the server ended");
    size_t begin = 0;
    for (size_t end = unread_.find('\n'); end != unread_.npos; end = unread_.find('\n', begin)) {
      if (IsReply(std::string_view(unread_).substr(begin, end - begin))) ++replies;
      begin = end + 1;
    }
    unread_.erase(0, begin);
  }
  return replies;
}

bool ChildProcess::ReadSome() {
  std::array<char, 65'536> chunk{};
  const ssize_t got = ::read(from_child_, chunk.data(), chunk.size());
  if (got <= 0) return false;
  unread_.append(chunk.data(), static_cast<size_t>(got));
  return true;
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

StartCost ChildProcess::start_cost() const {
  const std::string folder = "/proc/" + std::to_string(pid_);
  double nanoseconds = 0;
  std::ifstream(folder + "/schedstat") >> nanoseconds;
  std::string text;
  std::ifstream stat(folder + "/stat");
  std::getline(stat, text);
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 7; ++i)
    fields >> skipped;
  double faults = 0;
  fields >> faults;
  return {.processor_ms = nanoseconds / 1e6, .page_faults = faults};
}

}  // namespace ducat::bench
