#pragma once
// SchemaCheck: whether a value fits a JSON Schema, for the part of 2020-12 that our schemas use:
// type, properties, required, additionalProperties, items, enum, const, anyOf, not, bounds,
// lengths. A keyword it does not know is a failure of the schema, so that nothing passes unchecked.
// Formats and patterns are annotations here. An oracle of its own: shares no code with the product.

#include <string>
#include <string_view>

namespace ducat::testing {

// Empty when `value` fits, else where and why it does not. Both are JSON texts.
[[nodiscard]] std::string SchemaMismatch(std::string_view schema, std::string_view value);

}  // namespace ducat::testing
