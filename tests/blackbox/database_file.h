#pragma once
// DatabaseFile: a DuckDB file made for a test by an engine of its own, in this process. While it is
// open it holds the writer's lock, as another program would. Aborts when a statement fails: no test
// can run without its data. One thread.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/scratch_folder.h"

namespace ducat::testing {

class DatabaseFile {
 public:
  // The file appears at `path`; statements name its objects as in "CREATE TABLE t ...".
  explicit DatabaseFile(const std::filesystem::path& path);
  ~DatabaseFile();
  DatabaseFile(const DatabaseFile&) = delete;
  DatabaseFile& operator=(const DatabaseFile&) = delete;

  void Run(const std::vector<std::string>& statements);
  // Closes a file that was written and lets go of its lock.
  static void Make(const std::filesystem::path& path, const std::vector<std::string>& statements);
  // Whether a writer could have the lock at last: an idle server lets go of the file after a while.
  [[nodiscard]] static bool WaitForLock(const std::filesystem::path& path);

 private:
  struct Engine;
  ScratchFolder private_dir_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace ducat::testing
