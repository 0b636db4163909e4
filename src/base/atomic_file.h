#pragma once
// Small files of our own (state, saved queries, a client's configuration): read whole with a limit,
// written whole or not at all. Blocking, for files of kilobytes only. Any thread; the caller keeps
// writers of one path apart.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat {

// Nothing when the file does not exist. Fails with file_unreadable or file_too_large.
[[nodiscard]] Result<std::optional<std::string>> ReadSmallFile(const std::string& path,
                                                               size_t bytes_max);

// Writes a temporary file beside `path`, syncs and renames it. Missing parent directories are made
// with mode 0700; an existing file's mode is kept, a new one gets `mode`. A symlink at `path` is
// written through, not replaced. Fails with file_not_written.
[[nodiscard]] Status WriteFileAtomically(const std::string& path, std::string_view content,
                                         unsigned mode = 0600);

}  // namespace ducat
