#include "worker/child/rows/result_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/view.h"
#include "json/writer.h"
#include "worker/child/engine/engine_fixture.h"
#include "worker/child/rows/string_output.h"

namespace ducat::rows {
namespace {

using ::testing::ElementsAre;
using worker::child::StringOutput;

class ResultWriterTest : public engine::EngineFixture {
 protected:
  ResultSummary Write(const std::string& sql, const ResultLimits& limits = {}) {
    output = StringOutput();
    auto rows = connection().RunReadable(sql);
    EXPECT_TRUE(rows.has_value()) << rows.error().message;
    std::vector<std::string> names;
    for (const auto& column : rows->columns()) {
      names.push_back(column.name);
    }
    auto summary = WriteResult(*rows, UniqueNames(names), limits, kAnalystStyle, output);
    EXPECT_TRUE(summary.has_value()) << summary.error().engine.message;
    json::Document document;
    EXPECT_TRUE(document.Parse("[" + output.rows + "]").has_value()) << output.rows;
    EXPECT_TRUE(document.Parse("\"" + output.text + "\"").has_value()) << output.text;
    return *std::move(summary);
  }
  std::string Text() { return json::Unescape(output.text); }

  StringOutput output;
};

TEST_F(ResultWriterTest, RowsAndTheirTable) {
  const ResultSummary summary = Write("SELECT 1 AS a, 'x' AS b UNION ALL SELECT NULL, NULL");
  EXPECT_EQ(output.rows, R"([1,"x"],[null,null])");
  EXPECT_EQ(Text(), "|a|b|\n|---|---|\n|1|x|\n|||\n");
  EXPECT_EQ(summary.row_count, 2U);
  EXPECT_FALSE(summary.truncated);
  EXPECT_EQ(summary.bytes, output.rows.size());
  EXPECT_THAT(summary.forms, ElementsAre("number", "string"));
}

// Whoever is shown only the text pays no more for it than for the rows as JSON (F-13).
TEST_F(ResultWriterTest, TextOfNarrowRowsIsNoLongerThanTheRows) {
  for (const char* sql :
       {"SELECT i FROM range(500) t(i)", "SELECT i % 10 AS a FROM range(500) t(i)",
        "SELECT i % 10 AS a, i % 7 AS b FROM range(500) t(i)",
        "SELECT i > 5 AS a FROM range(500) t(i)", "SELECT NULL AS a FROM range(500)",
        "SELECT 'x' AS a FROM range(500)", "SELECT [i] AS a FROM range(500) t(i)",
        "SELECT DATE '2024-01-01' + i::INT AS a FROM range(500) t(i)"}) {
    Write(sql);
    EXPECT_LE(Text().size(), output.rows.size() * 105 / 100) << sql;
  }
}

TEST_F(ResultWriterTest, NoRowsIsAnEmptyTable) {
  const ResultSummary summary = Write("SELECT 1 AS a WHERE false");
  EXPECT_EQ(output.rows, "");
  EXPECT_EQ(Text(), "|a|\n|---|\n");
  EXPECT_EQ(summary.row_count, 0U);
  EXPECT_THAT(summary.forms, ElementsAre("number"));
}

TEST_F(ResultWriterTest, TruncatedIsExact) {
  EXPECT_FALSE(Write("SELECT i FROM range(500) t(i)").truncated);
  const ResultSummary more = Write("SELECT i FROM range(501) t(i)");
  EXPECT_TRUE(more.truncated);
  EXPECT_FALSE(more.bytes_max_reached);
  EXPECT_EQ(more.row_count, 500U);
  EXPECT_TRUE(Write("SELECT i FROM range(2) t(i)", {.rows_max = 1}).truncated);
}

TEST_F(ResultWriterTest, BytesEndThePageAtARow) {
  // Rows of 5 bytes and a comma; the text's head and rows are longer, so they decide.
  const ResultSummary exact = Write("SELECT 'x' AS a FROM range(3)", {.bytes_max = 27});
  EXPECT_FALSE(exact.truncated);
  EXPECT_EQ(output.text.size(), 27U) << output.text;
  const ResultSummary cut = Write("SELECT 'x' AS a FROM range(3)", {.bytes_max = 26});
  EXPECT_TRUE(cut.truncated);
  EXPECT_TRUE(cut.bytes_max_reached);
  EXPECT_EQ(cut.row_count, 2U);
  EXPECT_EQ(output.rows, R"(["x"],["x"])");
}

TEST_F(ResultWriterTest, ARowThatWasTakenBackLeavesNoTrace) {
  const ResultSummary summary = Write(
      "SELECT 1::BIGINT AS a, '' AS b UNION ALL "
      "SELECT 9007199254740993, repeat('x', 100)",
      {.bytes_max = 100, .cell_characters_max = 50});
  EXPECT_EQ(summary.row_count, 1U);
  EXPECT_EQ(summary.clipped_cells, 0U);
  EXPECT_THAT(summary.forms, ElementsAre("number", "string"));
}

TEST_F(ResultWriterTest, LongCellsEndWithAMarker) {
  const ResultSummary summary =
      Write("SELECT repeat('x', 5000), repeat('é', 1000), repeat('é', 1001)");
  EXPECT_EQ(summary.clipped_cells, 2U);
  std::string e1000;
  for (int i = 0; i < 1000; ++i) {
    e1000 += "é";
  }
  EXPECT_EQ(output.rows, "[\"" + std::string(1000, 'x') + "…(+4000 chars)\",\"" + e1000 + "\",\"" +
                             e1000 + "…(+1 chars)\"]");
}

TEST_F(ResultWriterTest, LongNestedCellsAreCutAsTheirText) {
  const ResultSummary summary =
      Write("SELECT range(20) AS l UNION ALL SELECT [1]", {.cell_characters_max = 10});
  EXPECT_EQ(output.rows, R"j(["[0,1,2,3,4…(+41 chars)"],[[1]])j");
  EXPECT_THAT(summary.forms, ElementsAre("mixed"));
  Write("SELECT repeat('1', 30)::BIT, repeat('9', 30)::BIGNUM", {.cell_characters_max = 10});
  EXPECT_EQ(output.rows, R"j(["1111111111…(+20 chars)","9999999999…(+20 chars)"])j");
}

TEST_F(ResultWriterTest, OffsetShowsTheRestOfLongCellsOfOneRow) {
  const std::string sql = "SELECT 'short' AS a, 'abcdefghijklmnopqrstuvwxyz' AS b";
  const ResultLimits limits{.cell_characters_max = 10, .cell_offset = 10};
  ResultSummary summary = Write(sql, limits);
  EXPECT_EQ(output.rows, R"j(["short","klmnopqrst…(+6 chars)"])j");
  EXPECT_TRUE(summary.cell_offset_used);
  summary = Write(sql, {.cell_characters_max = 10, .cell_offset = 20});
  EXPECT_EQ(output.rows, R"(["short","uvwxyz"])");
  EXPECT_EQ(summary.clipped_cells, 0U);
  summary = Write(sql + " UNION ALL SELECT 'b', 'c'", limits);
  EXPECT_EQ(output.rows, R"j(["short","abcdefghij…(+16 chars)"],["b","c"])j");
  EXPECT_FALSE(summary.cell_offset_used);
  EXPECT_EQ(summary.clipped_cells, 1U);
}

TEST_F(ResultWriterTest, ARowTooLongForThePageIsSentInShorterCells) {
  const ResultSummary summary = Write(
      "SELECT COLUMNS(*) FROM (SELECT repeat('x', 900) a, repeat('y', 900) b, repeat('z', 900) c)",
      {.bytes_max = 1'000});
  EXPECT_EQ(summary.row_count, 1U);
  EXPECT_EQ(summary.cell_characters, 250U);
  EXPECT_EQ(summary.clipped_cells, 3U);
  EXPECT_LE(output.rows.size(), 1'000U);
}

TEST_F(ResultWriterTest, FormsTellWhatOccurs) {
  const ResultSummary summary = Write(
      "SELECT * FROM (VALUES (1::BIGINT, 1.5, true, [1], {'a': 1}, NULL::DATE, 9007199254740993, "
      "'NaN'::DOUBLE), "
      "(9007199254740993, 2.5, NULL, [], NULL, NULL, 9007199254740993, 1.0))");
  EXPECT_THAT(summary.forms, ElementsAre("mixed", "number", "boolean", "array", "object", "string",
                                         "string", "mixed"));
}

TEST_F(ResultWriterTest, TextIsHarmlessAndComplete) {
  Write(
      "SELECT 'a|b\\c' AS x, E'l1\nl2\tq\"' AS y, chr(27) || '[31m' || chr(8203) || chr(8238) AS "
      "z, "
      "'' AS e, '\"\"' AS q, {'k': 'a|b'} AS s, chr(917505) AS t");
  EXPECT_EQ(Text(),
            "|x|y|z|e|q|s|t|\n|---|---|---|---|---|---|---|\n"
            "|a\\|b\\\\c|l1\\nl2\\tq\"|\\u001b[31m\\u200b\\u202e|\"\"|\\\"\\\"|"
            "{\"k\":\"a\\|b\"}|\\u{e0001}|\n");
}

TEST_F(ResultWriterTest, ColumnNamesAreUniqueAsInTheEngine) {
  EXPECT_THAT(UniqueNames({"a", "a", "A", "a_1", "A_1"}),
              ElementsAre("a", "a_1", "A_2", "a_1_1", "A_1_2"));
  EXPECT_THAT(UniqueNames({"a", "a_1", "a"}), ElementsAre("a", "a_1", "a_2"));
}

TEST_F(ResultWriterTest, LargeResultsAreSentInPieces) {
  const ResultSummary summary = Write("SELECT i, 'text of row ' || i FROM range(60000) t(i)",
                                      {.rows_max = 100'000, .bytes_max = 100'000'000});
  EXPECT_EQ(summary.row_count, 60'000U);
  EXPECT_EQ(summary.bytes, output.rows.size());
  EXPECT_GT(output.row_pieces, 5);
}

TEST_F(ResultWriterTest, AnErrorInTheRowsIsTheEngines) {
  auto rows = connection().Run(
      "SELECT CASE WHEN i < 3000000 THEN 1 ELSE ('x' || i)::INTEGER END FROM range(3000001) t(i)");
  ASSERT_TRUE(rows.has_value());
  const auto summary = WriteResult(
      *rows, {"a"}, {.rows_max = 10'000'000, .bytes_max = 1'000'000'000}, kAnalystStyle, output);
  ASSERT_FALSE(summary.has_value());
  EXPECT_TRUE(summary.error().is_engine);
  EXPECT_EQ(summary.error().engine.type, "Conversion");
}

}  // namespace
}  // namespace ducat::rows
