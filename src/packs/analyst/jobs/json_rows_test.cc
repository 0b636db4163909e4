#include "packs/analyst/jobs/json_rows.h"

#include <gtest/gtest.h>

namespace ducat::analyst {
namespace {

TEST(JsonRowsTest, NumbersComeBack) {
  EXPECT_EQ(AsInteger("42"), 42);
  EXPECT_EQ(AsInteger("\"9007199254740993\""), 9'007'199'254'740'993);
  EXPECT_EQ(AsDouble("-1.5"), -1.5);
  EXPECT_TRUE(IsNull("null"));
}

TEST(JsonRowsTest, ClipsTextsAndNestedValuesOnly) {
  EXPECT_EQ(ClipJson("123456", 3), "123456");
  EXPECT_EQ(ClipJson("\"abc\"", 3), "\"abc\"");
  EXPECT_EQ(ClipJson("\"abcd\"", 3), "\"ab…\"");
  EXPECT_EQ(ClipJson("\"äöü\"", 3), "\"äöü\"");
  EXPECT_EQ(ClipJson("\"\\n\\n\\n\\n\"", 3), "\"\\n\\n…\"");
  EXPECT_EQ(ClipJson("[1,2,3]", 4), "\"[1,…\"");
  EXPECT_EQ(ClipJson("[1]", 4), "[1]");
}

}  // namespace
}  // namespace ducat::analyst
