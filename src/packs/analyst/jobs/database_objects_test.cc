#include "packs/analyst/jobs/database_objects.h"

#include <string>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using testing::IsOk;

class DatabaseObjectsTest : public JobsFixture {
 protected:
  void Configure(engine::EngineSettings& settings) override {
    settings.db_file = (root() / "shop.duckdb").string();
    engine::EngineSettings writer = settings;
    writer.db_file.clear();
    writer.data_dir = root().string();
    auto database = engine::Database::Open(writer);
    auto writing = database->Connect();
    for (const std::string& sql :
         {"ATTACH " + engine::QuoteText(settings.db_file) + " AS w",
          std::string("CREATE TABLE w.orders (id INTEGER NOT NULL, amount DECIMAL(10,2))"),
          std::string("INSERT INTO w.orders SELECT range, range / 2 FROM range(7)"),
          std::string("CREATE SCHEMA w.\"Odd Schema\""),
          std::string("CREATE TABLE w.\"Odd Schema\".\"a\"\"b\" AS SELECT 'x' AS \"v'1\""),
          std::string("USE w"),
          std::string("CREATE VIEW totals AS SELECT sum(amount) AS total FROM orders"),
          std::string("CREATE TABLE doomed (a INTEGER)"),
          std::string("CREATE VIEW broken AS SELECT a FROM doomed"),
          std::string("DROP TABLE doomed"), std::string("USE memory"), std::string("DETACH w")}) {
      auto ran = writing->Run(sql);
      ASSERT_TRUE(ran.has_value()) << sql << ": " << ran.error().message;
    }
  }
};

TEST_F(DatabaseObjectsTest, TablesAndViews) {
  const auto out = Run<DatabaseObjectsOut>("database_objects", DatabaseObjectsIn{});
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->total, 4);
  EXPECT_FALSE(out->next_offset.has_value());
  ASSERT_EQ(out->objects.size(), 4U);
  const DatabaseObject& odd = out->objects[0];
  EXPECT_EQ(odd.schema, "Odd Schema");
  EXPECT_EQ(odd.name, "a\"b");
  EXPECT_EQ(odd.columns.at(0).name, "v'1");
  const DatabaseObject& broken = out->objects[1];
  EXPECT_EQ(broken.name, "broken");
  EXPECT_TRUE(broken.problem.has_value());
  EXPECT_TRUE(broken.columns.empty());
  const DatabaseObject& orders = out->objects[2];
  EXPECT_EQ(orders.kind, ObjectKind::kTable);
  EXPECT_EQ(orders.row_count, 7);
  EXPECT_FALSE(orders.columns[0].nullable);
  EXPECT_TRUE(orders.columns[1].nullable);
  EXPECT_EQ(orders.columns[1].type, "DECIMAL(10,2)");
  const DatabaseObject& totals = out->objects[3];
  EXPECT_EQ(totals.kind, ObjectKind::kView);
  EXPECT_FALSE(totals.row_count.has_value());
}

TEST_F(DatabaseObjectsTest, Paging) {
  const auto out = Run<DatabaseObjectsOut>("database_objects", DatabaseObjectsIn{.offset = 3});
  ASSERT_THAT(out, IsOk());
  ASSERT_EQ(out->objects.size(), 1U);
  EXPECT_EQ(out->objects[0].name, "totals");
}

TEST_F(DatabaseObjectsTest, OtherJobsReadThem) {
  Add({.name = "orders", .source = "db:main.orders", .db_schema = "main", .db_name = "orders"});
  Add({.name = "totals", .source = "db:main.totals", .db_schema = "main", .db_name = "totals"});
  const auto described = Run<DescribeTableOut>("describe_table", DescribeTableIn{.name = "orders"});
  ASSERT_THAT(described, IsOk());
  EXPECT_FALSE(described->columns[0].nullable);
  EXPECT_TRUE(described->columns[1].nullable);
  EXPECT_EQ(described->row_count, 7);
  ASSERT_THAT(RunText("sample_rows", json::Encode(SampleRowsIn{.name = "totals"})), IsOk());
  EXPECT_EQ(output_.rows, "[10.5]");
}

}  // namespace
}  // namespace ducat::analyst
