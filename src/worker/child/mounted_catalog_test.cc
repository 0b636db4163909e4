#include "worker/child/mounted_catalog.h"

#include <fstream>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "worker/child/engine/engine_fixture.h"

namespace ducat::worker::child {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

class MountedCatalogTest : public engine::EngineFixture {
 protected:
  // The database must be there before the engine is locked; an engine of its own writes it.
  void Configure(engine::EngineSettings& settings) override {
    settings.db_file = root() / "data" / "shop.duckdb";
    engine::EngineSettings writer = settings;
    writer.db_file.clear();
    auto database = engine::Database::Open(writer);
    auto writing = database->Connect();
    for (const std::string& sql :
         {"ATTACH " + engine::QuoteText(settings.db_file) + " AS w",
          std::string("CREATE TABLE w.orders AS SELECT range AS id FROM range(3)"),
          std::string("CREATE SCHEMA w.\"Odd Schema\""),
          std::string("CREATE TABLE w.\"Odd Schema\".\"a\"\"b\" AS SELECT 'x' AS v"),
          std::string("DETACH w")}) {
      auto ran = writing->Run(sql);
      ASSERT_TRUE(ran.has_value()) << ran.error().message;
    }
  }

  // A table of the data directory, written by the engine itself.
  CatalogTable File(const std::string& name, const std::string& select, const std::string& file) {
    const std::string path = data_dir() / file;
    auto copied = connection().Run("COPY (" + select + ") TO " + engine::QuoteText(path) +
                                   " (FORMAT parquet)");
    EXPECT_TRUE(copied.has_value()) << copied.error().message;
    return {.name = name, .source = file, .file = path};
  }
  CatalogTable Object(const std::string& name, const std::string& schema,
                      const std::string& object) {
    return {.name = name,
            .source = "db:" + schema + "." + object,
            .db_schema = schema,
            .db_name = object};
  }

