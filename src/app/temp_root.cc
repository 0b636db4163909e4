#include "app/temp_root.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
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

// A directory bears the first name only once it is locked, so that no other process takes it for a
// leftover in between.
constexpr std::string_view kPrefix = "ducat-";
constexpr std::string_view kNewPrefix = ".ducat-";
constexpr std::chrono::minutes kNewAge{1};
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

bool IsOld(const std::string& path) {
  std::error_code problem;
  const auto changed = std::filesystem::last_write_time(path, problem);
  return !problem && std::filesystem::file_time_type::clock::now() - changed > kNewAge;
}

void RemoveLeftover(const std::string& path, const std::string& name) {
  std::error_code ignored;
  if (name.starts_with(kNewPrefix)) {
    if (IsOld(path)) std::filesystem::remove_all(path, ignored);
    return;
  }
  const int lock = TakeLock(path, false);
  if (lock < 0) return;
  std::filesystem::remove_all(path, ignored);
  close(lock);
}

}  // namespace

Result<TempRoot> TempRoot::Create(const std::string& parent) {
  std::string fresh = parent + "/" + std::string(kNewPrefix) + "XXXXXX";
  const auto failed = [&parent] {
    return Fail(ErrorCode::kUnavailable, "temp_dir_unavailable",
                "No private directory can be made in " + parent + ": " +
                    std::generic_category().message(errno) + ".",
                "Name a writable directory in TMPDIR.");
  };
  if (mkdtemp(fresh.data()) == nullptr) return failed();
  const std::string path =
      parent + "/" + std::string(kPrefix) + fresh.substr(parent.size() + 1 + kNewPrefix.size());
  const int lock = TakeLock(fresh, true);
  TempRoot root(std::move(fresh), lock);
  if (lock < 0 || mkdir(root.workers_dir().c_str(), 0700) != 0 ||
      mkdir(root.tables_dir().c_str(), 0700) != 0 ||
      rename(root.path_.c_str(), path.c_str()) != 0) {
    return failed();
  }
  root.path_ = path;
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
    const std::string name = entries->path().filename().string();
    const bool candidate = name.starts_with(kPrefix) || name.starts_with(kNewPrefix);
    if (candidate && path != path_ && IsOwnDirectory(path)) RemoveLeftover(path, name);
    entries.increment(problem);
  }
}

}  // namespace ducat::app
