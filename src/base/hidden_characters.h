#pragma once
// Characters that hide, reorder or command: C0 and C1 controls, zero-width, bidirectional and tag
// characters. Text from data shows them escaped (protocol.md 14.6). Tab and newline are among them;
// a caller that lets those through asks first. Any thread.

#include <array>
#include <string_view>

namespace ducat {

[[nodiscard]] constexpr bool IsHiddenCharacter(char32_t code_point) {
  struct Range {
    char32_t first, last;
  };
  constexpr std::array<Range, 9> kHidden{{{0x00, 0x1F},
                                          {0x7F, 0x9F},
                                          {0x61C, 0x61C},
                                          {0x180E, 0x180E},
                                          {0x200B, 0x200F},
                                          {0x202A, 0x202E},
                                          {0x2060, 0x206F},
                                          {0xFEFF, 0xFEFF},
                                          {0xE0000, 0xE007F}}};
  for (const Range& range : kHidden) {
    if (code_point <= range.last) return code_point >= range.first;
  }
  return false;
}

// The character that a well-formed UTF-8 sequence stands for.
[[nodiscard]] constexpr char32_t CodePointOf(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  char32_t code_point = sequence.size() == 1   ? first
                        : sequence.size() == 2 ? first & 0x1FU
                        : sequence.size() == 3 ? first & 0x0FU
                                               : first & 0x07U;
  for (const char c : sequence.substr(1)) {
    code_point = code_point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return code_point;
}

}  // namespace ducat
