#include "worker/child/guard/table_names.h"

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"

namespace ducat::guard {
namespace {

class TableNamesTest : public engine::EngineFixture {
 protected:
  void SetUp() override {
    EngineFixture::SetUp();
    const worker::CatalogDelta delta{
        .version = 1,
        .tables = {
            {.name = "orders", .source = "orders.csv"},
            {.name = "pg_size", .source = "pg_size.csv"},
            {.name = "sales", .source = "db:shop.Sales", .db_schema = "shop", .db_name = "Sales"},
            {.name = "users", .source = "db:main.users", .db_schema = "main", .db_name = "users"}}};
    ASSERT_TRUE(catalog_.Apply(delta, connection()).has_value());
  }
  TableAnswer Resolve(std::string_view catalog, std::string_view schema, std::string_view name) {
    return TableNames(catalog_)
        .Resolve({.catalog = catalog, .schema = schema, .name = name})
        .answer;
  }

  worker::child::MountedCatalog catalog_;
};

TEST_F(TableNamesTest, OwnTables) {
  EXPECT_EQ(Resolve("", "", "ORDERS"), TableAnswer::kTable);
  EXPECT_EQ(Resolve("", "main", "orders"), TableAnswer::kTable);
  EXPECT_EQ(Resolve("Memory", "MAIN", "orders"), TableAnswer::kTable);
  EXPECT_EQ(Resolve("", "memory", "orders"), TableAnswer::kUnknown);
  EXPECT_EQ(Resolve("other", "main", "orders"), TableAnswer::kUnknown);
  EXPECT_EQ(Resolve("", "", "nope"), TableAnswer::kMaybePath);
}

TEST_F(TableNamesTest, DatabaseObjects) {
  EXPECT_EQ(Resolve("db", "shop", "sales"), TableAnswer::kTable);
  EXPECT_EQ(Resolve("", "db", "users"), TableAnswer::kTable);
  EXPECT_EQ(Resolve("", "db", "sales"), TableAnswer::kUnknown);
  EXPECT_EQ(Resolve("db", "main", "orders"), TableAnswer::kUnknown);
  EXPECT_EQ(Resolve("db", "information_schema", "tables"), TableAnswer::kSystem);
}

TEST_F(TableNamesTest, EngineCatalogs) {
  EXPECT_EQ(Resolve("", "", "duckdb_settings"), TableAnswer::kSystem);
  EXPECT_EQ(Resolve("", "", "SQLITE_master"), TableAnswer::kSystem);
  EXPECT_EQ(Resolve("", "", "pg_size"), TableAnswer::kTable);  // an own table may be called so
  EXPECT_EQ(Resolve("", "Information_Schema", "columns"), TableAnswer::kSystem);
  EXPECT_EQ(Resolve("temp", "main", "orders"), TableAnswer::kSystem);
}

TEST_F(TableNamesTest, CteScopes) {
  TableNames names(catalog_);
  const size_t mark = names.Mark();
  names.AddCte("A", false);
  names.AddCte("r", true);
  EXPECT_EQ(names.Resolve({.name = "a"}).answer, TableAnswer::kCte);
  EXPECT_EQ(names.Resolve({.schema = "recurring", .name = "R"}).answer, TableAnswer::kCte);
  EXPECT_EQ(names.Resolve({.schema = "recurring", .name = "a"}).answer, TableAnswer::kUnknown);
  EXPECT_EQ(names.Resolve({.schema = "main", .name = "a"}).answer, TableAnswer::kUnknown);
  names.Forget(mark);
  EXPECT_EQ(names.Resolve({.name = "a"}).answer, TableAnswer::kMaybePath);
}

TEST_F(TableNamesTest, SchemasToList) {
  TableNames names(catalog_);
  EXPECT_EQ(names.ResolveSchema("", "main").answer, TableAnswer::kTable);
  EXPECT_EQ(names.ResolveSchema("db", "shop").answer, TableAnswer::kTable);
  EXPECT_EQ(names.ResolveSchema("", "db").answer, TableAnswer::kTable);
  EXPECT_EQ(names.ResolveSchema("db", "nope").answer, TableAnswer::kUnknown);
  EXPECT_EQ(names.ResolveSchema("", "pg_catalog").answer, TableAnswer::kSystem);
}

TEST(SqlName, QuotesWhereItMust) {
  EXPECT_EQ(SqlName("orders_2"), "orders_2");
  EXPECT_EQ(SqlName("2x"), "\"2x\"");
  EXPECT_EQ(SqlName("Sales"), "\"Sales\"");
  EXPECT_EQ(SqlName("a\"b"), "\"a\"\"b\"");
}

TEST_F(TableNamesTest, EveryViewOfTheEngineIsASystemName) {
  auto rows = connection().Run(
      "SELECT view_name FROM duckdb_views() WHERE internal AND schema_name <> "
      "'information_schema'");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  const auto names = rows->AllText();
  ASSERT_TRUE(names.has_value());
  EXPECT_GT(names->size(), 20U);
  for (const auto& row : *names) {
    EXPECT_TRUE(IsSystemName(row.front().value_or(""))) << row.front().value_or("NULL");
  }
  EXPECT_TRUE(IsSystemName("SQLite_Master"));
  EXPECT_TRUE(IsSystemName("duckdb_settings")) << "a table function";
}

TEST_F(TableNamesTest, ANameThatOnlyBeginsLikeTheEnginesIsUnknown) {
  for (const std::string_view name : {"pg_bad", "duckdb_empty", "sqlite_x", "pragma_y"}) {
    EXPECT_EQ(Resolve("", "", name), TableAnswer::kMaybePath) << name;
    EXPECT_EQ(Resolve("", "main", name), TableAnswer::kUnknown) << name;
  }
}

}  // namespace
}  // namespace ducat::guard
