#pragma once
// PrivateDir: the directory of one worker (spill files, staging), mode 0700 with a random name. Its
// owner holds a lock on it; a directory without one was left behind by a dead process. Control
// thread only; the destructor removes the directory with all that is in it.

#include <string>

#include "base/result.h"
#include "worker/spawn.h"

namespace ducat::worker {

class PrivateDir {
 public:
  [[nodiscard]] static Result<PrivateDir> Create(const std::string& root);
  PrivateDir(PrivateDir&& other) noexcept = default;
  PrivateDir& operator=(PrivateDir&& other) noexcept;
  ~PrivateDir();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  PrivateDir(std::string path, UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  void Remove();

  std::string path_;
  UniqueFd lock_;
};

// Removes private directories in `root` whose owner is gone; gives their number. What cannot be
// removed is left for the next start.
size_t RemoveLeftovers(const std::string& root);

}  // namespace ducat::worker
