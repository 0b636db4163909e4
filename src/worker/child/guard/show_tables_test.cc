#include "worker/child/guard/show_tables.h"

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"

namespace ducat::guard {
namespace {

class ShowTables : public engine::EngineFixture {
 protected:
  // The text with its listings replaced; it must run.
  std::string First(std::string_view sql) {
    const TokenList tokens = Tokenize(sql);
    EditedText text(sql, 0);
    text.Apply(ListingReplacements(tokens, catalog_));
    if (text.text() == sql) return "(unchanged)";
    return OneText("SELECT string_agg(CAST(x AS VARCHAR), ';') FROM (" + text.text() + ") x");
  }

  void AddTables() {
    const worker::CatalogDelta delta{
        .version = 1,
        .tables = {
            {.name = "it's", .source = "a.csv", .columns = {{"c", "BIGINT", ""}}},
            {.name = "sales", .source = "db:shop.Sales", .db_schema = "shop", .db_name = "Sales"}}};
    ASSERT_TRUE(catalog_.Apply(delta, connection()).has_value());
  }

  worker::child::MountedCatalog catalog_;
};

TEST_F(ShowTables, AnswersFromTheCatalog) {
  AddTables();
  EXPECT_EQ(First("SHOW TABLES"), R"({'name': 'it\'s'};{'name': sales})");
  EXPECT_EQ(First("SHOW TABLES FROM db.shop"), "{'name': Sales}");
  EXPECT_EQ(First("show databases"), "{'database_name': db};{'database_name': memory}");
  EXPECT_NE(First("SHOW ALL TABLES").find("[BIGINT]"), std::string::npos);
  EXPECT_NE(First("DESCRIBE").find("[c]"), std::string::npos);
}

TEST_F(ShowTables, AnEmptyCatalogIsNoRow) {
  EXPECT_EQ(First("SHOW TABLES"), "(null)");
  EXPECT_EQ(First("SHOW ALL TABLES"), "(null)");
}

TEST_F(ShowTables, LeavesOtherTextAlone) {
  AddTables();
  EXPECT_EQ(First("SELECT show, tables FROM x"), "(unchanged)");
  EXPECT_EQ(First("DESCRIBE sales"), "(unchanged)");
  EXPECT_EQ(First("SHOW VARIABLES"), "(unchanged)");
}

}  // namespace
}  // namespace ducat::guard
