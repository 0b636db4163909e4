#include "packs/analyst/jobs/explain_query.h"

#include <gtest/gtest.h>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

class ExplainQueryTest : public JobsFixture {
 protected:
  void SetUp() override {
    JobsFixture::SetUp();
    MountSelect("orders", "SELECT range AS id FROM range(1000)");
  }
  Result<ExplainQueryOut> Explain(const std::string& sql, bool analyze = false) {
    return Run<ExplainQueryOut>("explain_query", ExplainQueryIn{.sql = sql, .analyze = analyze});
  }
};

TEST_F(ExplainQueryTest, GivesThePlanWithoutRunning) {
  const auto out = Explain("SELECT count(*) FROM orders WHERE id > 5");
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->sql, "SELECT count(*) FROM orders WHERE id > 5");
  EXPECT_THAT(out->tables, ElementsAre("orders"));
  EXPECT_FALSE(out->analyzed);
  EXPECT_THAT(out->plan, HasSubstr("AGGREGATE"));
  EXPECT_THAT(out->plan, Not(HasSubstr("LIMIT")));
  EXPECT_THAT(out->plan, Not(HasSubstr("Total Time")));
  EXPECT_THAT(out->plan, Not(HasSubstr(data_dir().string())));
  // It would fail when run.
  EXPECT_THAT(Explain("SELECT error('x') FROM orders"), IsOk());
}

TEST_F(ExplainQueryTest, AnalyzeRuns) {
  const auto out = Explain("SELECT count(*) FROM orders", true);
  ASSERT_THAT(out, IsOk());
  EXPECT_TRUE(out->analyzed);
  EXPECT_THAT(out->plan, HasSubstr("Total Time"));
  EXPECT_THAT(Explain("SELECT error('x') FROM orders", true), FailsWith("sql_execution_error"));
}

TEST_F(ExplainQueryTest, ALeadingExplainIsIgnored) {
  for (const char* sql : {"EXPLAIN SELECT id FROM orders", "explain analyze\nSELECT id FROM orders",
                          "/* c */ EXPLAIN (ANALYZE, FORMAT json) SELECT id FROM orders",
                          "EXPLAIN (SELECT id FROM orders)"}) {
    const auto out = Explain(sql);
    ASSERT_THAT(out, IsOk()) << sql;
    EXPECT_FALSE(out->analyzed);
    EXPECT_THAT(out->plan, Not(HasSubstr("Total Time"))) << sql;
    EXPECT_THAT(out->sql, Not(HasSubstr("XPLAIN"))) << sql;
  }
}

TEST_F(ExplainQueryTest, RefusalsKeepTheCallersPlaces) {
  const auto refused = Explain("EXPLAIN SELECT nope\nFROM orders");
  EXPECT_THAT(refused, FailsWith("unknown_column"));
  EXPECT_THAT(refused.error().data, HasSubstr("\"offset\":15"));
  EXPECT_THAT(Explain("EXPLAIN DELETE FROM orders"), FailsWith("denied_keyword"));
  EXPECT_THAT(Explain(""), FailsWith("empty_sql"));
  EXPECT_THAT(Explain("EXPLAIN EXPLAIN SELECT 1"), FailsWith("syntax_error"));
}

TEST(WithoutExplainTest, BlanksKeepPlaces) {
  EXPECT_EQ(WithoutExplain("EXPLAIN SELECT 1"), "        SELECT 1");
  EXPECT_EQ(WithoutExplain("explain\nanalyze SELECT 1"), "       \n        SELECT 1");
  EXPECT_EQ(WithoutExplain("EXPLAIN (FORMAT json) SELECT 1"), "                      SELECT 1");
  EXPECT_EQ(WithoutExplain("EXPLAIN (SELECT 1)"), "        (SELECT 1)");
  EXPECT_EQ(WithoutExplain("EXPLAIN"), "       ");
  EXPECT_EQ(WithoutExplain("SELECT explain"), "SELECT explain");
}

}  // namespace
}  // namespace ducat::analyst
