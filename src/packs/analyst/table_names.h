#pragma once
// From a file's relative path to the name of its table (analyst.md 2.2): readable, always usable
// without quotes, and the same in every run. Pure functions of the text; any thread.

#include <string>
#include <string_view>

namespace ducat::analyst {

inline constexpr size_t kTableNameMax = 63;

// The name before collisions are settled. `sheet` is the sheet of a workbook that holds several.
// Invalid UTF-8 counts as characters outside [a-z0-9].
[[nodiscard]] std::string TableName(std::string_view relative_path, std::string_view sheet = {});

// True for words that cannot stand unquoted as a table name in the engine (lower case).
[[nodiscard]] bool IsReservedWord(std::string_view word);

// `path` without its compression and format extension: "2024/jan.csv.gz" -> "2024/jan".
[[nodiscard]] std::string_view WithoutExtensions(std::string_view path);

}  // namespace ducat::analyst
