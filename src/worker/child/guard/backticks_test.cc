#include "worker/child/guard/backticks.h"

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

TEST(Backticks, NamesBecomeDoublyQuoted) {
  const auto written = [](std::string_view sql) { return WithDoubleQuotes(Tokenize(sql)); };
  EXPECT_EQ(written("SELECT `a`, `US Gross` FROM `t`"), R"(SELECT "a", "US Gross" FROM "t")");
  EXPECT_EQ(written("SELECT '`a`' FROM t"), "SELECT '`a`' FROM t");
  EXPECT_EQ(written("SELECT `a"), "SELECT `a");
}

TEST(Backticks, TheFirstPairIsFound) {
  const auto first = FirstBackticked(Tokenize("SELECT '`x`', `ab` FROM t"));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->offset, 14U);
  EXPECT_EQ(first->length, 4U);
  EXPECT_FALSE(FirstBackticked(Tokenize("SELECT a ` b")).has_value());
  EXPECT_FALSE(FirstBackticked(Tokenize("SELECT \"`a`\"")).has_value());
}

}  // namespace
}  // namespace ducat::guard
