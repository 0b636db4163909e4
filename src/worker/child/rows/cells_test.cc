// All types together: styles, and the property that every value reads back the same.
#include <gtest/gtest.h>

#include "json/view.h"
#include "worker/child/rows/rows_fixture.h"

namespace ducat::rows {
namespace {

using engine::NamedParameters;
using engine::Parameter;

class CellsTest : public RowsFixture {};

TEST_F(CellsTest, CanvasAndFilingsStyles) {
  const std::string sql =
      "SELECT 1::BIGINT, 1.50::DECIMAL(4,2), TIMESTAMP '2024-01-01 01:00:00', "
      "TIMESTAMPTZ '2024-01-01 01:00:00+00', INTERVAL 1 DAY, 1::INTEGER, TIMETZ '11:30:00+01'";
  EXPECT_EQ(Json(sql, kCanvasStyle), R"([1,1.5,"2024-01-01 01:00:00","2024-01-01 01:00:00+00",)"
                                     R"({"months":0,"days":1,"micros":0},1,"11:30:00+01"])");
  EXPECT_EQ(Json(sql, kFilingsStyle),
            R"(["1","1.50","2024-01-01 01:00:00","2024-01-01 01:00:00+00",)"
            R"({"months":0,"days":1,"micros":"0"},1,"11:30:00+01"])");
  EXPECT_EQ(Json("SELECT 1::HUGEINT, (-1)::UBIGINT + 2, 3::BIGNUM", kFilingsStyle).substr(0, 4),
            "(err");
  EXPECT_EQ(Json("SELECT 1::HUGEINT, 2::UBIGINT, 3::BIGNUM, -4::BIGINT", kFilingsStyle),
            R"(["1","2","3","-4"])");
}

// Each scalar of test_all_types(), its minimum and maximum, read back by the engine from our text,
// must be the value again.
TEST_F(CellsTest, EveryScalarOfTestAllTypesReadsBackTheSame) {
  auto probe = connection().Run("SELECT * FROM test_all_types()");
  ASSERT_TRUE(probe.has_value());
  const auto columns = probe->columns();
  const auto types = probe->types();
  probe = connection().Run("SELECT 1");
  int checked = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    // Nested ones, INTERVAL objects and the engine's own text forms are checked by literal above.
    if (!types[i].children.empty() || types[i].id == engine::TypeId::kInterval ||
        types[i].id == engine::TypeId::kOther) {
      continue;
    }
    const std::string name = engine::QuoteIdentifier(columns[i].name);
    json::Document document;
    const std::string rows = Json("SELECT " + name + " FROM test_all_types()");
    const auto view = document.Parse("[" + rows + "]");
    ASSERT_TRUE(view.has_value()) << columns[i].name << ": " << rows;
    std::vector<std::string> texts;
    view->ForEachElement([&](json::View row) {
      row.ForEachElement([&](json::View cell) {
        texts.push_back(cell.IsString() ? std::string(*cell.AsString()) : cell.ToJson());
        return true;
      });
      return true;
    });
    ASSERT_EQ(texts.size(), 3U) << columns[i].name;
    EXPECT_EQ(texts[2], "null");
    for (int row = 0; row < 2; ++row) {
      const NamedParameters text{
          {"t", {.kind = Parameter::Kind::kText, .text = texts[static_cast<size_t>(row)]}}};
      EXPECT_EQ(
          OneText("SELECT CAST($t AS " + columns[i].type +
                      ") IS NOT DISTINCT FROM v FROM (SELECT " + name +
                      " AS v FROM test_all_types() LIMIT 1 OFFSET " + std::to_string(row) + ")",
                  text),
          "true")
          << columns[i].name << " " << texts[static_cast<size_t>(row)];
      ++checked;
    }
  }
  EXPECT_GE(checked, 60);
}

TEST_F(CellsTest, NestedColumnsOfTestAllTypesAreJson) {
  const std::string rows = Json(
      "SELECT COLUMNS(c -> c LIKE '%array%' OR c LIKE '%struct%' OR c IN ('map', 'union', "
      "'interval')) FROM test_all_types()");
  json::Document document;
  const auto view = document.Parse("[" + rows + "]");
  ASSERT_TRUE(view.has_value()) << rows;
  EXPECT_EQ(view->Size(), 3U);
}

}  // namespace
}  // namespace ducat::rows
