#include "worker/child/guard/engine_errors.h"

#include <fstream>

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"

namespace ducat::guard {
namespace {

TEST(EngineErrors, ResourcesHaveTheirCodes) {
  EXPECT_EQ(EngineFinding({.type = "Interrupt", .message = "Interrupted!"}).code, "query_timeout");
  EXPECT_EQ(EngineFinding({.type = "Out of Memory", .message = "failed to allocate"}).code,
            "memory_limit");
  EXPECT_EQ(EngineFinding({.type = "Out of Memory",
                           .message = "failed to offload: max_temp_directory_size exceeded"})
                .code,
            "temp_limit");
  EXPECT_EQ(EngineFinding({.type = "INTERNAL", .message = "/src/x.cpp:1 assertion"}).code,
            "worker_crashed");
}

TEST(EngineErrors, InternalsDoNotGoOut) {
  const Finding finding = EngineFinding({.type = "INTERNAL", .message = "/src/x.cpp:1 assertion"});
  EXPECT_EQ(finding.message.find("/src"), std::string::npos);
  const Finding file =
      EngineFinding({.type = "Invalid Input",
                     .message = "Error in file \"/home/me/data/a.csv\" on line 3\nstack"});
  EXPECT_EQ(file.message.find("/home"), std::string::npos) << file.message;
  EXPECT_NE(file.message.find("a.csv"), std::string::npos);
  EXPECT_EQ(file.message.find("stack"), std::string::npos);
}

TEST(EngineErrors, WordsLoseFoldersHoweverTheyAreQuoted) {
  EXPECT_EQ(EngineWords("Failed to read file \"/srv/my data/a.parquet\": codec \"LZ4\""),
            "Failed to read file \"a.parquet\": codec \"LZ4\"");
  EXPECT_EQ(EngineWords("in '/srv/b.csv', /srv/x/c.csv, at 1"), "in 'b.csv', c.csv, at 1");
  EXPECT_EQ(EngineWords("1 / 2 is a/b"), "1 / 2 is a/b");
  EXPECT_EQ(EngineWords("\"/a.csv\"\nstack"), "\"a.csv\"");
  EXPECT_EQ(EngineWords("open \"/srv/cut"), "open \"/srv/cut") << "see the note in the source";
}

class EngineErrorsLive : public engine::EngineFixture {
 protected:
  Finding Of(std::string_view sql) {
    auto rows = connection().Run(sql);
    if (!rows.has_value()) return EngineFinding(rows.error());
    const auto table = rows->AllText();
    return table.has_value() ? Finding{.code = "ok"} : EngineFinding(table.error());
  }
};

TEST_F(EngineErrorsLive, ExecutionErrorsSayWhatHelps) {
  EXPECT_NE(Of("SELECT CAST('abc' AS INTEGER)").hint.find("TRY_CAST"), std::string::npos);
  EXPECT_EQ(Of("SELECT CAST('abc' AS INTEGER)").code, "sql_execution_error");
  EXPECT_NE(Of("SELECT 9223372036854775807 + 1").hint.find("wider"), std::string::npos);
  EXPECT_EQ(Of("SELECT sqrt(-1)").code, "sql_execution_error");
  EXPECT_EQ(Of("SELECT strptime('x', '%Y')").code, "sql_execution_error");
}

TEST_F(EngineErrorsLive, TryCastIsNamedWhereItHelps) {
  struct Case {
    const char *sql, *hint;
  };
  for (const Case& test : std::initializer_list<Case>{
           {"SELECT (SELECT i FROM range(3) t(i))", "one row"},
           {"SELECT regexp_matches(x, '(') FROM (SELECT 'a' AS x)", "regular expression"},
           {"SELECT strptime(x, '%Y') FROM (SELECT 'a' AS x)", "try_strptime"},
           {"SELECT strftime(x, '%Q') FROM (SELECT now() AS x)", "%Y, %m"},
           {"SELECT date_trunc('foo', now())", "quarter"},
           {"SELECT format('{} {}', 1)", "format()"},
           {"SELECT sqrt(x) FROM (SELECT -1 AS x)", "TRY(expression)"},
           {"SELECT error('x')", "TRY(expression)"}}) {
    const std::string hint = Of(test.sql).hint;
    EXPECT_NE(hint.find(test.hint), std::string::npos) << test.sql << ": " << hint;
    EXPECT_EQ(hint.find("TRY_CAST"), std::string::npos) << test.sql << ": " << hint;
    EXPECT_EQ(hint.find("wider"), std::string::npos) << test.sql << ": " << hint;
  }
}

TEST_F(EngineErrorsLive, FilesOfDifferentColumnsSayHowToReadThem) {
  std::ofstream(data_dir() / "a.csv") << "x,y\n1,2\n";
  std::ofstream(data_dir() / "b.csv") << "p,q\n1,2\n";
  const std::string hint = Of("SELECT * FROM read_csv('*.csv')").hint;
  EXPECT_NE(hint.find("union_by_name = true"), std::string::npos) << hint;
  EXPECT_EQ(Of("SELECT * FROM read_csv('*.csv', union_by_name = true)").code, "ok");
}

TEST(EngineErrors, APlaceIsNamedWhereThereIsOne) {
  EXPECT_EQ(ParserFinding({.type = "Parser", .message = "A CTE needs a SELECT"}, "x").hint,
            "Correct the statement.");
  EXPECT_EQ(ParserFinding({.type = "Parser", .message = "at or near", .position = 0}, "x").hint,
            "Correct the statement at the place shown.");
}

TEST_F(EngineErrorsLive, HintsHoldNamesAsTheyAreWritten) {
  const std::string from = R"( FROM (SELECT 1 AS "US Gross", 'a' AS "plan", 2 AS "Source") t)";
  EXPECT_EQ(Of("SELECT us_gross" + from).hint, "Did you mean \"US Gross\"?");
  EXPECT_EQ(Of("SELECT sourec" + from).hint, "Did you mean Source?");
  const std::string far = Of("SELECT * " + from + " WHERE plan = \"digital\"").hint;
  EXPECT_EQ(far.find("Did you mean"), std::string::npos) << far;
  EXPECT_NE(far.find("single quotes"), std::string::npos) << far;
}

TEST_F(EngineErrorsLive, JsonBesideTextSaysHowToReadIt) {
  const Finding finding = Of("SELECT * FROM (SELECT '1'::JSON AS j) t WHERE j = 'Slam'");
  EXPECT_EQ(finding.code, "sql_execution_error");
  EXPECT_NE(finding.hint.find("->>'$'"), std::string::npos) << finding.hint;
  EXPECT_EQ(Of("SELECT j->>'$' FROM (SELECT '\"Slam\"'::JSON AS j) t WHERE j->>'$' = 'Slam'").code,
            "ok");
}

TEST_F(EngineErrorsLive, BinderErrorsNameTheColumn) {
  const Finding finding = Of("SELECT amuont FROM (SELECT 1 AS amount) t");
  EXPECT_EQ(finding.code, "unknown_column");
  EXPECT_EQ(finding.token, "amuont");
  EXPECT_NE(finding.hint.find("amount"), std::string::npos) << finding.hint;
  ASSERT_TRUE(finding.span.has_value());
  EXPECT_EQ(finding.span->offset, 7U);
  // The engine has a sentence of its own for each clause.
  for (const std::string_view sql :
       {"SELECT t.nope FROM (SELECT 1 AS nape) t", "SELECT * FROM (SELECT 1 AS a) QUALIFY nope = 1",
        "SELECT * EXCLUDE (nope) FROM (SELECT 1 AS a)",
        "SELECT * REPLACE (1 AS nope) FROM (SELECT 1 AS a)",
        "SELECT * FROM (SELECT 1 AS a) JOIN (SELECT 1 AS a) USING (nope)",
        "UNPIVOT (SELECT 1 AS a) ON nope", "SELECT x.nope FROM (SELECT {'a': 1} AS x)"}) {
    EXPECT_EQ(Of(sql).code, "unknown_column") << sql;
    EXPECT_EQ(Of(sql).token, "nope") << sql;
  }
  const engine::EngineError of_table{.type = "Binder",
                                     .message =
                                         "Table \"o\" does not have a column named \"amuont\"\n\n"
                                         "Candidate bindings: : \"amount_eur\""};
  EXPECT_EQ(EngineFinding(of_table).hint, "Did you mean amount_eur?");
  EXPECT_EQ(Of("SELECT nope.a FROM (SELECT 1 AS a) t").message,
            "No table in FROM is called \"nope\".");
  EXPECT_EQ(Of("SELECT x FROM (SELECT 1 x) a, (SELECT 2 x) b").code, "ambiguous_column");
  EXPECT_EQ(Of("SELECT upper(1, 2)").code, "type_mismatch");
}

}  // namespace
}  // namespace ducat::guard
