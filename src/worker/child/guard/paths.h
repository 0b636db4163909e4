#pragma once
// Literal paths (guard.md 6.6): judged by their text and the catalog's list of visible files alone,
// never by looking at the disk. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/mounted_catalog.h"

namespace ducat::guard {

inline constexpr size_t kFilesPerLiteralMax = 10'000;

struct PathVerdict {
  std::string code;                // empty: allowed
  std::string message;             // without the place, naming the path as written
  std::vector<std::string> files;  // relative to the data directory, in byte order
  uint64_t left_out = 0;           // files of a glob that lead out of the data directory
};

[[nodiscard]] PathVerdict JudgePath(std::string_view written, std::string_view data_dir,
                                    const worker::child::MountedCatalog& catalog);
// Whether an unknown table name is to be read as a path.
[[nodiscard]] bool LooksLikePath(std::string_view name);
// The engine's own glob rules: * and ? within a folder, [abc], ** over folders.
[[nodiscard]] bool MatchesGlob(std::string_view pattern, std::string_view path);
// A file of the data directory, which is where the worker stands (ADR 0016), so that the engine
// opens exactly this one: glob characters escaped. What it says of the file later is relative, too.
[[nodiscard]] std::string LiteralPath(std::string_view relative);
// The reader that the engine takes for a file named as a table, by its ending; empty: none.
[[nodiscard]] std::string_view ReaderOf(std::string_view path);
// "jan.csv" of "2024/jan.csv.gz" is "jan": what the engine calls a file used as a table.
[[nodiscard]] std::string_view BaseName(std::string_view path);

}  // namespace ducat::guard
