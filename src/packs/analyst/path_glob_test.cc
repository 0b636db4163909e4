#include "packs/analyst/path_glob.h"

#include <gtest/gtest.h>

namespace ducat::analyst {
namespace {

struct GlobCase {
  const char* pattern;
  const char* text;
  bool matches;
};

class PathGlob : public testing::TestWithParam<GlobCase> {};
TEST_P(PathGlob, Matches) {
  EXPECT_EQ(MatchesPath(GetParam().pattern, GetParam().text), GetParam().matches)
      << GetParam().pattern << " on " << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Cases, PathGlob,
    testing::Values(
        GlobCase{"*.csv", "a.csv", true}, GlobCase{"*.csv", "sub/a.csv", true},
        GlobCase{"*.csv", "a.json", false}, GlobCase{"sub/*.csv", "sub/a.csv", true},
        GlobCase{"sub/*.csv", "sub/deep/a.csv", false}, GlobCase{"sub/**", "sub/deep/a.csv", true},
        GlobCase{"**/x/*.csv", "a/b/x/c.csv", true}, GlobCase{"**/x/*.csv", "x/c.csv", true},
        GlobCase{"**/x/*.csv", "a/x/b/c.csv", false}, GlobCase{"a?c.csv", "abc.csv", true},
        GlobCase{"/a?c", "/a/c", false}, GlobCase{"", "", true}, GlobCase{"", "a", false},
        GlobCase{"*", "", true}, GlobCase{"a*b*c", "axxbyyc", true},
        GlobCase{"a*b*c", "axxbyy", false}, GlobCase{"[x].csv", "[x].csv", true}));

TEST(NameFilter, IsASubstringUnlessItHasAWildcard) {
  EXPECT_TRUE(NameFilterMatches("der", "ORDERS"));
  EXPECT_FALSE(NameFilterMatches("der*", "orders"));
  EXPECT_TRUE(NameFilterMatches("ord*", "orders"));
  EXPECT_TRUE(NameFilterMatches("*_ID", "customer_id"));
  EXPECT_TRUE(NameFilterMatches("i?", "id"));
  EXPECT_FALSE(NameFilterMatches("i?", "idx"));
}

TEST(PathGlob, StaysFastOnManyStars) {
  const std::string pattern = "**a*a*a*a*a*a*a*a*a*b/x";
  EXPECT_FALSE(MatchesPath(pattern, std::string(2000, 'a') + "/y"));
}

}  // namespace
}  // namespace ducat::analyst
