#include "app/temp_root.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ducat::app {
namespace {

constexpr std::string_view kPrefix = "ducat-";
constexpr const char* kLockName = "/lock";

// The lock's descriptor; -1 when another process holds it or there is none.
int TakeLock(const std::string& directory, bool create) {
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT | O_EXCL : 0);
  const int fd = open((directory + kLockName).c_str(), flags, 0600);
  if (fd < 0) return -1;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

bool IsOwnDirectory(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid();
}

}  // namespace

Result<TempRoot> TempRoot::Create(const std::string& parent) {
  std::string path = parent + "/" + std::string(kPrefix) + "XXXXXX";
  const auto failed = [&parent] {
    return Fail(ErrorCode::kUnavailable, "temp_dir_unavailable",
                "No private directory can be made in " + parent + ": " +
                    std::generic_category().message(errno) + ".",
                "Name a writable directory in TMPDIR.");
  };
  if (mkdtemp(path.data()) == nullptr) return failed();
  const int lock = TakeLock(path, true);
  TempRoot root(std::move(path), lock);
  if (lock < 0 || mkdir(root.workers_dir().c_str(), 0700) != 0 ||
      mkdir(root.tables_dir().c_str(), 0700) != 0) {
    return failed();
  }
  return root;
}

TempRoot::TempRoot(TempRoot&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

TempRoot::~TempRoot() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void TempRoot::RemoveLeftovers() const {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::directory_iterator entries(fs::path(path_).parent_path(), problem);
  while (!problem && entries != fs::directory_iterator()) {
    const std::string path = entries->path().string();
    const bool candidate =
        entries->path().filename().string().starts_with(kPrefix) && path != path_;
    if (candidate && IsOwnDirectory(path)) {
      if (const int lock = TakeLock(path, false); lock >= 0) {
        std::error_code ignored;
        fs::remove_all(path, ignored);
        close(lock);
      }
    }
    entries.increment(problem);
  }
}

}  // namespace ducat::app
