// What would take the engine long to plan is refused, at its limit and one past it; what takes no
// time is not. Measured curves: ADR 0018.

#include "worker/child/guard/planning_cost.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"
#include "worker/child/guard/functions.h"
#include "worker/child/guard/guard.h"
#include "worker/child/guard/lexer.h"

namespace ducat::guard {
namespace {

std::string Joined(size_t count, std::string_view separator,
                   const std::function<std::string(size_t)>& part) {
  std::string all;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) all += separator;
    all += part(i);
  }
  return all;
}

std::string Nested(size_t depth, std::string_view before, std::string_view core,
                   std::string_view after) {
  std::string text(core);
  for (size_t i = 0; i < depth; ++i) {
    text = std::string(before) + text + std::string(after);
  }
  return text;
}

class PlanningCostTest : public engine::EngineFixture {
 protected:
  void SetUp() override {
    EngineFixture::SetUp();
    guard_ = std::make_unique<Guard>(worker::Profile::kAnalyst, data_dir().string());
  }
  Verdict Judge(std::string_view sql) {
    return guard_->Judge({.sql = sql, .check_plan = false}, catalog_, connection());
  }
  // The largest n up to `max` for which the statement is allowed; every smaller one is, too.
  size_t Largest(size_t max, const std::function<std::string(size_t)>& sql) {
    size_t low = 0, high = max + 1;
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      (Judge(sql(middle)).allowed ? low : high) = middle;
    }
    return low;
  }

  worker::child::MountedCatalog catalog_;
  std::unique_ptr<Guard> guard_;
};

std::string Chain(std::string_view term, std::string_view separator, size_t count) {
  return "SELECT " + Joined(count, separator, [&](size_t) { return std::string(term); }) +
         " FROM (SELECT 1 AS a, 'x' AS s, true AS b) t";
}

TEST_F(PlanningCostTest, ChainsOfOperatorsEndBeforeTheyTakeLong) {
  // 420 operands take half a second of the engine's time, 900 take six.
  const auto columns = Largest(900, [](size_t n) { return Chain("a", " + ", n); });
  EXPECT_GE(columns, 400U);
  EXPECT_LE(columns, 430U);
  EXPECT_EQ(columns, Largest(900, [](size_t n) { return Chain("a", " * ", n); }));
  EXPECT_EQ(columns, Largest(900, [](size_t n) { return Chain("s", " || ", n); }));
  const auto constants = Largest(900, [](size_t n) { return Chain("1", " + ", n); });
  EXPECT_GE(constants, 301U);  // 300 additions pass
  EXPECT_LE(constants, 330U);
  EXPECT_LE(Largest(900, [](size_t n) { return Chain("'x'", " || ", n); }), 240U);
  EXPECT_LE(Largest(900,
                    [](size_t n) {
                      return "SELECT " + Nested(n, "NOT ", "b", "") + " FROM (SELECT true AS b)";
                    }),
            620U);
}

