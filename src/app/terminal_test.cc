#include "app/terminal.h"

#include <gtest/gtest.h>

#include "base/hidden_characters.h"
#include "base/text.h"

namespace ducat::app {
namespace {

TEST(Terminal, ShowsWhatATerminalWouldObeyOrHide) {
  EXPECT_EQ(ForTerminal("a\tb\r\nc\n"), "a\tb\nc\n");
  EXPECT_EQ(ForTerminal("lone\rreturn"), "lone\\u000dreturn");
  EXPECT_EQ(ForTerminal("\x1b]0;title\x07"), "\\u001b]0;title\\u0007");
  EXPECT_EQ(ForTerminal("\xe2\x80\xaegpj\xff"), "\\u202egpj\xEF\xBF\xBD");
  EXPECT_EQ(ForTerminal("\xc3\xa4 \xe6\x95\xb0"), "\xc3\xa4 \xe6\x95\xb0");
}

TEST(Terminal, LetsNoHiddenCharacterThrough) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (!IsHiddenCharacter(c) || c == '\n' || c == '\t') continue;
    std::string text = "<";
    AppendUtf8(text, c);
    EXPECT_TRUE(ForTerminal(text).starts_with("<\\u")) << static_cast<uint32_t>(c);
  }
}

}  // namespace
}  // namespace ducat::app
