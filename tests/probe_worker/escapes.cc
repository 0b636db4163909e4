#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <linux/io_uring.h>
#include <map>
#include <netinet/in.h>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "json/writer.h"
#include "probe_worker/probe_jobs.h"

namespace ducat::worker::probe {
namespace {

using child::JobContext;
using Attempt = long (*)(const std::string& path);

long Open(const std::string& path, int flags) {
  return syscall(SYS_openat, AT_FDCWD, path.c_str(), flags, 0600);
}

// A socket call that gets as far as the cage lets it.
long WithSocket(int family, long (*use)(int fd)) {
  const long fd = syscall(SYS_socket, family, SOCK_STREAM, 0);
  return fd < 0 ? fd : use(static_cast<int>(fd));
}

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

const std::map<std::string_view, Attempt>& FileAttempts() {
  static const std::map<std::string_view, Attempt> kAttempts{
      {"read", [](const std::string& p) { return Open(p, O_RDONLY); }},
      {"list", [](const std::string& p) { return Open(p, O_RDONLY | O_DIRECTORY); }},
      {"write", [](const std::string& p) { return Open(p, O_WRONLY); }},
      {"create", [](const std::string& p) { return Open(p, O_WRONLY | O_CREAT | O_EXCL); }},
      {"truncate", [](const std::string& p) { return syscall(SYS_truncate, p.c_str(), 0); }},
      {"open_truncating", [](const std::string& p) { return Open(p, O_RDONLY | O_TRUNC); }},
      {"rename",
       [](const std::string& p) {
         return syscall(SYS_rename, p.c_str(), (p + ".renamed").c_str());
       }},
      {"unlink", [](const std::string& p) { return syscall(SYS_unlink, p.c_str()); }},
      {"mkdir", [](const std::string& p) { return syscall(SYS_mkdir, p.c_str(), 0700); }},
      {"symlink", [](const std::string& p) { return syscall(SYS_symlink, "/etc", p.c_str()); }},
      {"link",
       [](const std::string& p) { return syscall(SYS_link, p.c_str(), (p + ".link").c_str()); }},
      {"chmod", [](const std::string& p) { return syscall(SYS_chmod, p.c_str(), 0777); }},
      {"exec",
       [](const std::string& p) {
         std::array<const char*, 2> arguments{p.c_str(), nullptr};
         return syscall(SYS_execve, p.c_str(), arguments.data(), nullptr);
       }},
      {"chroot", [](const std::string& p) { return syscall(SYS_chroot, p.c_str()); }},
      {"mount",
       [](const std::string& p) {
         return syscall(SYS_mount, "none", p.c_str(), "tmpfs", 0, nullptr);
       }},
  };
  return kAttempts;
}

const std::map<std::string_view, Attempt>& NetworkAttempts() {
  static const std::map<std::string_view, Attempt> kAttempts{
      {"tcp_connect",
       [](const std::string&) {
         return WithSocket(AF_INET, [](int fd) {
           const sockaddr_in to = Loopback(22);
           return syscall(SYS_connect, fd, &to, sizeof to);
         });
       }},
      {"tcp_bind",
       [](const std::string&) {
         return WithSocket(AF_INET, [](int fd) {
           const sockaddr_in at = Loopback(0);
           return syscall(SYS_bind, fd, &at, sizeof at);
         });
       }},
      {"unix_socket",
       [](const std::string&) { return WithSocket(AF_UNIX, [](int) { return 0L; }); }},
      {"socketpair",
       [](const std::string&) {
         std::array<int, 2> ends{};
         return syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends.data());
       }},
      {"connect_fd_3",
       [](const std::string&) {
         const sockaddr_in to = Loopback(22);
         return syscall(SYS_connect, 3, &to, sizeof to);
       }},
  };
  return kAttempts;
}

pid_t Pid(const std::string& text) {
  return static_cast<pid_t>(std::stoi(text));
}

// Against the process whose pid is given: the cage also keeps getppid from answering.
const std::map<std::string_view, Attempt>& ParentAttempts() {
  static const std::map<std::string_view, Attempt> kAttempts{
      {"ptrace_parent",
       [](const std::string& p) { return syscall(SYS_ptrace, PTRACE_ATTACH, Pid(p), 0, 0); }},
      {"kill_parent", [](const std::string& p) { return syscall(SYS_kill, Pid(p), 0); }},
      {"tgkill_parent",
       [](const std::string& p) { return syscall(SYS_tgkill, Pid(p), Pid(p), 0); }},
      {"parent_memory", [](const std::string& p) { return Open("/proc/" + p + "/mem", O_RDONLY); }},
      {"parent_environment",
       [](const std::string& p) { return Open("/proc/" + p + "/environ", O_RDONLY); }},
      {"process_vm_readv",
       [](const std::string& p) {
         char byte = 0;
         iovec local{&byte, 1}, remote{&byte, 1};
         return syscall(SYS_process_vm_readv, Pid(p), &local, 1, &remote, 1, 0);
       }},
      {"pidfd_open", [](const std::string& p) { return syscall(SYS_pidfd_open, Pid(p), 0); }},
      {"limit_of_parent",
       [](const std::string& p) {
         rlimit limit{};
         return syscall(SYS_prlimit64, Pid(p), RLIMIT_NOFILE, nullptr, &limit);
       }},
  };
  return kAttempts;
}

const std::map<std::string_view, Attempt>& ProcessAttempts() {
  static const std::map<std::string_view, Attempt> kAttempts{
      {"fork", [](const std::string&) { return syscall(SYS_fork); }},
      {"vfork_clone", [](const std::string&) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
      {"clone3", [](const std::string&) { return syscall(SYS_clone3, nullptr, 0); }},
      {"getppid", [](const std::string&) { return syscall(SYS_getppid); }},
      {"raise_own_limit",
       [](const std::string&) {
         const rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
         return syscall(SYS_setrlimit, RLIMIT_CORE, &limit);
       }},
      {"unshare", [](const std::string&) { return syscall(SYS_unshare, CLONE_NEWUSER); }},
      {"setuid", [](const std::string&) { return syscall(SYS_setuid, 0); }},
  };
  return kAttempts;
}

const std::map<std::string_view, Attempt>& KernelAttempts() {
  static const std::map<std::string_view, Attempt> kAttempts{
      {"memfd_create", [](const std::string&) { return syscall(SYS_memfd_create, "x", 0); }},
      {"io_uring",
       [](const std::string&) {
         io_uring_params params{};
         return syscall(SYS_io_uring_setup, 1, &params);
       }},
      {"userfaultfd", [](const std::string&) { return syscall(SYS_userfaultfd, 0); }},
      {"bpf", [](const std::string&) { return syscall(SYS_bpf, 0, nullptr, 0); }},
      {"perf_event_open",
       [](const std::string&) { return syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
      {"keyctl", [](const std::string&) { return syscall(SYS_keyctl, 0, -3, 0); }},
      {"terminal_input", [](const std::string&) { return syscall(SYS_ioctl, 0, 0x5412, "x"); }},
      {"map_executable",
       [](const std::string&) {
         return syscall(SYS_mmap, nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       }},
      {"make_executable",
       [](const std::string&) {
         void* page =
             mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return syscall(SYS_mprotect, page, 4096, PROT_READ | PROT_EXEC);
       }},
  };
  return kAttempts;
}

std::string Outcome(long result, int error) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("result", static_cast<int64_t>(result));
  writer.Field("errno", result < 0 ? error : 0);
  writer.EndObject();
  return out;
}

Result<std::string> Try(JobContext&, json::View arguments) {
  const auto what = arguments.Find("what").value_or(json::View()).AsString().value_or("");
  const auto path = arguments.Find("path").value_or(json::View()).AsString().value_or("");
  for (const auto* group : {&FileAttempts(), &NetworkAttempts(), &ParentAttempts(),
                            &ProcessAttempts(), &KernelAttempts()}) {
    const auto found = group->find(what);
    if (found == group->end()) continue;
    errno = 0;
    const long result = found->second(std::string(path));
    return Outcome(result, errno);
  }
  return Fail(ErrorCode::kInvalidArgument, "unknown_attempt", std::string(what));
}

// The names of all attempts but those on files, so that a test can run every one.
Result<std::string> ListAttempts(JobContext&, json::View) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Key("names");
  writer.BeginArray();
  for (const auto* group :
       {&NetworkAttempts(), &ParentAttempts(), &ProcessAttempts(), &KernelAttempts()}) {
    for (const auto& [name, attempt] : *group)
      writer.String(name);
  }
  writer.EndArray();
  writer.EndObject();
  return out;
}

// What the process looks like from inside: its descriptors, environment, directory.
Result<std::string> Surroundings(JobContext&, json::View) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  struct stat null_device{};
  for (const int fd : {0, 1}) {
    const bool is_null = fstat(fd, &null_device) == 0 && S_ISCHR(null_device.st_mode) &&
                         null_device.st_rdev == makedev(1, 3);
    writer.Field(fd == 0 ? "stdin_null" : "stdout_null", is_null);
  }
  int open_fds = 0;
  for (int fd = 4; fd < 4096; ++fd)
    open_fds += fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
  writer.Field("other_fds", open_fds);
  int variables = 0;
  for (char** variable = environ; *variable != nullptr; ++variable)
    ++variables;
  writer.Field("variables", variables);
  std::array<char, 4096> directory{};
  writer.Field("directory", syscall(SYS_getcwd, directory.data(), directory.size()) < 0
                                ? "?"
                                : directory.data());
  writer.Field("pid", static_cast<int64_t>(getpid()));
  writer.EndObject();
  return out;
}

}  // namespace

std::vector<child::JobEntry> EscapeJobs() {
  return {{"try", Try}, {"list_attempts", ListAttempts}, {"surroundings", Surroundings}};
}

}  // namespace ducat::worker::probe
