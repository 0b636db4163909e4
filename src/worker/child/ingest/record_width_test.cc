#include "worker/child/ingest/record_width.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::ingest {
namespace {

int64_t Widest(std::string_view text, size_t piece) {
  RecordWidth width;
  for (size_t at = 0; at < text.size(); at += piece)
    width.Feed(text.substr(at, piece));
  return width.widest();
}

TEST(RecordWidth, IsOfTheWidestRecordInPiecesOfAnySize) {
  const std::string text = "a,b\n1,2,3,4\n5\n";
  for (const size_t piece : {size_t{1}, size_t{3}, text.size()}) {
    EXPECT_EQ(Widest(text, piece), 4) << piece;
  }
  EXPECT_EQ(Widest("a;b;c\r1;2\r", 5), 3);
  EXPECT_EQ(Widest("a\tb|c|d", 5), 3) << "delimiters are not added up";
}

TEST(RecordWidth, QuotedTextCountsOnce) {
  EXPECT_EQ(Widest("a,\"1,2,3,4,5\",c\n", 4), 3);
  EXPECT_EQ(Widest("a,\"x\ny,z\",c\n", 4), 3);
  EXPECT_EQ(Widest("a,\"say \"\"x,y\"\"\",c\n", 4), 3);
}

}  // namespace
}  // namespace ducat::ingest
