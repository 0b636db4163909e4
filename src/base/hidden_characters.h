#pragma once
// Characters that hide, reorder or command: C0 and C1 controls, zero-width, bidirectional and tag
// characters. Text from data shows them escaped (protocol.md 14.6). Tab and newline are among them;
// a caller that lets those through asks first. Any thread.

#include <array>

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

}  // namespace ducat
