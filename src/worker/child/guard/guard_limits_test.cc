// Each size limit of guard.md 6.8 at its value and one past it, and the guard's own invariants.

#include <string>

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"
#include "worker/child/guard/guard.h"
#include "worker/child/guard/judge.h"

namespace ducat::guard {
namespace {

std::string Repeated(std::string_view text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

class GuardLimits : public engine::EngineFixture {
 protected:
  void SetUp() override {
    EngineFixture::SetUp();
    ASSERT_TRUE(
        catalog_.Apply({.version = 1, .files = {"a.csv", "a.json"}}, connection()).has_value());
    guard_ = std::make_unique<Guard>(worker::Profile::kAnalyst, data_dir().string());
  }

  Verdict Judge(std::string_view sql, bool check_plan = false) {
    return guard_->Judge({.sql = sql, .check_plan = check_plan}, catalog_, connection());
  }
  std::string Code(std::string_view sql) { return Judge(sql).code; }

  worker::child::MountedCatalog catalog_;
  std::unique_ptr<Guard> guard_;
};

TEST_F(GuardLimits, Bytes) {
  EXPECT_EQ(Code("SELECT 1 --" + std::string(kSqlBytesMax - 11, 'x')), "ok");
  EXPECT_EQ(Code("SELECT 1 --" + std::string(kSqlBytesMax - 10, 'x')), "sql_too_large");
}

TEST_F(GuardLimits, Encoding) {
  EXPECT_EQ(Code("SELECT '\xFF'"), "invalid_encoding");
  EXPECT_EQ(Code(std::string_view("SELECT '\0'", 10)), "invalid_encoding");
  EXPECT_NE(Judge("SELECT '\xC3'").hint.find("offset 8"), std::string::npos);
}

TEST_F(GuardLimits, BracketDepth) {
  EXPECT_EQ(Code("SELECT " + Repeated("(", 200) + "1" + Repeated(")", 200)), "ok");
  EXPECT_EQ(Code("SELECT " + Repeated("(", 201) + "1" + Repeated(")", 201)), "query_too_complex");
  EXPECT_EQ(Code("SELECT " + Repeated("(", 3000) + "1" + Repeated(")", 3000)), "query_too_complex");
}

TEST_F(GuardLimits, RunsOfOperators) {
  // Each operator of a run, and each comment that opens in it, makes the parser read it again.
  const std::string most = "1 " + Repeated("+", 490) + " 1";
  EXPECT_EQ(Judge("SELECT " + most).message.find("operators"), std::string::npos);
  EXPECT_EQ(Code("SELECT 1" + Repeated(", '<=>' || 'b' <> 'c'", 500)), "ok");
  for (const std::string& run :
       {Repeated("+", 500), Repeated("+", 200'000), Repeated("/*", 200'000),
        "*" + Repeated("/*", 20'000), Repeated("/**/", 20'000), "/* " + Repeated("/*", 20'000)}) {
    const Verdict verdict = Judge("SELECT\n1 " + run);
    EXPECT_EQ(verdict.code, "query_too_complex") << run.substr(0, 10);
    EXPECT_NE(verdict.message.find("20,000,000"), std::string::npos) << verdict.message;
    ASSERT_TRUE(verdict.position.has_value());
    EXPECT_EQ(verdict.position->line, 2U);
  }
  EXPECT_EQ(Code("SELECT 1 /" + std::string(20'000, '*') + "/ + 1"), "ok");
  EXPECT_EQ(Code("SELECT 1 --" + std::string(20'000, '-') + "\n + 1"), "ok");
  EXPECT_EQ(Code("SELECT '" + std::string(20'000, '+') + "' AS a"), "ok");
}

TEST_F(GuardLimits, Parameters) {
  const auto code = [&](size_t count) { return Code("SELECT ?" + Repeated(",?", count - 1)); };
  EXPECT_EQ(code(10'000), "missing_parameter");
  EXPECT_EQ(code(10'001), "query_too_complex");
}

TEST_F(GuardLimits, EachHasAPlace) {
  for (const std::string& sql :
       {"SELECT 1" + Repeated(" + 1", 1'100), "SELECT " + Repeated("- ", 20'000) + "1",
        "SELECT " + Repeated("not ", 20'000) + "true", "SELECT $1" + Repeated(",$1", 100'001),
        "SELECT 1" + Repeated("::int", 1'500)}) {
    const Verdict verdict = Judge(sql);
    EXPECT_EQ(verdict.code, "query_too_complex") << sql.substr(0, 20);
    EXPECT_TRUE(verdict.position.has_value()) << verdict.message;
  }
}

TEST_F(GuardLimits, TextsOfRefusalsAreShort) {
  const std::string name(100'000, 'x');
  for (const std::string& sql :
       {"SELECT " + name, "SELECT $" + name, "FROM " + name, "SELECT '" + name, "SELECT \"" + name,
        "SELECT " + name + "(1)", "FROM read_csv('" + name + "')",
        "SELECT 1 FROM range(1) AS t(a) WHERE " + name + " = a"}) {
    const Verdict verdict = Judge(sql, true);
    EXPECT_FALSE(verdict.allowed);
    EXPECT_LT(verdict.message.size(), 1'100U) << verdict.code;
    EXPECT_LT(verdict.hint.size(), 4'100U) << verdict.code;
    EXPECT_LT(verdict.token.size(), 300U) << verdict.code;
  }
}

TEST_F(GuardLimits, ExpressionDepth) {
  EXPECT_EQ(Code("SELECT 1" + Repeated(" + 1", 300)), "ok");
  EXPECT_EQ(Code("SELECT 1" + Repeated(" + 1", 1100)), "query_too_complex");
}

TEST_F(GuardLimits, TableReferences) {
  EXPECT_EQ(Code("FROM range(1)" + Repeated(" UNION ALL FROM range(1)", 255)), "ok");
  EXPECT_EQ(Code("FROM range(1)" + Repeated(" UNION ALL FROM range(1)", 256)), "query_too_complex");
}

TEST_F(GuardLimits, Ctes) {
  const auto ctes = [](int count) {
    std::string sql = "WITH c0 AS (SELECT 1)";
    for (int i = 1; i < count; ++i)
      sql += ", c" + std::to_string(i) + " AS (SELECT 1)";
    return sql + " SELECT 1";
  };
  EXPECT_EQ(Code(ctes(256)), "ok");
  EXPECT_EQ(Code(ctes(257)), "query_too_complex");
}

TEST_F(GuardLimits, Lambdas) {
  const auto lambdas = [](int depth) {
    std::string sql = "1";
    for (int i = 0; i < depth; ++i) {
      sql = "list_transform([1], lambda x" + std::to_string(i) + " : " + sql + ")";
    }
    return "SELECT " + sql;
  };
  EXPECT_EQ(Code(lambdas(8)), "ok");
  EXPECT_EQ(Code(lambdas(9)), "query_too_complex");
}

TEST_F(GuardLimits, ListItems) {
  EXPECT_EQ(Code("SELECT 1 WHERE 1 IN (1" + Repeated(",1", 49'999) + ")"), "ok");
  EXPECT_EQ(Code("SELECT 1 WHERE 1 IN (1" + Repeated(",1", 50'000) + ")"), "query_too_complex");
  EXPECT_EQ(Code("VALUES (1)" + Repeated(",(1)", 49'999)), "ok");
  EXPECT_EQ(Code("VALUES (1)" + Repeated(",(1)", 50'000)), "query_too_complex");
}

TEST_F(GuardLimits, TreeObjects) {
  // The query, its FROM and each item are objects.
  EXPECT_EQ(Code("SELECT 1" + Repeated(",1", 99'990)), "ok");
  EXPECT_EQ(Code("SELECT 1" + Repeated(",1", 100'001)), "query_too_complex");
}

TEST_F(GuardLimits, ReaderOptions) {
  EXPECT_EQ(Code("FROM read_csv('a.csv', max_line_size = 16777216)"), "ok");
  EXPECT_EQ(Code("FROM read_csv('a.csv', max_line_size = 16777217)"), "reader_option_denied");
  EXPECT_EQ(Code("FROM read_json('a.json', maximum_object_size = 67108864)"), "ok");
  EXPECT_EQ(Code("FROM read_json('a.json', maximum_object_size = 67108865)"),
            "reader_option_denied");
  EXPECT_EQ(Code("FROM read_json('a.json', maximum_depth = 64)"), "ok");
  EXPECT_EQ(Code("FROM read_json('a.json', maximum_depth = 65)"), "reader_option_denied");
  const Verdict verdict = Judge("FROM read_json('a.json')");
  EXPECT_NE(verdict.final_sql.find("maximum_depth = 64"), std::string::npos);
}

TEST_F(GuardLimits, MessagesNameLimitAndValue) {
  const Verdict verdict = Judge("FROM range(1)" + Repeated(" UNION ALL FROM range(1)", 256));
  EXPECT_NE(verdict.message.find("257"), std::string::npos) << verdict.message;
  EXPECT_NE(verdict.message.find("256"), std::string::npos) << verdict.message;
  EXPECT_EQ(verdict.rule, "size");
}

TEST_F(GuardLimits, SetOperationsOfAnyNumberDoNotCrash) {
  const std::string code = Code("SELECT 1" + Repeated(" UNION ALL SELECT 1", 20'000));
  EXPECT_TRUE(code == "ok" || code == "query_too_complex") << code;
}

TEST_F(GuardLimits, SameTextSameVerdictAndCached) {
  const Verdict first = Judge("SELECT 1 AS x", true);
  const Verdict second = Judge("SELECT 1 AS x", true);
  EXPECT_FALSE(first.cached);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(first.final_sql, second.final_sql);
  EXPECT_EQ(first.final_sql, "SELECT * FROM (\nSELECT 1 AS x\n) AS _q LIMIT 501");
}

TEST_F(GuardLimits, RowLimitIsBoundAndNeverOverflows) {
  const Verdict verdict =
      guard_->Judge({.sql = "SELECT 1", .row_limit = UINT64_MAX}, catalog_, connection());
  EXPECT_TRUE(verdict.allowed) << verdict.message;
  EXPECT_TRUE(verdict.final_sql.ends_with("LIMIT 9223372036854775807"));
}

TEST_F(GuardLimits, ErrorsCarryPositionTokenRuleAndSuggestion) {
  const Error error = ToError(Judge("SELECT 1; SELECT 2"));
  EXPECT_EQ(error.reason, "multiple_statements");
  EXPECT_EQ(error.data,
            R"("position":{"offset":10,"length":6,"line":1,"column":11},"token":"SELECT",)"
            R"("rule":"statement_kind","suggestion":"SELECT 1")");
}

TEST_F(GuardLimits, RunTimeErrorsSpeakOfTheCallersText) {
  const std::string_view sql = "SELECT CAST(x AS INTEGER) FROM (VALUES ('abc')) t(x)";
  const Verdict verdict = Judge(sql);
  ASSERT_TRUE(verdict.allowed);
  auto rows = connection().Run(verdict.final_sql);
  const auto table = rows.has_value() ? rows->AllText() : tl::unexpected(rows.error());
  ASSERT_FALSE(table.has_value());
  const Error error = ToError(table.error(), verdict, sql);
  EXPECT_EQ(error.reason, "sql_execution_error");
  EXPECT_NE(error.hint.find("TRY_CAST"), std::string::npos);
  EXPECT_EQ(error.message.find("_q"), std::string::npos);
}

TEST_F(GuardLimits, ATextInTheStatementIsNotCastAgain) {
  const std::string_view sql = "SELECT 1 FROM range(3) t(x) WHERE x = 'abc'";
  const Verdict verdict = Judge(sql);
  auto rows = connection().Run(verdict.final_sql);
  const auto table = rows.has_value() ? rows->AllText() : tl::unexpected(rows.error());
  ASSERT_FALSE(table.has_value());
  const Error error = ToError(table.error(), verdict, sql);
  EXPECT_NE(error.hint.find("CAST(column AS VARCHAR) = 'abc'"), std::string::npos) << error.hint;
  EXPECT_EQ(error.hint.find("TRY_CAST"), std::string::npos) << error.hint;
  EXPECT_NE(error.data.find("\"offset\":38"), std::string::npos) << error.data;
}

}  // namespace
}  // namespace ducat::guard
