#include "transport/stdio_descriptors.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ducat::transport {
namespace {

Failure Unavailable(int fd) {
  return Fail(ErrorCode::kFailedPrecondition, "stdio_unavailable",
              "file descriptor " + std::to_string(fd) +
                  " cannot be used: " + std::generic_category().message(errno));
}

void PointAtNull(int fd, int flags) {
  const int null = ::open("/dev/null", flags | O_CLOEXEC);
  if (null < 0) return;
  ::dup2(null, fd);
  if (null != fd) ::close(null);
}

void SetNonBlocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0) ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

}  // namespace

Result<int> PrivateDescriptor(int fd, bool for_writing) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return Unavailable(fd);
  const bool is_shared_kind = S_ISFIFO(info.st_mode) || ::isatty(fd) == 1;
  if (is_shared_kind) {
    // O_NONBLOCK belongs to the open file description, which the shell may share: open it anew.
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    const int flags = (for_writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    const int own = ::open(path.c_str(), flags);
    if (own >= 0) return own;
  }
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return Unavailable(fd);
  if (is_shared_kind || S_ISSOCK(info.st_mode)) SetNonBlocking(copy);
  return copy;
}

Result<StdioDescriptors> ClaimStdio() {
  StdioDescriptors claimed;
  TRY_ASSIGN(claimed.output, PrivateDescriptor(STDOUT_FILENO, true));
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) PointAtNull(STDOUT_FILENO, O_WRONLY);
  TRY_ASSIGN(claimed.input, PrivateDescriptor(STDIN_FILENO, false));
  PointAtNull(STDIN_FILENO, O_RDONLY);
  return claimed;
}

}  // namespace ducat::transport
