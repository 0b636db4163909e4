#include "packs/analyst/tools/markdown_table.h"

#include <gtest/gtest.h>

namespace ducat::analyst {
namespace {

TEST(MarkdownTable, TellsNamesAgainThatItShowsEscaped) {
  MarkdownTable table({"column", "type"});
  table.Row({table.Name("plain"), "BIGINT"});
  table.Row({table.Name("a|b\\c"), "BIGINT"});
  table.Row({table.Name("a|b\\c"), "BIGINT"});
  table.Row({"no|name", "BIGINT"});
  EXPECT_EQ(table.text(),
            "|column|type|\n|---|---|\n|plain|BIGINT|\n|a\\|b\\\\c|BIGINT|\n|a\\|b\\\\c|BIGINT|\n"
            "|no\\|name|BIGINT|\nas it is: a|b\\c\n");
}

TEST(Verbatim, IsTheTextOrAJsonStringOfIt) {
  EXPECT_EQ(Verbatim(R"(a || '\|' || "b")"), R"(a || '\|' || "b")");
  EXPECT_EQ(Verbatim("a\nb\\n\""), R"((as a JSON string) "a\nb\\n\"")");
  EXPECT_EQ(Verbatim("a\xE2\x80\xAE\xF3\xA0\x81\x81"),
            R"((as a JSON string) "a\u202e\udb40\udc41")");
}

}  // namespace
}  // namespace ducat::analyst
