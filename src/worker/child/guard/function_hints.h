#pragma once
// What to write in the place of a function that does not run here, or that another dialect of SQL
// has and the engine lacks. Reviewed by hand; a test holds the names against the engine's. Pure.

#include <span>
#include <string_view>

namespace ducat::guard {

struct FunctionHint {
  std::string_view name, hint;
};

// Empty: nothing is known. `name` in lower case.
[[nodiscard]] std::string_view HintForDenied(std::string_view name);
[[nodiscard]] std::string_view HintForForeign(std::string_view name);
[[nodiscard]] std::span<const FunctionHint> ForeignFunctions();

}  // namespace ducat::guard
