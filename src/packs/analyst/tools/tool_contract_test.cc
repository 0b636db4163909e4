// What every tool of the pack must keep, whatever it does (protocol.md 14.1, 14.2).
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "base/text.h"
#include "json/schema.h"
#include "json/view.h"
#include "mcp/server.h"
#include "packs/analyst/analyst_pack.h"
#include "packs/analyst/instructions.h"
#include "support/dataset_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

constexpr size_t kToolsListMax = 24'000;     // without the opt-in tools (analyst.md 12, ADR 0014)
constexpr size_t kShownToModelsMax = 8'500;  // what hosts put before the model

struct PackFixture : DatasetFixture {
  explicit PackFixture(bool saved_queries) {
    settings.allow_saved_queries = saved_queries;
    pack = std::make_unique<AnalystPack>(DatasetParts{.executor = loop.get_executor(),
                                                      .clock = clock,
                                                      .log = log,
                                                      .settings = settings,
                                                      .catalog = catalog,
                                                      .jobs = jobs},
                                         FileScan::Open(settings.data_root, settings.scan).value());
    EXPECT_THAT(pack->Register(registry), IsOk());
  }
  mcp::Registry registry;
  std::unique_ptr<AnalystPack> pack;
};

TEST(ToolContract, OffersTheToolsOfTheReferenceServerInOrder) {
  const PackFixture fixture(true);
  std::vector<std::string> names;
  for (const auto& tool : fixture.registry.tools())
    names.push_back(tool->info.name);
  EXPECT_THAT(
      names, ::testing::ElementsAre("list_tables", "describe_table", "profile_table", "sample_rows",
                                    "query", "explain_query", "search_columns",
                                    "table_relationships", "save_query", "list_saved_queries"));
  EXPECT_EQ(PackFixture(false).registry.tools().size(), 8U);
}

