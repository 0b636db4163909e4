#include "worker/child/confine/self_check.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/spawn.h"

namespace ducat::worker::child {
namespace {

constexpr const char* kForbiddenFile = "/etc/hostname";

Failure CageFailed(const std::string& what) {
  return Fail(ErrorCode::kInternal, "sandbox_failed", "self-check: " + what + " was not refused");
}

// True when the cage refused; that the thing is missing proves nothing but is no hole either.
bool IsRefused(const std::string& path, int flags) {
  const UniqueFd fd(open(path.c_str(), flags | O_CLOEXEC, 0600));
  return !fd.valid();
}

bool IsSameFile(const std::string& one, const std::string& other) {
  struct stat a{}, b{};
  return stat(one.c_str(), &a) == 0 && stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

Status CheckDirectory(const std::string& directory) {
  if (directory.empty()) return {};
  const std::string probe = directory + "/.ducat-self-check-" + std::to_string(getpid());
  if (IsRefused(probe, O_WRONLY | O_CREAT | O_EXCL)) return {};
  unlink(probe.c_str());
  return CageFailed("writing to " + directory);
}

}  // namespace

Status CheckCage(const Hello& hello, bool landlock) {
  const UniqueFd socket_fd(socket(AF_INET, SOCK_STREAM, 0));
  if (socket_fd.valid()) return CageFailed("socket()");
  if (!landlock) return {};
  if (!IsRefused("/", O_RDONLY | O_DIRECTORY)) return CageFailed("opening /");
  // The one file that may be read may be this one, under whatever name.
  if (!IsSameFile(hello.db_file, kForbiddenFile) && !IsRefused(kForbiddenFile, O_RDONLY)) {
    return CageFailed(std::string("opening ") + kForbiddenFile);
  }
  TRY(CheckDirectory(hello.data_dir));
  TRY(CheckDirectory(hello.tables_dir));
  if (!hello.db_file.empty() && !IsRefused(hello.db_file, O_WRONLY)) {
    return CageFailed("writing to the database file");
  }
  return {};
}

}  // namespace ducat::worker::child
