#pragma once
// SpawnWorker: starts one ducat-worker process in the fixed surroundings of guard.md 3.1: socket as
// fd 3, stdin and stdout /dev/null, stderr a pipe, environment LC_ALL alone, working directory /.
// No shell, no inherited descriptor, own process group. Blocks for the posix_spawn alone (about 1
// ms).

#include <string>
#include <sys/types.h>
#include <utility>

#include "base/result.h"

namespace ducat::worker {

// Owns a file descriptor.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) Reset(std::exchange(other.fd_, -1));
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() { Reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] int Release() { return std::exchange(fd_, -1); }
  void Reset(int fd = -1);

 private:
  int fd_ = -1;
};

struct SpawnedWorker {
  pid_t pid = -1;
  UniqueFd pidfd;       // invalid on kernels without pidfd_open
  UniqueFd socket;      // non-blocking, close-on-exec
  UniqueFd stderr_end;  // non-blocking, close-on-exec
};

// Fails with worker_unavailable; the message names what failed, for the log.
[[nodiscard]] Result<SpawnedWorker> SpawnWorker(const std::string& executable);

}  // namespace ducat::worker
