#include "worker/child/rows/markdown_cell.h"

#include <gtest/gtest.h>

#include "json/writer.h"

namespace ducat::rows {
namespace {

std::string Cell(std::string_view text) {
  std::string out;
  AppendMarkdownCell(out, text);
  return out;
}

// What a reader of the JSON string sees.
std::string Seen(std::string_view text) {
  return json::Unescape(Cell(text));
}

TEST(MarkdownCellTest, PlainTextStays) {
  EXPECT_EQ(Cell(""), "");
  EXPECT_EQ(Cell("plain text, é 数 😀 * _ <b>"), "plain text, é 数 😀 * _ <b>");
}

TEST(MarkdownCellTest, TableAndJsonEscapes) {
  EXPECT_EQ(Cell("a|b"), R"(a\\|b)");
  EXPECT_EQ(Cell("a\\b"), R"(a\\\\b)");
  EXPECT_EQ(Cell("\"q\""), R"(\"q\")");
  EXPECT_EQ(Seen("a|b\\c\"d"), R"(a\|b\\c"d)");
  EXPECT_EQ(Seen("l1\r\nl2\tx"), R"(l1\r\nl2\tx)");
}

TEST(MarkdownCellTest, HiddenCharactersAreShown) {
  EXPECT_EQ(Seen(std::string_view("a\0b\x1B[31m\x7F", 9)), R"(a\u0000b\u001b[31m\u007f)");
  EXPECT_EQ(Seen("\xC2\x85|\xE2\x80\x8B|\xE2\x80\xAE|\xEF\xBB\xBF"),
            R"(\u0085\|\u200b\|\u202e\|\ufeff)");
  EXPECT_EQ(Seen("\xF3\xA0\x81\x81"), R"(\u{e0041})");
  // A backslash of the data cannot pass for one of ours.
  EXPECT_EQ(Seen("\\u200b"), R"(\\u200b)");
}

TEST(MarkdownCellTest, InvalidUtf8IsReplaced) {
  EXPECT_EQ(Cell("a\xFF\xC3"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ducat::rows
