#include "worker/child/state_watch.h"

#include <string>

#include <gmock/gmock.h>

#include "worker/child/engine/engine_fixture.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::worker::child {
namespace {

using ::testing::HasSubstr;

class StateWatchTest : public engine::EngineFixture {
 protected:
  void SetUp() override {
    EngineFixture::SetUp();
    const std::string file = root() / "tables" / "orders.parquet";
    Run("COPY (SELECT 1 AS id) TO " + engine::QuoteText(file) + " (FORMAT parquet)");
    Apply({.version = 1,
           .tables = {{.name = "orders",
                       .source = "orders.csv",
                       .file = file,
                       .columns = {{.name = "id", .type = "INTEGER"}}}}});
  }
  void Run(const std::string& sql) {
    const auto rows = connection().Run(sql);
    ASSERT_TRUE(rows.has_value()) << sql << ": " << rows.error().message;
  }
  void Apply(const CatalogDelta& delta) {
    ASSERT_TRUE(catalog_.Apply(delta, connection()).has_value());
    ASSERT_EQ(catalog_.mounted_count(), catalog_.tables().size());
  }

  MountedCatalog catalog_;
};

TEST_F(StateWatchTest, ReadingChangesNothing) {
  StateWatch watch(connection(), catalog_);
  for (const char* sql : {"SELECT * FROM orders", "SELECT now(), random()",
                          "SELECT sum(i) FROM range(1000) t(i)", "DESCRIBE orders"}) {
    Run(sql);
    EXPECT_EQ(watch.FindChange(), "") << sql;
  }
  EXPECT_FALSE(connection().Run("SELECT nope").has_value());
  EXPECT_EQ(watch.FindChange(), "");
}

TEST_F(StateWatchTest, MountsOfTheCatalogAreNoChange) {
  StateWatch watch(connection(), catalog_);
  CatalogTable again = catalog_.tables().begin()->second;
  Apply({.from_version = 1, .version = 2, .tables = {again}});
  EXPECT_EQ(watch.FindChange(), "");
  again.name = "copies";
  Apply({.from_version = 2, .version = 3, .tables = {again}, .removed = {"orders"}});
  EXPECT_EQ(watch.FindChange(), "");
  Apply({.from_version = 3, .version = 4, .removed = {"copies"}});
  EXPECT_EQ(watch.FindChange(), "");
}

struct Tampering {
  const char* sql;
  const char* words;
};

class TamperingTest : public StateWatchTest, public ::testing::WithParamInterface<Tampering> {};

TEST_P(TamperingTest, IsSeen) {
  StateWatch watch(connection(), catalog_);
  Run(GetParam().sql);
  EXPECT_THAT(watch.FindChange(), HasSubstr(GetParam().words));
}

// What the engine lets through although its configuration is locked (guard.md F7, F8, F12).
INSTANTIATE_TEST_SUITE_P(
    All, TamperingTest,
    ::testing::Values(Tampering{"SELECT * FROM enable_peg_parser()", "settings are"},
                      Tampering{"SELECT * FROM enable_logging()", "settings are"},
                      Tampering{"CREATE TEMP TABLE orders (a INTEGER)", "1 objects"},
                      Tampering{"CREATE TABLE extra (a INTEGER)", "1 objects"},
                      Tampering{"CREATE SEQUENCE s", "1 objects"},
                      Tampering{"CREATE SCHEMA s", "1 objects"},
                      Tampering{"SET VARIABLE v = 1", "1 objects"},
                      Tampering{"ATTACH ':memory:' AS other", "1 objects"},
                      Tampering{"CREATE VIEW v AS SELECT 1", "2 views"},
                      Tampering{"CREATE TEMP VIEW orders AS SELECT 1", "2 views"},
                      Tampering{"DROP VIEW orders", "0 views"},
                      Tampering{"CREATE OR REPLACE VIEW orders AS SELECT 2 AS id",
                                "a view was replaced"}));

}  // namespace
}  // namespace ducat::worker::child
