#include "worker/child/guard/place.h"

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

TEST(Place, CountsLinesAndCharacters) {
  const std::string_view sql = "SELECT 'ä',\n  'öö', x";
  const Position position = PositionOf(sql, {.offset = sql.find('x'), .length = 1});
  EXPECT_EQ(position.line, 2U);
  EXPECT_EQ(position.column, 9U);
  EXPECT_EQ(Where(position), "line 2, column 9");
}

TEST(Place, CutsSpansToTheText) {
  const Position position = PositionOf("abc", {.offset = 9, .length = 9});
  EXPECT_EQ(position.offset, 3U);
  EXPECT_EQ(position.length, 0U);
}

TEST(Place, TurnsCharactersIntoBytes) {
  EXPECT_EQ(ByteOffset("aä", 2), 3U);
  EXPECT_EQ(ByteOffset("aä", 9), 3U);
}

TEST(Place, PutsTheCaretUnderTheCharacter) {
  EXPECT_EQ(CaretLines("a\n\tö x\nb", PositionOf("a\n\tö x\nb", {.offset = 6, .length = 1})),
            " ö x\n   ^");
}

TEST(Place, ShowsTheMiddleOfLongLines) {
  const std::string sql = std::string(500, 'a') + "X" + std::string(500, 'b');
  const std::string caret = CaretLines(sql, PositionOf(sql, {.offset = 500, .length = 1}));
  const size_t newline = caret.find('\n');
  EXPECT_EQ(newline, 120U);
  EXPECT_EQ(caret[caret.size() - 1 - newline - 1], 'X');
}

}  // namespace
}  // namespace ducat::guard