  MountedCatalog catalog_;
};

TEST_F(MountedCatalogTest, MountsFilesUnderTheirNames) {
  CatalogTable table = File("order_", "SELECT 1 AS id, 'a' AS \"odd \"\"name\"", "order.parquet");
  table.columns = {{.name = "id", .type = "INTEGER"}, {.name = "odd \"name", .type = "VARCHAR"}};
  ASSERT_THAT(catalog_.Apply({.version = 1, .tables = {table}}, connection()), IsOk());
  EXPECT_EQ(catalog_.version(), 1U);
  EXPECT_EQ(catalog_.Problem("order_"), "");
  EXPECT_EQ(OneText("SELECT \"odd \"\"name\" FROM order_"), "a");
  EXPECT_EQ(catalog_.Find("ORDER_")->source, "order.parquet");
  EXPECT_EQ(catalog_.Find("nope"), nullptr);
}

TEST_F(MountedCatalogTest, WaitsForNoPipe) {
  const std::string path = (data_dir() / "t.parquet").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const CatalogTable table{.name = "t", .source = "t.parquet", .file = path};
  ASSERT_THAT(catalog_.Apply({.version = 1, .tables = {table}}, connection()), IsOk());
  EXPECT_THAT(std::string(catalog_.Problem("t")), HasSubstr("is no regular file"));
}

TEST_F(MountedCatalogTest, CastsCarriersBack) {
  CatalogTable table =
      File("t", "SELECT '170141183460469231731687303715884105727' AS h", "t.parquet");
  table.columns = {{.name = "h", .type = "HUGEINT", .carrier = "VARCHAR"}};
  ASSERT_THAT(catalog_.Apply({.version = 1, .tables = {table}}, connection()), IsOk());
  EXPECT_EQ(OneText("SELECT typeof(h) || h FROM t"),
            "HUGEINT170141183460469231731687303715884105727");
}

TEST_F(MountedCatalogTest, ReadsOnlyTheFileOfThatName) {
  CatalogTable star = File("star", "SELECT 'star' AS v", "star*.parquet");
  CatalogTable one = File("one", "SELECT 'one' AS v", "star1.parquet");
  CatalogTable brackets = File("brackets", "SELECT 'brackets' AS v", "d[1]?'.parquet");
  File("d1", "SELECT 'd1' AS v", "d1x'.parquet");
  for (CatalogTable* table : {&star, &one, &brackets}) {
    table->columns = {{.name = "v", .type = "VARCHAR"}};
  }
  ASSERT_THAT(catalog_.Apply({.version = 1, .tables = {star, one, brackets}}, connection()),
              IsOk());
  EXPECT_EQ(OneText("SELECT string_agg(v) FROM star"), "star");
  EXPECT_EQ(OneText("SELECT string_agg(v) FROM brackets"), "brackets");
}

TEST_F(MountedCatalogTest, DeltasAddChangeAndRemove) {
  CatalogTable first = File("t", "SELECT 1 AS a", "a.parquet");
  first.columns = {{.name = "a", .type = "INTEGER"}};
  ASSERT_THAT(
      catalog_.Apply({.version = 1, .tables = {first}, .files = {"a.csv", "b.csv"}}, connection()),
      IsOk());
  CatalogTable second = File("t", "SELECT 2 AS a", "b.parquet");
  second.columns = first.columns;
  ASSERT_THAT(catalog_.Apply(
                  {.from_version = 1, .version = 2, .tables = {second}, .removed_files = {"a.csv"}},
                  connection()),
              IsOk());
  EXPECT_EQ(OneText("SELECT a FROM t"), "2");
  EXPECT_THAT(catalog_.files(), ::testing::ElementsAre("b.csv"));
  ASSERT_THAT(catalog_.Apply({.from_version = 2, .version = 3, .removed = {"t"}}, connection()),
              IsOk());
  EXPECT_THAT(OneText("SELECT a FROM t"), HasSubstr("(error) Catalog"));
  EXPECT_THAT(catalog_.Apply({.from_version = 2, .version = 4}, connection()),
              FailsWith("internal_error"));
  ASSERT_THAT(catalog_.Apply({.version = 9, .tables = {first}}, connection()), IsOk());
  EXPECT_EQ(OneText("SELECT a FROM t"), "1");
  EXPECT_TRUE(catalog_.files().empty());
}

TEST_F(MountedCatalogTest, AnswersHoldUntilTheCatalogChanges) {
  EXPECT_EQ(catalog_.FindAnswer("SELECT 1"), nullptr);
  catalog_.KeepAnswer("SELECT 1", {{"1"}});
  ASSERT_NE(catalog_.FindAnswer("SELECT 1"), nullptr);
  EXPECT_EQ((*catalog_.FindAnswer("SELECT 1"))[0][0], "1");
  ASSERT_THAT(catalog_.Apply({.version = 1}, connection()), IsOk());
  EXPECT_EQ(catalog_.FindAnswer("SELECT 1"), nullptr);
  for (int i = 0; i < 1'000; ++i) {
    catalog_.KeepAnswer(std::to_string(i), {});
  }
  EXPECT_EQ(catalog_.FindAnswer("0"), nullptr);
  EXPECT_NE(catalog_.FindAnswer("999"), nullptr);
}

TEST_F(MountedCatalogTest, ATableThatCannotBeReadKeepsItsProblem) {
  const std::string path = data_dir() / "torn.parquet";
  std::ofstream(path) << "PAR1 this is no Parquet file PAR1";
  CatalogTable torn{.name = "torn", .source = "torn.parquet", .file = path};
  torn.columns = {{.name = "a", .type = "INTEGER"}};
  CatalogTable good = File("good", "SELECT 1 AS a", "good.parquet");
  good.columns = torn.columns;
  ASSERT_THAT(catalog_.Apply({.version = 1, .tables = {torn, good}}, connection()), IsOk());
  EXPECT_NE(catalog_.Problem("torn"), "");
  EXPECT_THAT(std::string(catalog_.Problem("TORN")), Not(HasSubstr(data_dir().string())));
  EXPECT_TRUE(catalog_.has_problems());
  EXPECT_EQ(OneText("SELECT a FROM good"), "1");
}

TEST_F(MountedCatalogTest, DatabaseObjectsAreMountedAtFirstUse) {
  ASSERT_THAT(catalog_.Apply(
                  {.version = 1,
                   .tables = {Object("orders", "main", "orders"),
                              Object("odd", "Odd Schema", "a\"b"), Object("gone", "main", "gone")}},
                  connection()),
              IsOk());
  EXPECT_TRUE(catalog_.has_database());
  EXPECT_FALSE(connection().database_attached());
  ASSERT_THAT(catalog_.UseDatabase(connection()), IsOk());
  EXPECT_EQ(OneText("SELECT count(*) FROM orders"), "3");
  EXPECT_EQ(OneText("SELECT v FROM odd"), "x");
  EXPECT_EQ(OneText("SELECT max(id) FROM db.main.orders"), "2");
  EXPECT_THAT(std::string(catalog_.Problem("gone")), HasSubstr("gone"));
  connection().DetachDatabase();
  EXPECT_FALSE(connection().database_attached());
  EXPECT_THAT(OneText("SELECT count(*) FROM orders"), HasSubstr("(error)"));
  ASSERT_THAT(catalog_.UseDatabase(connection()), IsOk());
  EXPECT_EQ(OneText("SELECT count(*) FROM orders"), "3");
}

}  // namespace
}  // namespace ducat::worker::child
