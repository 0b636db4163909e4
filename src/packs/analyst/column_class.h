#pragma once
// Classes of the engine's types, as callers ask for them: numeric, text, temporal, or one type by
// its name. Pure functions of a type's text; any thread.

#include <string_view>

namespace ducat::analyst {

// `wanted`: numeric, text, temporal, or a type's name without its arguments (DECIMAL fits
// DECIMAL(10,2)); ASCII letter case ignored.
[[nodiscard]] bool TypeMatches(std::string_view wanted, std::string_view type);

// Whether `wanted` is a class or names a type of the engine; short names such as INT count.
[[nodiscard]] bool IsTypeOrClass(std::string_view wanted);
// For a hint: the classes and the usual types.
[[nodiscard]] std::string_view TypesAndClasses();

[[nodiscard]] bool IsNumericType(std::string_view type);

}  // namespace ducat::analyst
