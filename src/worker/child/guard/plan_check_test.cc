#include "worker/child/guard/plan_check.h"

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"

namespace ducat::guard {
namespace {

class PlanCheck : public engine::EngineFixture {
 protected:
  void SetUp() override {
    EngineFixture::SetUp();
    worker::CatalogTable own{.name = "orders", .source = "orders.csv", .file = "/t/orders.parquet"};
    const worker::CatalogDelta delta{.version = 1,
                                     .tables = {own, {.name = "pending", .source = "pending.csv"}}};
    ASSERT_TRUE(catalog_.Apply(delta, connection()).has_value());
  }

  // The code of the verdict; empty: the plan may run.
  std::string Check(std::string_view plan, std::set<std::string> tables,
                    std::set<std::string> functions = {}) {
    json::Document document;
    const auto root = document.Parse(plan);
    if (!root.has_value()) return "bad plan in the test";
    const auto finding = guard::CheckPlan(*root, {.tables = tables,
                                                  .functions = functions,
                                                  .catalog = catalog_,
                                                  .profile = worker::Profile::kAnalyst});
    return finding.has_value() ? finding->token : "";
  }

  worker::child::MountedCatalog catalog_;
};

TEST_F(PlanCheck, KnowsOperatorsAtEveryDepth) {
  EXPECT_EQ(Check(R"([{"name":"PROJECTION","children":[{"name":"HASH_JOIN","children":[]}]}])", {}),
            "");
  EXPECT_EQ(
      Check(R"([{"name":"PROJECTION","children":[{"name":"COPY_TO_FILE","children":[]}]}])", {}),
      "COPY_TO_FILE");
  EXPECT_EQ(Check(R"([{"name":"ENABLE_LOGGING","children":[]}])", {}, {"enable_logging"}),
            "ENABLE_LOGGING");
}

TEST_F(PlanCheck, ScansOnlyWalkedTables) {
  constexpr std::string_view kScan =
      R"([{"name":"SEQ_SCAN ","children":[],"extra_info":{"Table":"memory.main.orders"}}])";
  EXPECT_EQ(Check(kScan, {"orders"}), "");
  EXPECT_NE(Check(kScan, {"pending"}), "");
}

TEST_F(PlanCheck, TableFunctionsMustBeInTheStatement) {
  constexpr std::string_view kRange = R"([{"name":"RANGE","children":[]}])";
  EXPECT_EQ(Check(kRange, {}, {"range"}), "");
  EXPECT_NE(Check(kRange, {}, {}), "");
  constexpr std::string_view kCsv = R"([{"name":"READ_CSV","children":[]}])";
  EXPECT_EQ(Check(kCsv, {}, {"read_csv_auto"}), "");
  EXPECT_NE(Check(kCsv, {"orders"}, {}), "");
}

TEST_F(PlanCheck, ParquetIsReadBehindTables) {
  constexpr std::string_view kParquet = R"([{"name":"READ_PARQUET","children":[]}])";
  EXPECT_EQ(Check(kParquet, {"orders"}), "");
  EXPECT_NE(Check(kParquet, {"pending"}), "");
  EXPECT_NE(Check(kParquet, {}), "");
}

}  // namespace
}  // namespace ducat::guard
