#pragma once
// Escapes of JSON strings, both ways, and the number texts that go with them are declared in
// writer.h; here is what the parsers of this layer share beside them. Pure functions, any thread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ducat::json {

// One escape sequence at the start of `text` (which begins with a backslash).
struct EscapeStep {
  size_t length = 1;  // bytes consumed; a surrogate pair is one step of 12
  char32_t code_point = 0;
  bool valid = false;  // false: unknown, cut off, or a lone surrogate
};
[[nodiscard]] EscapeStep NextEscape(std::string_view text);

// Index of the first byte at or after `i` that is not plain inside a string: a quote, a backslash,
// a control, or the first byte of a character beyond ASCII. The size when there is none.
[[nodiscard]] size_t NextNotPlain(std::string_view text, size_t i);

}  // namespace ducat::json
