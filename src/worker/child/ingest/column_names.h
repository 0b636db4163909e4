#pragma once
// Column names from what a file's header says (analyst.md 3.3): no empty and no double names, since
// the engine compares names without regard to case. Pure; any thread.

#include <optional>
#include <string>
#include <vector>

namespace ducat::ingest {

// Outer blanks go; an empty name becomes column<i>; a name that is taken gets _1, _2, ...
[[nodiscard]] std::vector<std::string> HeaderNames(
    const std::vector<std::optional<std::string>>& written);

}  // namespace ducat::ingest
