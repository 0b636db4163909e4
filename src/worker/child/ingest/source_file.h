#pragma once
// SourceFile: a file of the data directory, found beneath it without leaving it, and what its first
// bytes tell before any parser sees them. Opening never blocks on special files. Job thread only.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat::ingest {

struct SourceFile {
  std::string path;  // absolute, symlinks resolved
  int64_t bytes = 0;
  int64_t modified_ns = 0;
};

// `relative`: the bytes of the path that the catalog lists. Reasons: outside_link (absolute, "..",
// or a symlink that leaves the directory), not_found, permission, not_tabular (no regular file),
// too_large (above `bytes_max`). Messages name `relative`, never an absolute path.
[[nodiscard]] Result<SourceFile> FindSource(std::string_view data_dir, std::string_view relative,
                                            uint64_t bytes_max);

// True when nobody touched the file since it was found.
[[nodiscard]] bool Unchanged(const SourceFile& source);

// True when SQL can name the file: its path is UTF-8, and not both a backslash, which escapes in a
// glob of the engine, and glob characters are in it.
[[nodiscard]] bool HasSqlName(const std::string& path);

// A copy in the private directory, for a file that has none. Reasons: those of OpenToRead,
// temp_limit, cancelled.
[[nodiscard]] Result<SourceFile> CopySource(const SourceFile& source, std::string_view private_dir,
                                            const std::function<bool()>& interrupted);

// The first `bytes` of the file (fewer when it is shorter). Reasons: those of OpenToRead.
[[nodiscard]] Result<std::string> ReadHead(const SourceFile& source, size_t bytes);

// Looks at the first MiB of a text file. Reasons: empty (no bytes), no_records (nothing but blanks
// and a byte order mark), binary (more than one control byte, and more
// than 1 %).
[[nodiscard]] Status CheckText(const SourceFile& source);

}  // namespace ducat::ingest
