#pragma once
// FileScan: which files a data directory holds, from names and stat alone; nothing is opened but
// directories (analyst.md 2.1). Runs in steps so that the control process keeps answering
// meanwhile. Every directory is opened relative to its parent without following links, so a path
// cannot be swapped for a link that leads out. Control thread only; owned by the catalog's builder.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "packs/analyst/file_format.h"

namespace ducat::analyst {

struct ScanRules {
  std::vector<std::string> include;  // globs on relative paths; empty: all
  std::vector<std::string> exclude;  // wins over include
  size_t files_max = 100'000;
  uint64_t file_bytes_max = uint64_t{16} << 30;
};

struct ScannedFile {
  std::string path;  // relative to the data directory; its bytes, which need not be UTF-8
  FileFormat format = FileFormat::kCsv;
  uint64_t bytes = 0;
  int64_t modified_ns = 0;  // since 1970
};

// Listed, but never read.
struct SkippedFile {
  std::string path;
  std::string reason;  // outside_link, too_large, permission
  uint64_t bytes = 0;
  int64_t modified_ns = 0;
};

struct ScannedDirectory {
  std::vector<ScannedFile> files;    // byte order of the path
  std::vector<SkippedFile> skipped;  // the same
  // Every visible regular file inside that a literal path in SQL can name: those that are UTF-8.
  std::vector<std::string> visible;
  uint64_t other_files = 0;  // visible, but of no format we know
  uint64_t over_limit = 0;   // files beyond files_max, not listed
  // Globs of the rules that no file matched, with their flag: a misspelt one keeps out everything,
  // or nothing.
  std::vector<std::string> idle_globs;
};

class FileScan {
 public:
  // Fails with data_dir_missing, data_dir_not_a_directory or data_dir_unreadable.
  [[nodiscard]] static Result<FileScan> Open(const std::string& directory, ScanRules rules);
  // A walk of nothing: to show the tools without a directory.
  [[nodiscard]] static FileScan Nothing();
  FileScan(FileScan&&) noexcept;
  FileScan& operator=(FileScan&&) noexcept;
  ~FileScan();

  // Looks at about `entries` more directory entries; true when the walk is complete.
  [[nodiscard]] bool Step(size_t entries);
  // The sorted outcome of a complete walk; once.
  [[nodiscard]] ScannedDirectory Take();

 private:
  struct Impl;
  explicit FileScan(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ducat::analyst
