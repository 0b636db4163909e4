#pragma once
// Globs of the command line and of tool arguments: `*` is any text without "/", `**` any text, `?`
// one character without "/". Linear in practice: one backtracking point per kind of star. Any
// thread.

#include <string_view>

namespace ducat::analyst {

// A pattern without "/" is matched against the last component, like a .gitignore line.
[[nodiscard]] bool MatchesPath(std::string_view pattern, std::string_view relative_path);

// Names of tables and columns: `*` and `?` match any character, ASCII letter case does not matter.
[[nodiscard]] bool MatchesName(std::string_view pattern, std::string_view name);

// A filter of names: substring, or whole-name glob when the pattern has `*` or `?`.
[[nodiscard]] bool NameFilterMatches(std::string_view pattern, std::string_view name);

}  // namespace ducat::analyst
