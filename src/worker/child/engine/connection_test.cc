#include "worker/child/engine/connection.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "worker/child/engine/engine_fixture.h"

namespace ducat::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

class ConnectionTest : public EngineFixture {};

TEST_F(ConnectionTest, RunStreamsRowsOfTheRightTypes) {
  auto rows = connection().Run("SELECT range AS i, 'x' || range AS s FROM range(5000)");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->columns().size(), 2U);
  EXPECT_EQ(rows->columns()[0].name, "i");
  EXPECT_EQ(rows->columns()[0].type, "BIGINT");
  EXPECT_EQ(rows->columns()[1].type, "VARCHAR");
  const auto table = rows->AllText();
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->size(), 5000U);
  EXPECT_THAT((*table)[4999],
              ElementsAre(Optional(std::string("4999")), Optional(std::string("x4999"))));
}

TEST_F(ConnectionTest, AllTextIsTheEnginesTextOfEveryScalar) {
  EXPECT_EQ(OneText("SELECT NULL::INTEGER"), "(null)");
  EXPECT_EQ(OneText("SELECT true"), "true");
  EXPECT_EQ(OneText("SELECT (-128)::TINYINT"), "-128");
  EXPECT_EQ(OneText("SELECT 170141183460469231731687303715884105727::HUGEINT"),
            "170141183460469231731687303715884105727");
  EXPECT_EQ(OneText("SELECT 1.50::DECIMAL(4,2)"), "1.50");
  EXPECT_EQ(OneText("SELECT -1.5::DECIMAL(38,10)"), "-1.5000000000");
  EXPECT_EQ(OneText("SELECT 0.1::DOUBLE"), "0.1");
  EXPECT_EQ(OneText("SELECT DATE '2024-02-29'"), "2024-02-29");
  EXPECT_EQ(OneText("SELECT TIMESTAMP '2024-02-29 01:02:03.5'"), "2024-02-29 01:02:03.5");
  EXPECT_EQ(OneText("SELECT INTERVAL 3 DAY"), "3 days");
  EXPECT_EQ(OneText("SELECT '00112233-4455-6677-8899-aabbccddeeff'::UUID"),
            "00112233-4455-6677-8899-aabbccddeeff");
  auto nested = connection().Run("SELECT [1]");
  ASSERT_TRUE(nested.has_value());
  EXPECT_FALSE(nested->AllText().has_value());
}

TEST_F(ConnectionTest, ErrorsCarryTypePositionNameAndCandidates) {
  const auto unknown = connection().Run("SELECT abcd FROM (SELECT 1 AS abce, 2 AS abcf)");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().type, "Binder");
  EXPECT_EQ(unknown.error().subtype, "COLUMN_NOT_FOUND");
  EXPECT_EQ(unknown.error().position, 7U);
  EXPECT_EQ(unknown.error().name, "abcd");
  EXPECT_THAT(unknown.error().candidates, ElementsAre("abce", "abcf"));
  const auto parser = connection().Run("SELEC 1");
  ASSERT_FALSE(parser.has_value());
  EXPECT_EQ(parser.error().type, "Parser");
  EXPECT_EQ(parser.error().position, 0U);
  EXPECT_THAT(parser.error().message, HasSubstr("syntax error"));
  const auto cast = connection().Run("SELECT 'x'::INTEGER");
  ASSERT_FALSE(cast.has_value());
  EXPECT_EQ(cast.error().type, "Conversion");
}

TEST_F(ConnectionTest, AnErrorInTheMiddleOfTheRowsEndsThem) {
  // 20,000,000 rows do not fit into the stream's buffer: the first chunks are there before the
  // error.
  auto rows = connection().Run(
      "SELECT CASE WHEN range < 20000000 THEN 1 ELSE ('x' || range)::INTEGER END FROM "
      "range(20000001)");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EngineResult<const Chunk*> next = rows->Next();
  while (next.has_value() && *next != nullptr) {
    next = rows->Next();
  }
  ASSERT_FALSE(next.has_value());
  EXPECT_EQ(next.error().type, "Conversion");
}

TEST_F(ConnectionTest, BindsNamedPositionalAndTypedParameters) {
  const NamedParameters named{{"d", {.kind = Parameter::Kind::kText, .text = "2024-01-31"}},
                              {"n", {.kind = Parameter::Kind::kInteger, .integer = 1}}};
  EXPECT_EQ(OneText("SELECT $d::DATE + $n", named), "2024-02-01");
  const NamedParameters positional{
      {"1", {.kind = Parameter::Kind::kInteger, .integer = int64_t{1} << 40}},
      {"2", {.kind = Parameter::Kind::kNull}}};
  EXPECT_EQ(OneText("SELECT coalesce(?, ?)", {positional[1], positional[0]}), "1099511627776");
  EXPECT_EQ(OneText("SELECT typeof($1)", positional), "BIGINT");
  const NamedParameters text{{"1", {.kind = Parameter::Kind::kText, .text = "a'b\"; --\0z"}}};
  EXPECT_EQ(OneText("SELECT ?", text), text[0].second.text);
}

