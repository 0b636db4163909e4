#include "worker/child/ingest/open_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ducat::ingest {
namespace {

Failure Refused(std::string reason, std::string_view name, std::string_view what,
                std::string hint = {}) {
  return Fail(ErrorCode::kFailedPrecondition, std::move(reason),
              std::string(name) + " " + std::string(what), std::move(hint));
}

}  // namespace

Failure OpenFailure(int error, std::string_view name) {
  if (error == EACCES || error == EPERM) {
    return Refused("permission", name, "may not be read",
                   "Give the user of the server read permission.");
  }
  if (error == ENOENT || error == ENOTDIR) {
    return Refused("not_found", name, "does not exist (any more)");
  }
  if (error == ELOOP) return Refused("outside_link", name, "is a loop of symbolic links");
  // A socket, or a device without a driver.
  if (error == ENXIO || error == ENODEV) return NoRegularFile(name);
  return Refused("engine_error", name, "cannot be opened");
}

Failure NoRegularFile(std::string_view name) {
  return Refused("not_tabular", name, "is no regular file (any more)",
                 "Put a file in its place; pipes, devices and directories are not read.");
}

Result<FileHandle> OpenToRead(const std::string& path, std::string_view name) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return OpenFailure(errno, name);
  struct stat found{};
  const bool is_regular = ::fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
  FileHandle file(is_regular ? ::fdopen(fd, "rb") : nullptr, &std::fclose);
  if (file != nullptr) return file;
  ::close(fd);
  if (!is_regular) return NoRegularFile(name);
  return Refused("engine_error", name, "cannot be opened");
}

Status CheckRegular(const std::string& path, std::string_view name) {
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) return NoRegularFile(name);
  return {};
}

}  // namespace ducat::ingest
