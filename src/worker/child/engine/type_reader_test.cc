#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"
#include "worker/child/engine/types.h"

namespace ducat::engine {
namespace {

class TypeTextTest : public EngineFixture {};

// What we print for a type is what the engine prints.
TEST_F(TypeTextTest, TextIsTheEngines) {
  const std::string select =
      "SELECT {'a': 1, 'b c': 'x', 'select': 2, 'B': 3, 'é': 1, '1a': 2, 'a\"b': 3, 'Name': 4, "
      "'_x': 3, "
      "'a$': 1} AS s, row(1, 'x') AS r, MAP {'k': [1.5]} AS m, union_value(k := 1) AS u, "
      "[1, 2]::INTEGER[2] AS f, '{}'::JSON AS j, 1::BIGNUM AS n, [[1::VARIANT]] AS v, "
      "'POINT (1 2)'::GEOMETRY AS g, TIME_NS '11:00:00' AS t, now() AS z, '11:00:00+01'::TIMETZ AS "
      "tz, "
      "['x'::ENUM('x', 'it''s')] AS e, NULL AS nothing, [NULL] AS nothings";
  for (const std::string& source : {select, std::string("FROM test_all_types()")}) {
    auto described =
        connection().Run("SELECT column_name, column_type FROM (DESCRIBE " + source + ")");
    ASSERT_TRUE(described.has_value()) << described.error().message;
    const auto expected = described->AllText();
    ASSERT_TRUE(expected.has_value());
    auto rows = connection().Run(source);
    ASSERT_TRUE(rows.has_value()) << rows.error().message;
    ASSERT_EQ(rows->columns().size(), expected->size());
    for (size_t i = 0; i < expected->size(); ++i) {
      EXPECT_EQ(rows->columns()[i].name, (*expected)[i][0].value_or(""));
      EXPECT_EQ(rows->columns()[i].type, (*expected)[i][1].value_or("")) << rows->columns()[i].name;
    }
  }
}

TEST_F(TypeTextTest, ReadableCastReplacesOnlyWhatMustBe) {
  auto rows = connection().Run(
      "SELECT 1 AS a, [1::VARIANT] AS l, {'x y': 1::VARIANT, 'z': 1} AS s, row(1::VARIANT, 2) AS "
      "r, "
      "MAP {'k': 1::VARIANT} AS m");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ(ReadableCast(rows->types()[0]), "");
  EXPECT_EQ(ReadableCast(rows->types()[1]), "VARCHAR[]");
  EXPECT_EQ(ReadableCast(rows->types()[2]), "STRUCT(\"x y\" VARCHAR, \"z\" INTEGER)");
  EXPECT_EQ(ReadableCast(rows->types()[3]), "VARCHAR");
  EXPECT_EQ(ReadableCast(rows->types()[4]), "MAP(VARCHAR, VARCHAR)");
}

}  // namespace
}  // namespace ducat::engine