TEST_F(ConnectionTest, MissingParameterIsNamed) {
  const auto rows = connection().Run("SELECT $a");
  ASSERT_FALSE(rows.has_value());
  EXPECT_EQ(rows.error().type, "Invalid Input");
  EXPECT_THAT(rows.error().message, HasSubstr("$a"));
}

TEST_F(ConnectionTest, RefusesTextAfterNul) {
  const std::string sql("SELECT 1\0; DROP TABLE x", 23);
  EXPECT_FALSE(connection().Run(sql).has_value());
  EXPECT_FALSE(connection().Prepare(sql).has_value());
}

TEST_F(ConnectionTest, PrepareTellsKindParametersAndColumns) {
  const auto select = connection().Prepare("SELECT $x::DATE AS d, 1.5 AS n");
  ASSERT_TRUE(select.has_value());
  EXPECT_EQ(select->kind, "SELECT");
  EXPECT_THAT(select->parameter_names, ElementsAre("x"));
  ASSERT_EQ(select->columns.size(), 2U);
  EXPECT_EQ(select->columns[0].name, "d");
  EXPECT_EQ(select->columns[0].type, "DATE");
  EXPECT_EQ(select->columns[1].type, "DECIMAL(2,1)");
  EXPECT_EQ(connection().Prepare("EXPLAIN SELECT 1")->kind, "EXPLAIN");
  EXPECT_EQ(connection().Prepare("CREATE TABLE t (i INTEGER)")->kind, "CREATE");
  EXPECT_FALSE(connection().Prepare("SELECT 1; SELECT 2").has_value());
}

TEST_F(ConnectionTest, SerializeSqlParsesWithoutRunningPragma) {
  const auto tree = connection().SerializeSql("SELECT 1");
  ASSERT_TRUE(tree.has_value());
  EXPECT_THAT(*tree, HasSubstr("SELECT_NODE"));
  // F11: evaluated while parsing by duckdb_prepare; here it is only text.
  const auto pragma = connection().SerializeSql("PRAGMA threads(42)");
  ASSERT_TRUE(pragma.has_value());
  EXPECT_THAT(*pragma, HasSubstr("\"error\":true"));
  const auto again = connection().SerializeSql("SELEC 1");
  ASSERT_TRUE(again.has_value());
  EXPECT_THAT(*again, HasSubstr("syntax error"));
}

TEST_F(ConnectionTest, ExplainJsonGivesThePlan) {
  const NamedParameters limit{{"1", {.kind = Parameter::Kind::kInteger, .integer = 3}}};
  const auto plan = connection().ExplainJson("SELECT * FROM range(10) LIMIT $1 -- end", limit);
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_THAT(*plan, HasSubstr("\"RANGE"));
}

TEST_F(ConnectionTest, InterruptEndsARunningStatement) {
  std::atomic<bool> is_done = false;
  std::thread killer([&] {
    // F1: an interrupt before execution starts is lost, so it is repeated.
    while (!is_done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      connection().Interrupt();
    }
  });
  const auto rows = connection().Run("SELECT count(*) FROM range(1000000000) a, range(100000) b");
  is_done = true;
  killer.join();
  ASSERT_FALSE(rows.has_value());
  EXPECT_EQ(rows.error().type, "INTERRUPT");
  EXPECT_EQ(OneText("SELECT 1"), "1");
}

TEST_F(ConnectionTest, RunReadableCastsWhatOnlyTheEngineCanPrint) {
  auto rows = connection().RunReadable(
      "SELECT 1 AS a, 'x'::VARIANT AS a, [1::VARIANT] AS l, {'v': 'POINT(1 2)'::GEOMETRY} AS s -- "
      "x");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->columns().size(), 4U);
  EXPECT_EQ(rows->columns()[1].name, "a");
  EXPECT_EQ(rows->columns()[1].type, "VARIANT");
  EXPECT_EQ(rows->columns()[3].type, "STRUCT(v GEOMETRY)");
  EXPECT_EQ(rows->types()[1].id, TypeId::kVarchar);
  EXPECT_EQ(rows->types()[2].text, "VARCHAR[]");
  EXPECT_EQ(rows->types()[3].text, "STRUCT(v VARCHAR)");
}

TEST_F(ConnectionTest, QuotingKeepsTextWhole) {
  const std::string odd = "it's \"odd\" ; --";
  EXPECT_EQ(OneText("SELECT " + QuoteText(odd)), odd);
  auto rows = connection().Run("SELECT 1 AS " + QuoteIdentifier(odd));
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->columns()[0].name, odd);
  EXPECT_EQ(QuotePath("/d/a*[1]?.csv"), "'/d/a[*][[]1][?].csv'");
}

}  // namespace
}  // namespace ducat::engine
