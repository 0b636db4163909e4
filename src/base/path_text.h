#pragma once
// File names are bytes, answers and messages are UTF-8. A path that is UTF-8 is shown as it is; any
// other with each stray byte and each backslash as \xHH, from which its bytes can be had again. The
// two forms can look the same, so who holds an escaped one says so beside it. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>

namespace ducat {

[[nodiscard]] std::string ShownPath(std::string_view path);

// The bytes behind an escaped path; nothing when some backslash begins no escape.
[[nodiscard]] std::optional<std::string> PathOfShown(std::string_view shown);

}  // namespace ducat
