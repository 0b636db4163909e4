#include "packs/analyst/jobs/describe_table.h"

#include <string>

#include "packs/analyst/jobs/first_values.h"
#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using testing::IsOk;

class DescribeTableTest : public JobsFixture {
 protected:
  Result<DescribeTableOut> Describe(const std::string& name, std::vector<std::string> columns = {},
                                    int64_t samples = 3) {
    return Run<DescribeTableOut>(
        "describe_table",
        DescribeTableIn{.name = name, .columns = std::move(columns), .samples = samples});
  }
  static std::string Samples(const DescribedColumn& column) {
    std::string text;
    for (const json::AnyValue& value : column.sample_values) {
      text += (text.empty() ? "" : " ") + value.json;
    }
    return text;
  }
};

TEST_F(DescribeTableTest, CountsAndSamplesInRowOrder) {
  MountCsv("t", "id,name,score\n3,b,1.5\n1,,1.5\n2,b,\n3,a,NaN\n");
  const auto out = Describe("t");
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->row_count, 4);
  EXPECT_EQ(out->column_count, 3);
  ASSERT_EQ(out->columns.size(), 3U);
  EXPECT_EQ(Samples(out->columns[0]), "3 1 2");
  EXPECT_EQ(out->columns[1].null_count, 1);
  EXPECT_EQ(Samples(out->columns[1]), R"("b" "a")");
  EXPECT_EQ(out->columns[2].type, "DOUBLE");
  EXPECT_EQ(out->columns[2].null_count, 1);
  EXPECT_EQ(Samples(out->columns[2]), R"(1.5 "NaN")");
  EXPECT_TRUE(out->columns[0].nullable);
}

