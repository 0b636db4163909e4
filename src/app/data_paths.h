#pragma once
// Paths of the command line, checked before anything starts: the data directory, the database file,
// the worker's executable, the directory of kept state. Each failure is a configuration error (exit
// 2) or a missing worker (exit 70). Touches the file system; called once by main.

#include "app/settings.h"
#include "base/result.h"

namespace ducat::app {

// Fills the canonical paths of `settings.analyst` and its state directory. Reasons:
// data_dir_required, data_dir_missing, data_dir_not_a_directory, data_dir_refused, db_missing.
[[nodiscard]] Status ResolveDataPaths(Settings& settings);

// ducat-worker beside this executable, else what DUCAT_WORKER names. Reason worker_unavailable.
[[nodiscard]] Result<std::string> FindWorker(const Environment& environment);

// `path` taken from the working directory; the file need not exist.
[[nodiscard]] Result<std::string> AbsolutePath(const std::string& path);

// Absolute path of this executable.
[[nodiscard]] Result<std::string> OwnExecutable();

}  // namespace ducat::app
