#pragma once
// Opening files to read that others may have put there: never waits, as for a pipe that nobody
// writes to, and takes regular files only. Any thread.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat::ingest {

using FileHandle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Reasons: not_found, permission, outside_link (a loop of links), not_tabular (a pipe, a device, a
// directory), engine_error. Messages call the file `name`.
[[nodiscard]] Result<FileHandle> OpenToRead(const std::string& path,
                                            std::string_view name = "The file");

// Fails with not_tabular when something is there that is no regular file: before the engine opens
// it, which would wait for a pipe's writer. What is missing the engine tells.
[[nodiscard]] Status CheckRegular(const std::string& path, std::string_view name);

// An errno of opening or looking at a file, as the reasons above.
[[nodiscard]] Failure OpenFailure(int error, std::string_view name);
[[nodiscard]] Failure NoRegularFile(std::string_view name);

}  // namespace ducat::ingest
