#pragma once
// Which declared field an argument's key means (protocol.md 14.3, 2 and 3): keys that clients add,
// other spellings of a declared name, declared aliases. Internal to this layer, pure, any thread.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "json/shape.h"

namespace ducat::json {

// _meta, toolCallId and its like, anything undeclared that starts with '_'.
[[nodiscard]] bool IsClientKey(std::string_view key);

// Index of the field with exactly that name, trying `expected` first (members mostly come in
// order).
[[nodiscard]] std::optional<size_t> FindField(std::span<const Field> fields, std::string_view key,
                                              size_t expected = 0);

// Index of the field whose name or alias is `key`, names without case, '_', '-' and blanks.
[[nodiscard]] std::optional<size_t> FindAlias(std::span<const Field> fields, std::string_view key);

}  // namespace ducat::json