TEST_F(DescribeTableTest, LateDistinctValuesAreFound) {
  MountSelect(
      "t",
      "SELECT CASE WHEN range < 50000 THEN 'a' WHEN range < 60000 THEN 'c' ELSE 'b' END AS v,"
      " CASE WHEN range = 70000 THEN 1 END AS w FROM range(80000)");
  const auto out = Describe("t");
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(Samples(out->columns[0]), R"("a" "c" "b")");
  EXPECT_EQ(Samples(out->columns[1]), "1");
  EXPECT_EQ(out->columns[1].null_count, 79'999);
}

TEST_F(DescribeTableTest, OddNamesAndUnicode) {
  MountCsv("t", "\"a \"\"b\"\"\",größe,select,数\n1,2,3,4\n");
  const auto out = Describe("T", {"\"größe\"", "SELECT", "a \"b\"", "select"});
  ASSERT_THAT(out, IsOk());
  ASSERT_EQ(out->columns.size(), 3U) << "a column named twice is described once";
  EXPECT_EQ(out->columns[0].name, "größe");
  EXPECT_EQ(out->columns[1].name, "select");
  EXPECT_EQ(out->columns[2].name, "a \"b\"");
}

TEST_F(DescribeTableTest, LongValuesAreCut) {
  MountSelect("t", "SELECT repeat('ü', 101) AS a, repeat('x', 100) AS b, range(60) AS c, 1 AS d");
  const auto out = Describe("t");
  ASSERT_THAT(out, IsOk());
  std::string cut;
  for (int i = 0; i < 99; ++i)
    cut += "ü";
  EXPECT_EQ(Samples(out->columns[0]), "\"" + cut + "…\"");
  EXPECT_EQ(Samples(out->columns[1]), "\"" + std::string(100, 'x') + "\"");
  EXPECT_EQ(Samples(out->columns[2]).substr(0, 8), "\"[0,1,2,");
  EXPECT_EQ(Samples(out->columns[3]), "1");
}

TEST_F(DescribeTableTest, EmptyAndNullTables) {
  MountCsv("t", "a,b\n");
  const auto empty = Describe("t");
  ASSERT_THAT(empty, IsOk());
  EXPECT_EQ(empty->row_count, 0);
  EXPECT_EQ(empty->columns[0].null_count, 0);
  EXPECT_EQ(Samples(empty->columns[0]), "");
  MountSelect("n", "SELECT NULL::INTEGER AS a FROM range(30000)");
  const auto nulls = Describe("n");
  ASSERT_THAT(nulls, IsOk());
  EXPECT_EQ(nulls->columns[0].null_count, 30'000);
  EXPECT_EQ(Samples(nulls->columns[0]), "");
}

TEST_F(DescribeTableTest, EveryTypeIsShown) {
  MountSelect("t", "SELECT * EXCLUDE (medium_enum, large_enum) FROM test_all_types()");
  const auto out = Describe("t");
  ASSERT_THAT(out, IsOk());
  EXPECT_GT(out->columns.size(), 50U);
  for (const DescribedColumn& column : out->columns) {
    EXPECT_EQ(column.null_count, 1) << column.name;
    EXPECT_FALSE(column.sample_values.empty()) << column.name;
  }
}

TEST_F(DescribeTableTest, WideTables) {
  std::string names;
  for (int i = 0; i < 300; ++i)
    names += (i == 0 ? "" : ", ") + std::to_string(i) + " AS c" + std::to_string(i);
  MountSelect("t", "SELECT " + names);
  const auto out = Describe("t");
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->columns.size(), 200U);
  EXPECT_EQ(out->column_count, 300);
  const auto last = Describe("t", {"c299"});
  ASSERT_THAT(last, IsOk());
  EXPECT_EQ(Samples(last->columns[0]), "299");
}

TEST_F(DescribeTableTest, Refusals) {
  MountCsv("orders", "id,amount\n1,2\n");
  const auto table = Describe("order");
  ASSERT_THAT(table, FailsWith("unknown_table"));
  EXPECT_THAT(table.error().hint, ::testing::HasSubstr("\"orders\""));
  const auto column = Describe("orders", {"amuont"});
  ASSERT_THAT(column, FailsWith("unknown_column"));
  EXPECT_THAT(column.error().hint, ::testing::HasSubstr("\"amount\""));
  EXPECT_THAT(Describe("orders\" --", {}), FailsWith("unknown_table"));
  EXPECT_THAT(Describe("orders", {"id\" FROM orders; DROP TABLE x --"}),
              FailsWith("unknown_column"));
  Add({.name = "later", .source = "later.csv"});
  EXPECT_THAT(Describe("later"), FailsWith("table_pending"));
  Put("gone.parquet", "PAR1");
  Add({.name = "gone", .source = "gone.parquet", .file = (data_dir() / "gone.parquet").string()});
  const auto gone = Describe("gone");
  ASSERT_THAT(gone, FailsWith("table_unreadable"));
  EXPECT_THAT(gone.error().message, ::testing::Not(::testing::HasSubstr(data_dir().string())));
}

TEST_F(DescribeTableTest, AFileThatVanishes) {
  MountSelect("t", "SELECT 1 AS a");
  std::filesystem::remove(data_dir() / "t.parquet");
  EXPECT_THAT(Describe("t"), FailsWith("table_unreadable"));
}

TEST_F(DescribeTableTest, ColumnNulls) {
  MountCsv("t", "a,b\n1,\n2,\n3,x\n");
  MountCsv("e", "a\n");
  ColumnNullsIn in;
  in.tables.push_back({.name = "t", .columns = {"b", "a"}});
  in.tables.push_back({.name = "gone", .columns = {"x"}});
  in.tables.push_back({.name = "e", .columns = {"a"}});
  const auto out = Run<ColumnNullsOut>("column_nulls", in);
  ASSERT_THAT(out, IsOk());
  ASSERT_EQ(out->columns.size(), 3U);
  EXPECT_EQ(out->columns[0].null_pct, 66.67);
  EXPECT_EQ(out->columns[1].null_pct, 0.0);
  EXPECT_EQ(out->columns[2].table, "e");
  EXPECT_EQ(out->columns[2].null_pct, 0.0);
}

}  // namespace
}  // namespace ducat::analyst
