#pragma once
// Reading and writing the scalars behind a Shape: integers and enums of any size through void
// pointers. Internal to this layer; the caller guarantees that the pointer has the type that the
// Shape describes.

#include <cstddef>
#include <cstdint>

#include "json/shape.h"

namespace ducat::json {

// 1, 2, 4 or 8 bytes.
[[nodiscard]] int64_t LoadSigned(const void* value, size_t size);
[[nodiscard]] uint64_t LoadUnsigned(const void* value, size_t size);
// `bits` is cut to `size` bytes; two's complement serves both signs.
void StoreInteger(void* value, size_t size, uint64_t bits);

// The range of an integer type of that size.
[[nodiscard]] int64_t LowestSigned(size_t size);
[[nodiscard]] int64_t HighestSigned(size_t size);
[[nodiscard]] uint64_t HighestUnsigned(size_t size);

[[nodiscard]] inline void* MemberAt(const Field& field, void* object) {
  return field.at(object, field.slot);
}
// Field::at only computes an address, so it serves constant objects as well.
[[nodiscard]] inline const void* MemberAt(const Field& field, const void* object) {
  return field.at(const_cast<void*>(object), field.slot);
}

// An optional field of the input: may be left out.
[[nodiscard]] inline bool IsOptionalInput(const Field& field) {
  return field.shape->kind == Kind::kOptional || !field.rule.default_json.empty();
}

}  // namespace ducat::json
