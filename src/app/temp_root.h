#pragma once
// TempRoot: this process's private directory (mode 0700) for workers and finished tables, removed
// with all that is in it when the owner ends. Its owner holds a lock, so a later process can tell
// leftovers of dead ones and remove them. One per process, owned by the app; control thread only.

#include <string>

#include "base/result.h"

namespace ducat::app {

class TempRoot {
 public:
  // In $TMPDIR, else /tmp. Fails with temp_dir_unavailable.
  [[nodiscard]] static Result<TempRoot> Create(const std::string& parent);
  TempRoot(TempRoot&& other) noexcept;
  TempRoot& operator=(TempRoot&&) = delete;
  ~TempRoot();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string workers_dir() const { return path_ + "/workers"; }
  [[nodiscard]] std::string tables_dir() const { return path_ + "/tables"; }

  // Removes what dead processes of this user left beside it. Walks the parent: not before the first
  // answer.
  void RemoveLeftovers() const;

 private:
  TempRoot(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;
};

}  // namespace ducat::app