TEST_F(PlanningCostTest, RefusalsSayWhatToDo) {
  const Verdict verdict = Judge(Chain("a", " + ", 500));
  EXPECT_EQ(verdict.code, "query_too_complex");
  EXPECT_EQ(verdict.rule, "size");
  EXPECT_NE(verdict.message.find("steps of planning; at most 25,000,000"), std::string::npos)
      << verdict.message;
  EXPECT_NE(verdict.hint.find("list_sum"), std::string::npos);
  EXPECT_TRUE(verdict.position.has_value());
  // What the hint names passes.
  EXPECT_TRUE(
      Judge("SELECT list_sum([" + Joined(5'000, ",", [](size_t) { return "1"; }) + "])").allowed);
  EXPECT_TRUE(
      Judge("SELECT concat(" + Joined(5'000, ",", [](size_t) { return "'x'"; }) + ")").allowed);
}

TEST_F(PlanningCostTest, FlatListsOfThousandsPass) {
  const auto number = [](size_t i) { return std::to_string(i); };
  EXPECT_TRUE(Judge("SELECT 1 WHERE 7 IN (" + Joined(49'999, ",", number) + ")").allowed);
  EXPECT_TRUE(Judge("FROM (VALUES " +
                    Joined(20'000, ",", [&](size_t i) { return "(" + number(i) + ",'x')"; }) + ")")
                  .allowed);
  const auto equal = [&](size_t i) { return "a = " + number(i); };
  for (const std::string_view word : {" OR ", " AND "}) {
    EXPECT_TRUE(Judge("SELECT 1 FROM range(3) t(a) WHERE " + Joined(5'000, word, equal)).allowed);
  }
  EXPECT_TRUE(
      Judge("SELECT CASE " +
            Joined(5'000, " ", [&](size_t i) { return "WHEN a = " + number(i) + " THEN 1"; }) +
            " END FROM range(3) t(a)")
          .allowed);
  EXPECT_TRUE(Judge(Joined(250, " UNION ALL ", [](size_t) { return "FROM range(1)"; })).allowed);
}

struct Doubling {
  const char *name, *before, *core, *after;
  size_t least, most;
};
class DoublingTest : public PlanningCostTest, public ::testing::WithParamInterface<Doubling> {};

// The engine copies what these are given, at each level.
TEST_P(DoublingTest, EndsEarly) {
  const Doubling& test = GetParam();
  const size_t depth = Largest(60, [&test](size_t n) {
    return "SELECT " + Nested(n, test.before, test.core, test.after) +
           " FROM (SELECT 1 AS a, '{}'::JSON AS j) t";
  });
  EXPECT_GE(depth, test.least) << test.name;
  EXPECT_LE(depth, test.most) << test.name;
}

INSTANTIATE_TEST_SUITE_P(
    All, DoublingTest,
    ::testing::Values(Doubling{"nullif", "nullif(", "a", ", 1)", 8, 12},
                      Doubling{"fmod", "fmod(", "a", ", 7)", 8, 12},
                      Doubling{"round_even", "round_even(", "a", ", 1)", 5, 8},
                      Doubling{"split_part", "split_part(", "a", ", '-', 1)", 7, 12},
                      Doubling{"between", "((", "a", ")::INT BETWEEN 0 AND 1)", 5, 8},
                      Doubling{"case", "CASE ", "a", " WHEN 1 THEN 1 WHEN 2 THEN 2 END", 6, 11},
                      Doubling{"arrow", "", "j", " -> 'a'", 17, 19},
                      Doubling{"upper", "upper(", "a", ")", 60, 60}));

TEST_F(PlanningCostTest, SubqueriesInSubqueries) {
  const auto sql = [](size_t depth) {
    return "SELECT " + Nested(depth, "(SELECT max(r) + ", "1", " FROM range(3) t(r))");
  };
  EXPECT_EQ(Judge(sql(kSubqueryDepthMax)).code, "ok");
  EXPECT_EQ(Judge(sql(kSubqueryDepthMax + 1)).code, "query_too_complex");
  // In FROM they cost nothing.
  EXPECT_EQ(Judge(Nested(100, "SELECT * FROM (", "SELECT 1", ")")).code, "ok");
}

TEST_F(PlanningCostTest, JoinedTables) {
  const auto cross = [](size_t tables) {
    return "SELECT 1 FROM " +
           Joined(tables, ", ", [](size_t i) { return "range(1) t" + std::to_string(i); });
  };
  const auto left = [](size_t tables, std::string_view where) {
    return "SELECT 1 FROM " +
           Joined(tables, " LEFT JOIN ",
                  [](size_t i) {
                    const std::string n = std::to_string(i);
                    return "range(1) t" + n + (i == 0 ? "" : " ON t" + n + ".range = t0.range");
                  }) +
           std::string(where);
  };
  EXPECT_EQ(Judge(cross(kJoinedTablesMax)).code, "ok");
  EXPECT_EQ(Judge(cross(kJoinedTablesMax + 1)).code, "query_too_complex");
  EXPECT_EQ(Judge(left(200, "")).code, "ok");
  EXPECT_EQ(Judge(left(kJoinedTablesMax, " WHERE t1.range = 1")).code, "ok");
  EXPECT_EQ(Judge(left(kJoinedTablesMax + 1, " WHERE t1.range = 1")).code, "query_too_complex");
  // Each SELECT has its own.
  EXPECT_EQ(Judge("SELECT 1 FROM (" + cross(40) + ") x, (" + cross(40) + ") y").code, "ok");
}

TEST_F(PlanningCostTest, ScalarSubqueries) {
  const auto sql = [](size_t count) {
    return "SELECT 1 WHERE " +
           Joined(count, " AND ", [](size_t) { return "1 < (SELECT max(r) FROM range(3) t(r))"; });
  };
  EXPECT_EQ(Judge(sql(kScalarSubqueriesMax)).code, "ok");
  EXPECT_EQ(Judge(sql(kScalarSubqueriesMax + 1)).code, "query_too_complex");
}

// The engine's macros: how often each names a parameter, or gives it to one that does.
TEST_F(PlanningCostTest, MacrosCopyAsOftenAsIsKnown) {
  auto rows = connection().Run(
      "SELECT function_name, unnest(parameters), macro_definition FROM duckdb_functions() "
      "WHERE function_type = 'macro' AND internal");
  ASSERT_TRUE(rows.has_value());
  const auto table = rows->AllText();
  ASSERT_TRUE(table.has_value());
  ASSERT_GT(table->size(), 80U);
  for (const auto& row : *table) {
    const std::string& name = row[0].value();
    if (JudgeFunction(name, FunctionPlace::kExpression, worker::Profile::kAnalyst).answer !=
        FunctionAnswer::kAllowed) {
      continue;
    }
    const TokenList tokens = Tokenize(row[2].value());
    double uses = 0, copies = 1;
    for (size_t i = 0; i < tokens.tokens.size(); ++i) {
      const std::string word = DecodeToken(tokens.Text(i)).value_or(std::string(tokens.Text(i)));
      const bool is_call = tokens.IsSymbol(i + 1, '(');
      if (is_call) copies = std::max(copies, MacroCopies(word));
      const bool is_label = tokens.IsSymbol(i + 1, ':');
      uses += !is_call && !is_label && word == row[1].value() ? 1 : 0;
    }
    EXPECT_GE(MacroCopies(name), std::max(uses, copies))
        << name << "(" << row[1].value() << "): " << row[2].value();
  }
}

}  // namespace
}  // namespace ducat::guard
