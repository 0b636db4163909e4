#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include "base/text.h"

namespace ducat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EditDistance, CountsEditsAndTranspositions) {
  EXPECT_EQ(EditDistance("limit", "limit", 2), 0U);
  EXPECT_EQ(EditDistance("limit", "LIMIT", 2), 0U);
  EXPECT_EQ(EditDistance("limt", "limit", 2), 1U);
  EXPECT_EQ(EditDistance("limiit", "limit", 2), 1U);
  EXPECT_EQ(EditDistance("lomit", "limit", 2), 1U);
  EXPECT_EQ(EditDistance("liimt", "limit", 2), 1U);
  EXPECT_EQ(EditDistance("ilmti", "limit", 2), 2U);
  EXPECT_EQ(EditDistance("", "ab", 2), 2U);
  EXPECT_EQ(EditDistance("", "abc", 2), 3U);
  EXPECT_EQ(EditDistance("\xC3\xA9t\xC3\xA9", "ete", 2), 2U);
  EXPECT_EQ(EditDistance("kitten", "sitting", 5), 3U);
}

// The whole table without a band, as an oracle.
size_t PlainDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j)
    d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

TEST(EditDistance, AgreesWithTheWholeTable) {
  std::mt19937 random(11);
  for (int round = 0; round < 20'000; ++round) {
    std::string a(random() % 9, 'a'), b(random() % 9, 'a');
    for (char& c : a)
      c = static_cast<char>('a' + random() % 3);
    for (char& c : b)
      c = static_cast<char>('a' + random() % 3);
    for (size_t limit = 0; limit < 4; ++limit) {
      ASSERT_EQ(EditDistance(a, b, limit), std::min(PlainDistance(a, b), limit + 1))
          << a << " " << b << " " << limit;
    }
  }
}

TEST(NearNames, KeepsToDistanceTwoAndAThirdOfTheName) {
  const std::vector<std::string> names{"limit", "offset", "sql", "format", "formats"};
  EXPECT_THAT(NearNames("limt", names, 3), ElementsAre("limit"));
  EXPECT_THAT(NearNames("li", names, 3), IsEmpty());  // a third of two is zero edits
  EXPECT_THAT(NearNames("sq", names, 3), IsEmpty());
  EXPECT_THAT(NearNames("sqk", names, 3), ElementsAre("sql"));
  EXPECT_THAT(NearNames("frmat", names, 3),
              ElementsAre("format"));  // "formats" is two away, 5/3 = 1
  EXPECT_THAT(NearNames("formts", names, 3), ElementsAre("formats", "format"));
  EXPECT_THAT(NearNames("formts", names, 1), ElementsAre("formats"));
  EXPECT_THAT(NearNames("farmits", names, 3), ElementsAre("formats"));
  EXPECT_THAT(NearNames("", names, 3), IsEmpty());
  EXPECT_THAT(NearNames("zzzzzzzzz", names, 3), IsEmpty());
}

TEST(NearNames, FallsBackToNamesThatContainOrBegin) {
  const std::vector<std::string> names{"article_views", "articles", "authors", "ref"};
  EXPECT_THAT(NearNames("Article", names, 5), ElementsAre("articles"));
  EXPECT_THAT(NearNames("view", names, 5), IsEmpty());
  EXPECT_THAT(NearNames("view", names, 5, NearFallback::kContaining), ElementsAre("article_views"));
  EXPECT_THAT(NearNames("a", names, 2, NearFallback::kContaining),
              ElementsAre("article_views", "articles"));
  EXPECT_THAT(NearNames("authors_2024", names, 5, NearFallback::kContaining),
              ElementsAre("authors"));
  EXPECT_THAT(NearNames("", names, 5, NearFallback::kContaining), IsEmpty());
}

TEST(NearNames, StaysCheapForHostileNames) {
  const std::vector<std::string> names(1'000, std::string(40, 'a'));
  const std::string hostile(4 << 20, 'a');
  EXPECT_THAT(NearNames(hostile, names, 3), IsEmpty());
  EXPECT_EQ(EditDistance(hostile, hostile + "b", 2), 1U);
}

}  // namespace
}  // namespace ducat
