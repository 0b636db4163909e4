#include "worker/child/ingest/json_depth.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::ingest {
namespace {

uint32_t Deepest(std::string_view text) {
  JsonDepth depth;
  depth.Feed(text);
  return depth.deepest();
}

TEST(JsonDepthTest, CountsBracketsOutsideStrings) {
  EXPECT_EQ(Deepest("42"), 0U);
  EXPECT_EQ(Deepest(R"([{"a":[1]}])"), 3U);
  EXPECT_EQ(Deepest(R"({"a":"[[[[","b":"\"[["})"), 1U);
  EXPECT_EQ(Deepest(R"({"a":"\\"}[[1]])"), 2U);
  EXPECT_EQ(Deepest("\"open [[[[\n[[1]]"), 2U) << "no string holds a line break";
}

TEST(JsonDepthTest, PiecesMayCutAnywhere) {
  const std::string text = R"([{"a":"x\"]["},[[1]]])";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    JsonDepth depth;
    depth.Feed(std::string_view(text).substr(0, cut));
    depth.Feed(std::string_view(text).substr(cut));
    EXPECT_EQ(depth.deepest(), 3U) << cut;
  }
}

TEST(JsonDepthTest, RecordsAreElementsOfTheRootArrayOrLines) {
  JsonDepth array;
  array.Feed("[{\"a\":1},{\"a\":22222}]");
  EXPECT_LT(array.longest_record(), 15U);
  EXPECT_GE(array.longest_record(), 11U);
  JsonDepth lines;
  lines.Feed("{\"a\":[1,2,3]}\n{}\n");
  EXPECT_GE(lines.longest_record(), 13U);
  EXPECT_LT(lines.longest_record(), 16U);
}

}  // namespace
}  // namespace ducat::ingest
