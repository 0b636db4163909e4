#pragma once
// Where something stands in the caller's text, and how a person is shown it (guard.md 9). Pure
// functions.

#include <cstdint>
#include <string>
#include <string_view>

#include "worker/child/guard/guard.h"

namespace ducat::guard {

// A run of bytes of some text.
struct Span {
  uint64_t offset = 0, length = 0;
};

// The tree's sign for "no position".
inline constexpr uint64_t kNowhere = 18446744073709551615U;

// Line and column of a place; the span is cut to the text.
[[nodiscard]] Position PositionOf(std::string_view source, Span span);
// Byte offset of a character offset (parser errors count characters, all else bytes).
[[nodiscard]] uint64_t ByteOffset(std::string_view source, uint64_t characters);
// "line 3, column 12".
[[nodiscard]] std::string Where(const Position& position);
// Two lines: at most 120 characters of the line around the place, and a caret under it.
[[nodiscard]] std::string CaretLines(std::string_view source, const Position& position);

}  // namespace ducat::guard
