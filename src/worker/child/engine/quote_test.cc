#include <gtest/gtest.h>

#include "worker/child/engine/connection.h"

namespace ducat::engine {
namespace {

TEST(QuoteTest, QuotesAreDoubled) {
  EXPECT_EQ(QuoteIdentifier(""), "\"\"");
  EXPECT_EQ(QuoteIdentifier("a\"b'c"), "\"a\"\"b'c\"");
  EXPECT_EQ(QuoteText("a\"b'c"), "'a\"b''c'");
}

TEST(QuoteTest, PathsAreLiteral) {
  EXPECT_EQ(QuotePath("/d/o'brien.csv"), "'/d/o''brien.csv'");
  EXPECT_EQ(QuotePath("/d/a*[1]?.csv"), "'/d/a[*][[]1][?].csv'");
}

}  // namespace
}  // namespace ducat::engine
