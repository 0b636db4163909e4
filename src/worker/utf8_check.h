#pragma once
// UTF-8 of bytes that come in pieces: no surrogates, no overlong forms, nothing above U+10FFFF. A
// byte at a time over any cut, and 64 bytes at once for the bulk. Pure values; any thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ducat::worker {

class Utf8Check {
 public:
  // False when the bytes so far cannot be UTF-8; then the check is of no further use.
  [[nodiscard]] bool Feed(std::string_view bytes);
  // Not inside a character.
  [[nodiscard]] bool complete() const { return needed_ == 0; }

 private:
  uint32_t needed_ = 0;                     // continuation bytes that must follow
  unsigned char low_ = 0x80, high_ = 0xBF;  // bounds of the next one
};

inline constexpr size_t kUtf8BlockBytes = 64;

// True when the bytes are whole characters.
[[nodiscard]] bool IsWholeUtf8(const std::array<char, kUtf8BlockBytes>& bytes);

}  // namespace ducat::worker
