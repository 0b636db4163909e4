#include "worker/spawn.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

#include "worker/job_error.h"

namespace ducat::worker {
namespace {

constexpr int kSocketFd = 3;
// Descriptors handed to the child lie above every number that the file actions write to.
constexpr int kFirstSafeFd = 10;

Failure SpawnFailed(std::string_view what, int error) {
  return Failure(WorkerUnavailable("No worker could be started: " + std::string(what) + ": " +
                                   std::generic_category().message(error) + "."));
}

Result<UniqueFd> MoveUp(UniqueFd fd) {
  UniqueFd moved(fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstSafeFd));
  if (!moved.valid()) return SpawnFailed("fcntl", errno);
  return moved;
}

Status MakeNonBlocking(int fd) {
  if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) != 0) return SpawnFailed("fcntl", errno);
  return {};
}

// posix_spawn's two argument objects, freed together.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  [[nodiscard]] int Describe(int socket, int stderr_pipe) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    const std::array results{
        posix_spawn_file_actions_adddup2(&actions_, socket, kSocketFd),
        posix_spawn_file_actions_adddup2(&actions_, stderr_pipe, STDERR_FILENO),
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
        posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0),
        posix_spawn_file_actions_addchdir_np(&actions_, "/"),
        // Ctrl-C at a terminal reaches the control process alone, which then ends its workers.
        posix_spawnattr_setpgroup(&attributes_, 0), posix_spawnattr_setsigmask(&attributes_, &none),
        posix_spawnattr_setsigdefault(&attributes_, &all),
        posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)};
    for (const int result : results) {
      if (result != 0) return result;
    }
    return 0;
  }

  [[nodiscard]] int Start(const std::string& executable, pid_t& pid) {
    std::string program = executable;
    std::string parent = std::to_string(getpid());
    std::string locale = "LC_ALL=C.UTF-8";
    std::array<char*, 3> arguments{program.data(), parent.data(), nullptr};
    std::array<char*, 2> environment{locale.data(), nullptr};
    return posix_spawn(&pid, executable.c_str(), &actions_, &attributes_, arguments.data(),
                       environment.data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

void UniqueFd::Reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

Result<SpawnedWorker> SpawnWorker(const std::string& executable) {
  std::array<int, 2> sockets{}, pipe_ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    return SpawnFailed("socketpair", errno);
  }
  UniqueFd ours(sockets[0]), theirs(sockets[1]);
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return SpawnFailed("pipe", errno);
  UniqueFd pipe_read(pipe_ends[0]), pipe_write(pipe_ends[1]);
  TRY_ASSIGN(theirs, MoveUp(std::move(theirs)));
  TRY_ASSIGN(pipe_write, MoveUp(std::move(pipe_write)));
  TRY(MakeNonBlocking(ours.get()));
  TRY(MakeNonBlocking(pipe_read.get()));

  SpawnPlan plan;
  if (const int error = plan.Describe(theirs.get(), pipe_write.get()); error != 0) {
    return SpawnFailed("posix_spawn attributes", error);
  }
  SpawnedWorker worker;
  if (const int error = plan.Start(executable, worker.pid); error != 0) {
    return SpawnFailed("posix_spawn of ducat-worker", error);
  }
  worker.pidfd = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, worker.pid, 0)));
  worker.socket = std::move(ours);
  worker.stderr_end = std::move(pipe_read);
  return worker;
}

}  // namespace ducat::worker
