#include "mcp/registry.h"

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using ::testing::ElementsAre;

struct Empty {
  static constexpr std::array<json::Field, 0> Fields() { return {}; }
};

Tool Named(std::string name) {
  return MakeTool<Empty, Empty>(
      {.name = std::move(name), .title = "T", .description = "D"},
      [](Empty, CallContext&) -> Task<Empty> { co_return Empty{}; },
      [](const Empty&, Text& text) { text.Add("done"); });
}

TEST(Registry, KeepsTheOrderAndRefusesDoubles) {
  Registry registry;
  EXPECT_THAT(registry.AddTool(Named("b")), IsOk());
  EXPECT_THAT(registry.AddTool(Named("a")), IsOk());
  EXPECT_THAT(registry.AddTool(Named("b")), FailsWith("invalid_tool"));
  ASSERT_EQ(registry.tools().size(), 2U);
  EXPECT_EQ(registry.tools()[0]->info.name, "b");
  EXPECT_NE(registry.FindTool("a"), nullptr);
  EXPECT_EQ(registry.FindTool("c"), nullptr);
}

TEST(Registry, ListsNoDisabledTool) {
  Registry registry;
  EXPECT_EQ(registry.FindDisabledTool("a"), nullptr);
  registry.AddDisabledTool({.name = "a", .reason = "a_disabled", .why = "off", .hint = "--a"});
  ASSERT_NE(registry.FindDisabledTool("a"), nullptr);
  EXPECT_EQ(registry.FindDisabledTool("a")->reason, "a_disabled");
  EXPECT_EQ(registry.FindTool("a"), nullptr);
  EXPECT_TRUE(registry.tools().empty());
}

TEST(Registry, TellsItsListenerAndCountsVersions) {
  Registry registry;
  std::vector<Registry::Change> changes;
  registry.OnChange([&](Registry::Change kind) { changes.push_back(kind); });
  const uint64_t before = registry.version(Registry::Change::kTools);
  EXPECT_THAT(registry.AddTool(Named("a")), IsOk());
  registry.RemoveTool("nothing");
  registry.RemoveTool("a");
  registry.AddResources({});
  EXPECT_THAT(changes, ElementsAre(Registry::Change::kTools, Registry::Change::kTools,
                                   Registry::Change::kResources));
  EXPECT_EQ(registry.version(Registry::Change::kTools), before + 2);
  std::vector<std::string> updated;
  registry.OnResourceUpdated([&](std::string_view uri) { updated.emplace_back(uri); });
  registry.NotifyResourceUpdated("x://y");
  EXPECT_THAT(updated, ElementsAre("x://y"));
}

TEST(Registry, LetsARunningCallHoldARemovedTool) {
  Registry registry;
  EXPECT_THAT(registry.AddTool(Named("a")), IsOk());
  const auto held = registry.FindTool("a");
  registry.RemoveTool("a");
  EXPECT_EQ(registry.FindTool("a"), nullptr);
  EXPECT_EQ(held->info.name, "a");
}

}  // namespace
}  // namespace ducat::mcp
