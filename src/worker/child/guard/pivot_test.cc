#include "worker/child/guard/pivot.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

std::string Probed(std::string_view sql) {
  const TokenList tokens = Tokenize(sql);
  EditedText text(sql, 0);
  text.Apply(PivotExpansion(tokens).Probe());
  return text.text();
}

std::string Values(std::string_view sql) {
  const TokenList tokens = Tokenize(sql);
  const PivotExpansion expansion(tokens);
  return expansion.items().empty() ? "" : expansion.items()[0].values;
}

TEST(Pivot, AddsValuesOnlyWhereTheyLack) {
  EXPECT_EQ(Probed("PIVOT t ON a, b IN (1), year(c) USING sum(d)"),
            "PIVOT t ON a IN ('?'), b IN (1), year(c) IN ('?') USING sum(d)");
  EXPECT_EQ(Probed("PIVOT t ON a"), "PIVOT t ON a IN ('?')");
  EXPECT_EQ(Probed("PIVOT t ON a GROUP BY b ORDER BY c"),
            "PIVOT t ON a IN ('?') GROUP BY b ORDER BY c");
}

TEST(Pivot, TakesTheLastOnOfItsOwnDepth) {
  EXPECT_EQ(Probed("PIVOT a JOIN b ON a.x = b.x ON c USING sum(d)"),
            "PIVOT a JOIN b ON a.x = b.x ON c IN ('?') USING sum(d)");
  EXPECT_EQ(Probed("SELECT * FROM (PIVOT t ON a) q JOIN u ON q.x = u.x"),
            "SELECT * FROM (PIVOT t ON a IN ('?')) q JOIN u ON q.x = u.x");
}

TEST(Pivot, LeavesOtherPivotsAlone) {
  EXPECT_FALSE(HasDynamicPivot(Tokenize("FROM t PIVOT (sum(a) FOR b IN (1))")));
  EXPECT_FALSE(HasDynamicPivot(Tokenize("SELECT 'PIVOT t ON a'")));
}

TEST(Pivot, SeesAQueryInThePlaceOfValues) {
  const auto place = [](std::string_view sql) -> int64_t {
    const auto finding = QueryAsPivotValues(Tokenize(sql));
    return finding.has_value() ? static_cast<int64_t>(finding->span->offset) : -1;
  };
  EXPECT_EQ(place("PIVOT t ON a IN (SELECT a FROM t) USING sum(b)"), 17);
  EXPECT_EQ(place("PIVOT t ON a, b IN (FROM u)"), 20);
  EXPECT_EQ(place("FROM t PIVOT (sum(b) FOR a IN (SELECT a FROM t))"), 31);
  EXPECT_EQ(place("PIVOT t ON a IN ('x') USING sum(b)"), -1);
  EXPECT_EQ(place("PIVOT (FROM t WHERE a IN (SELECT 1)) ON a"), -1);
  EXPECT_EQ(place("SELECT 1 WHERE 1 IN (SELECT 1)"), -1);
}

TEST(Pivot, ReadsValuesWithTheCtesInReach) {
  EXPECT_EQ(Values("PIVOT t ON a USING sum(b)"),
            "SELECT DISTINCT CAST(a AS VARCHAR) AS v FROM t\nWHERE (a) IS NOT NULL ORDER BY 1 "
            "LIMIT 1001");
  const std::string values =
      Values("WITH c AS (SELECT 1), p AS (PIVOT c ON a USING sum(b)), z AS (SELECT 2) FROM p");
  EXPECT_TRUE(values.starts_with("WITH c AS (SELECT 1)\nSELECT DISTINCT")) << values;
  EXPECT_EQ(values.find("z AS"), std::string::npos);
}

}  // namespace
}  // namespace ducat::guard