// Purpose, siblings, effect, parameters and result are all spoken of, briefly.
TEST(ToolContract, DescribesEveryToolCompletely) {
  const PackFixture fixture(true);
  for (const auto& tool : fixture.registry.tools()) {
    SCOPED_TRACE(tool->info.name);
    const std::string& text = tool->info.description;
    EXPECT_LE(CountCodePoints(text), 1'024U);
    EXPECT_THAT(text, AnyOf(HasSubstr("Use it"), HasSubstr("Call it first")));
    EXPECT_THAT(text, HasSubstr("Returns "));
    EXPECT_THAT(text, AnyOf(HasSubstr("hanges nothing"), HasSubstr("changes no data")));
    for (const json::Field& field : tool->input->fields) {
      EXPECT_THAT(text, HasSubstr(std::string(field.name))) << "parameter not explained";
    }
    size_t siblings = 0;
    for (const auto& other : fixture.registry.tools()) {
      siblings += other != tool && text.find(other->info.name) != std::string::npos ? 1 : 0;
    }
    EXPECT_GE(siblings, 2U) << "names no better sibling";
    EXPECT_EQ(tool->info.error_style, mcp::ErrorStyle::kBracketed);
    EXPECT_EQ(tool->info.read_only, tool->info.name != "save_query");
    EXPECT_FALSE(tool->info.destructive);
    EXPECT_TRUE(tool->info.idempotent);
    EXPECT_FALSE(tool->info.open_world);
  }
}

TEST(ToolContract, DeclaresEachErrorOnceWithAWayOut) {
  const PackFixture fixture(true);
  for (const auto& tool : fixture.registry.tools()) {
    std::set<std::string_view> reasons;
    for (const mcp::DeclaredError& error : tool->info.errors) {
      EXPECT_TRUE(reasons.insert(error.reason).second) << tool->info.name << " " << error.reason;
      EXPECT_FALSE(error.when.empty() || error.recovery.empty()) << error.reason;
    }
  }
}

// Every argument is described; of a result what its name does not say.
void ExpectSchema(json::View schema, const std::string& path, bool is_input) {
  if (!schema.IsObject()) return;
  if (const auto type = schema.Find("type")) EXPECT_TRUE(type->IsString()) << path;
  for (const char* banned : {"nullable", "$ref"})
    EXPECT_FALSE(schema.Find(banned)) << path;
  const auto properties = schema.Find("properties");
  if (!properties) return;
  properties->ForEachMember([&](std::string_view name, json::View property) {
    const std::string at = path + "." + std::string(name);
    if (is_input) EXPECT_TRUE(property.Find("description").has_value()) << at;
    ExpectSchema(property, at, is_input);
    if (const auto items = property.Find("items")) ExpectSchema(*items, at + "[]", is_input);
    return true;
  });
}

TEST(ToolContract, HasSchemasThatClientsAccept) {
  PackFixture fixture(true);
  mcp::Server server(fixture.loop.get_executor(), fixture.registry, fixture.clock, fixture.log, {});
  for (const mcp::Revision revision : {mcp::kModern, mcp::kNewestLegacy}) {
    json::Document document;
    const std::string text = server.ToolsJson(revision);
    const auto tools = document.Parse(text);
    ASSERT_THAT(tools, IsOk());
    tools->ForEachElement([](json::View tool) {
      const std::string name(*tool.Find("name")->AsString());
      const json::View input = *tool.Find("inputSchema");
      EXPECT_EQ(input.Find("type")->AsString(), "object") << name;
      EXPECT_TRUE(input.Find("properties").has_value()) << name;
      for (const char* banned : {"anyOf", "oneOf", "allOf", "not", "if"}) {
        EXPECT_FALSE(input.Find(banned).has_value()) << name << " " << banned;
      }
      ExpectSchema(input, name, true);
      EXPECT_EQ(tool.Find("outputSchema")->Find("type")->AsString(), "object") << name;
      ExpectSchema(*tool.Find("outputSchema"), name, false);
      return true;
    });
  }
}

TEST(ToolContract, KeepsTheListSmall) {
  PackFixture fixture(false);
  mcp::Server server(fixture.loop.get_executor(), fixture.registry, fixture.clock, fixture.log, {});
  for (const mcp::Revision revision :
       {mcp::Revision::k20250618, mcp::kNewestLegacy, mcp::kModern}) {
    EXPECT_LE(server.ToolsJson(revision).size(), kToolsListMax) << mcp::Name(revision);
  }
  size_t shown = 0;
  for (const auto& tool : fixture.registry.tools()) {
    std::string input;
    json::JsonWriter out(input);
    json::AppendInputSchema(*tool->input, false, out);
    shown += tool->info.name.size() + tool->info.description.size() + input.size();
  }
  EXPECT_LE(shown, kShownToModelsMax);
}

TEST(Instructions, NameTablesWithinTheirLimit) {
  PackFixture fixture(false);
  for (int i = 0; i < 60; ++i) {
    fixture.data.Write("a_rather_long_name_of_a_table_" + std::to_string(i) + ".csv", "1");
  }
  const std::string before = Instructions(fixture.pack->dataset());
  EXPECT_THAT(before, Not(HasSubstr("Tables:")));
  const std::string text = fixture.registry.instructions(nullptr);
  EXPECT_LE(CountCodePoints(text), kInstructionsMax);
  EXPECT_THAT(text, HasSubstr("Tables: 60: a_rather_long_name_of_a_table_0, "));
  EXPECT_TRUE(text.ends_with(", ..."));
}

TEST(Instructions, ShowFewNamesWhole) {
  PackFixture fixture(false);
  fixture.data.Write("orders.csv", "1");
  fixture.data.Write("users.csv", "1");
  EXPECT_TRUE(fixture.registry.instructions(nullptr).ends_with("Tables: 2: orders, users."));
}

}  // namespace
}  // namespace ducat::analyst
