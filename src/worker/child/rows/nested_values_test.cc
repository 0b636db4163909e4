// LIST, ARRAY, STRUCT, MAP, UNION in JSON (analyst.md 7).
#include <gtest/gtest.h>

#include "worker/child/rows/rows_fixture.h"

namespace ducat::rows {
namespace {

class NestedValuesTest : public RowsFixture {};

TEST_F(NestedValuesTest, NestedValuesFollowTheRulesInside) {
  EXPECT_EQ(Json(R"(SELECT 'NaN'::DOUBLE, MAP {1: 'a'}, {'k': [NULL, 1]}, '\xAA'::BLOB)"),
            R"(["NaN",[{"key":1,"value":"a"}],{"k":[null,1]},"\\xAA"])");
  EXPECT_EQ(
      Json("SELECT [9007199254740992, 1], [[], NULL, [NULL]]::INTEGER[][], [1,2,3]::INTEGER[3], "
           "row(1, 'x'), {'b': 1, 'a\"': {'c': DATE '2024-01-01'}}"),
      R"([["9007199254740992",1],[[],null,[null]],[1,2,3],[1,"x"],)"
      R"({"b":1,"a\"":{"c":"2024-01-01"}}])");
  EXPECT_EQ(Json("SELECT union_value(n := 5)::UNION(n INTEGER, s VARCHAR), "
                 "MAP {}::MAP(VARCHAR, INTEGER), NULL::INTEGER[], [{'a': NULL}]"),
            R"([{"tag":"n","value":5},[],null,[{"a":null}]])");
  EXPECT_EQ(Json("SELECT 1::VARIANT, ['x'::VARIANT], 'POINT (1 2)'::GEOMETRY, {'g': 'POINT (1 "
                 "2)'::GEOMETRY}"),
            R"j(["1",["x"],"POINT (1 2)",{"g":"POINT (1 2)"}])j");
}

TEST_F(NestedValuesTest, NestedRowsOfManyChunks) {
  // Children are read by offset in every chunk, also when rows were filtered and repeated.
  const std::string json = Json(
      "SELECT [i, i + 1], {'s': 'v' || i}, CASE WHEN i % 2 = 0 THEN [i] END "
      "FROM range(6000) t(i) WHERE i % 3 = 0 ORDER BY i");
  EXPECT_TRUE(json.starts_with(R"([[0,1],{"s":"v0"},[0]],[[3,4],{"s":"v3"},null],[[6,7])"))
      << json.substr(0, 80);
  EXPECT_TRUE(json.ends_with(R"([[5997,5998],{"s":"v5997"},null])"))
      << json.substr(json.size() - 80);
}

}  // namespace
}  // namespace ducat::rows
