#include "worker/child/guard/statement_words.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

std::string Denied(std::string_view sql) {
  const TokenList tokens = Tokenize(sql);
  const auto token = DeniedWord(tokens, 0);
  return token.has_value() ? std::string(tokens.Text(*token)) : "";
}

ExplainPrefix Peeled(std::string_view sql) {
  const TokenList tokens = Tokenize(sql);
  return PeelExplain(tokens, FirstStatement(tokens));
}

TEST(StatementWords, FindsTheFirstStatement) {
  const TokenList tokens = Tokenize("; ; SELECT 1 ; ; SELECT 2");
  const StatementTokens statement = FirstStatement(tokens);
  EXPECT_EQ(statement.first, 2U);
  EXPECT_EQ(statement.last, 4U);
  EXPECT_EQ(statement.next, 6U);
  EXPECT_TRUE(FirstStatement(Tokenize(" ; -- x")).empty());
  EXPECT_EQ(FirstStatement(Tokenize("SELECT 1;;")).next, std::nullopt);
}

TEST(StatementWords, LooksWhereStatementsBegin) {
  EXPECT_EQ(Denied("drop TABLE x"), "drop");
  EXPECT_EQ(Denied("((DELETE FROM x))"), "DELETE");
  EXPECT_EQ(Denied("WITH a AS (SELECT 1), b(c) AS MATERIALIZED (UPDATE x SET y = 1) SELECT 1"),
            "UPDATE");
  EXPECT_EQ(Denied("WITH RECURSIVE a USING KEY (k) AS (SELECT 1) INSERT INTO x FROM a"), "INSERT");
  EXPECT_EQ(Denied("WITH a AS (WITH b AS (COPY x TO 'y') FROM b) FROM a"), "COPY");
}

TEST(StatementWords, LeavesNamesAlone) {
  EXPECT_EQ(Denied("SELECT load, (set), copy(x) FROM trade"), "");
  EXPECT_EQ(Denied("WITH update AS (SELECT delete FROM drop) FROM update"), "");
  EXPECT_EQ(Denied("\"drop\" TABLE x"), "");
  EXPECT_EQ(Denied("WITH a AS"), "");
  EXPECT_EQ(Denied(""), "");
}

TEST(StatementWords, PeelsExplain) {
  EXPECT_FALSE(Peeled("SELECT 1").present);
  EXPECT_EQ(Peeled("EXPLAIN SELECT 1").statement, 1U);
  EXPECT_TRUE(Peeled("explain analyze SELECT 1").analyze);
  EXPECT_EQ(Peeled("EXPLAIN (ANALYZE, FORMAT json) SELECT 1").format, "json");
  EXPECT_EQ(Peeled("EXPLAIN (ANALYZE, FORMAT json) SELECT 1").statement, 7U);
  EXPECT_EQ(Peeled("EXPLAIN (SELECT 1)").statement, 1U);  // a query in brackets
  EXPECT_TRUE(Peeled("EXPLAIN (FORMAT xml) SELECT 1").fault.has_value());
  EXPECT_TRUE(Peeled("EXPLAIN (ANALYZE, VERBOSE) SELECT 1").fault.has_value());
}

TEST(StatementWords, MeasuresBrackets) {
  EXPECT_EQ(DeepestBracket(Tokenize("(a[{b}])(c)")).depth, 3U);
  EXPECT_EQ(DeepestBracket(Tokenize(")))")).depth, 0U);
}

TEST(StatementWords, CountsWhatCaseCopies) {
  EXPECT_EQ(ExpandedTokens(Tokenize("SELECT CASE WHEN a THEN b END")), 7);
  EXPECT_EQ(ExpandedTokens(Tokenize("CASE x WHEN 1 THEN 2 WHEN 3 THEN 4 END")), 12);
  std::string nested = "x";
  for (int i = 0; i < 40; ++i)
    nested = "CASE " + nested + " WHEN 1 THEN 1 WHEN 2 THEN 2 END";
  EXPECT_GT(ExpandedTokens(Tokenize(nested)), 1e12);
  EXPECT_EQ(ExpandedTokens(Tokenize("CASE CASE x WHEN 1")), 5);
  EXPECT_EQ(ExpandedTokens(Tokenize("END WHEN \"case\"")), 3);
}

}  // namespace
}  // namespace ducat::guard
