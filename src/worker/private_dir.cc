#include "worker/private_dir.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <vector>

#include "worker/job_error.h"

namespace ducat::worker {
namespace {

namespace fs = std::filesystem;

// A directory bears the second name only once it is locked, so that no other process takes it for a
// leftover in between.
constexpr std::string_view kNewPrefix = "new-";
constexpr std::string_view kWorkerPrefix = "worker-";
constexpr std::chrono::minutes kNewAge{1};

Result<std::string> RandomName() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return Internal("getrandom failed");
  }
  std::string name;
  for (const unsigned char byte : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name;
}

Failure DirFailed(std::string_view what, int error) {
  return Failure(WorkerUnavailable("No private directory for a worker: " + std::string(what) +
                                   ": " + std::generic_category().message(error) + "."));
}

UniqueFd OpenDirectory(const fs::path& path) {
  return UniqueFd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool IsOld(const fs::path& path) {
  std::error_code error;
  const auto written = fs::last_write_time(path, error);
  return !error && fs::file_time_type::clock::now() - written > kNewAge;
}

bool IsLeftover(const fs::path& path, const UniqueFd& directory) {
  const std::string name = path.filename().string();
  if (name.starts_with(kNewPrefix)) return IsOld(path);
  if (!name.starts_with(kWorkerPrefix)) return false;
  return flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

Result<PrivateDir> PrivateDir::Create(const std::string& root) {
  TRY_ASSIGN(const std::string name, RandomName());
  const std::string fresh = root + "/" + std::string(kNewPrefix) + name;
  const std::string path = root + "/" + std::string(kWorkerPrefix) + name;
  if (mkdir(fresh.c_str(), 0700) != 0) return DirFailed("mkdir", errno);
  UniqueFd lock = OpenDirectory(fresh);
  if (!lock.valid() || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    rmdir(fresh.c_str());
    return DirFailed("lock", error);
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0) {
    const int error = errno;
    rmdir(fresh.c_str());
    return DirFailed("rename", error);
  }
  return PrivateDir(path, std::move(lock));
}

PrivateDir& PrivateDir::operator=(PrivateDir&& other) noexcept {
  if (this == &other) return *this;
  Remove();
  path_ = std::move(other.path_);
  lock_ = std::move(other.lock_);
  return *this;
}

PrivateDir::~PrivateDir() {
  Remove();
}

void PrivateDir::Remove() {
  if (!lock_.valid()) return;
  std::error_code ignored;  // an undeletable file costs disk, never correctness
  fs::remove_all(path_, ignored);
  lock_.Reset();
}

size_t RemoveLeftovers(const std::string& root) {
  std::error_code error;
  std::vector<fs::path> candidates;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    candidates.push_back(it->path());
  }
  size_t removed = 0;
  for (const fs::path& path : candidates) {
    const UniqueFd directory = OpenDirectory(path);
    if (!directory.valid() || !IsLeftover(path, directory)) continue;
    std::error_code ignored;
    fs::remove_all(path, ignored);
    if (!ignored) ++removed;
  }
  return removed;
}

}  // namespace ducat::worker
