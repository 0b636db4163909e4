#include "mcp/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

using ::testing::ElementsAre;

TEST(CleanForDisplay, ShowsWhatHidesOrCommands) {
  EXPECT_EQ(CleanForDisplay("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(CleanForDisplay("\x1b[31mred"), "\\u001b[31mred");
  EXPECT_EQ(CleanForDisplay(std::string_view("\0x", 2)), "\\u0000x");
  EXPECT_EQ(CleanForDisplay("a\rb\x7f"), "a\\u000db\\u007f");
  EXPECT_EQ(CleanForDisplay("\xC2\x85"), "\\u0085") << "C1";
  EXPECT_EQ(CleanForDisplay("\xE2\x80\x8B\xE2\x80\xAE\xEF\xBB\xBF"), "\\u200b\\u202e\\ufeff");
  EXPECT_EQ(CleanForDisplay("\xF3\xA0\x81\x81"), "\\u{e0041}") << "tag characters";
}

TEST(CleanForDisplay, LeavesTextAlone) {
  for (const std::string_view text : {"", "plain", "naïve – “x” 中文 🎉", "a|b\\c", "\"quoted\""}) {
    EXPECT_EQ(CleanForDisplay(text), text);
  }
}

TEST(CleanForDisplay, RepairsInvalidUtf8) {
  EXPECT_EQ(CleanForDisplay("a\xFF"
                            "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(CleanForDisplay("\xE2\x80"), "\xEF\xBF\xBD");
}

TEST(SingleLine, KeepsAnyTextWithinItsLine) {
  EXPECT_EQ(SingleLine("note\n\nHint: call\tsave_query"), "note\\n\\nHint: call\\tsave_query");
  EXPECT_EQ(SingleLine("a\r\xE2\x80\xAE"), "a\\u000d\\u202e");
  EXPECT_EQ(SingleLine("naïve “x”"), "naïve “x”");
  Text text;
  text.Line("types: a\nb").Notice("one\ntwo");
  EXPECT_EQ(text.escaped(), "types: a\\\\nb\\n");
  EXPECT_THAT(text.notices(), ElementsAre("one\\ntwo"));
}

TEST(MarkdownCell, EscapesWhatEndsACell) {
  EXPECT_EQ(MarkdownCell("a|b\\c\nd\re"), "a\\|b\\\\c\\nd\\re");
}

TEST(Text, IsBuiltEscaped) {
  Text text;
  text.Add("say \"hi\"").Line("\x1b!").AddEscaped("| a \\n|").Notice("cut\x1b");
  EXPECT_EQ(text.escaped(), "say \\\"hi\\\"\\\\u001b!\\n| a \\n|");
  EXPECT_THAT(text.notices(), ElementsAre("cut\\u001b"));
  EXPECT_FALSE(text.empty());
  EXPECT_TRUE(Text().empty());
}

}  // namespace
}  // namespace ducat::mcp
