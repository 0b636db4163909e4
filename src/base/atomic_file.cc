#include "base/atomic_file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <climits>

namespace ducat {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }

 private:
  int fd_;
};

Failure NotWritten(const std::string& path) {
  return Fail(ErrorCode::kUnavailable, "file_not_written",
              path + " cannot be written: " + std::generic_category().message(errno) + ".");
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool MakeDirectories(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) return S_ISDIR(status.st_mode);
  const std::string parent = ParentOf(path);
  if (parent != path && !MakeDirectories(parent)) return false;
  return mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

bool WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// The file that a chain of links ends at, or `path` when it is none or does not exist.
std::string Target(const std::string& path) {
  std::array<char, PATH_MAX> resolved{};
  return realpath(path.c_str(), resolved.data()) == nullptr ? path : std::string(resolved.data());
}

}  // namespace

Result<std::optional<std::string>> ReadSmallFile(const std::string& path, size_t bytes_max) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    return Fail(ErrorCode::kUnavailable, "file_unreadable",
                path + " cannot be read: " + std::generic_category().message(errno) + ".");
  }
  std::string content;
  std::array<char, 16384> piece{};
  for (;;) {
    const ssize_t got = read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Fail(ErrorCode::kUnavailable, "file_unreadable",
                  path + " cannot be read: " + std::generic_category().message(errno) + ".");
    }
    if (got == 0) return content;
    content.append(piece.data(), static_cast<size_t>(got));
    if (content.size() > bytes_max) {
      return Fail(ErrorCode::kResourceExhausted, "file_too_large",
                  path + " is larger than " + std::to_string(bytes_max) + " bytes.");
    }
  }
}

Status WriteFileAtomically(const std::string& path, std::string_view content, unsigned mode) {
  const std::string target = Target(path);
  const std::string parent = ParentOf(target);
  if (!MakeDirectories(parent)) return NotWritten(target);
  struct stat existing{};
  if (stat(target.c_str(), &existing) == 0) mode = existing.st_mode & 07777U;
  std::string temporary = target + ".XXXXXX";
  const Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.open()) return NotWritten(target);
  const bool written = WriteAll(file.get(), content) && fchmod(file.get(), mode) == 0 &&
                       fsync(file.get()) == 0 && rename(temporary.c_str(), target.c_str()) == 0;
  if (!written) {
    const Failure failure = NotWritten(target);
    unlink(temporary.c_str());
    return failure;
  }
  const Descriptor directory(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.open()) fsync(directory.get());
  return {};
}

}  // namespace ducat
