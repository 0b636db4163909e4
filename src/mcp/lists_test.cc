#include "mcp/lists.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::testing::HasSubstr;
using ::testing::Not;

// `count` resources named r0, r1, …
std::function<void(Registry&)> Resources(const std::shared_ptr<int>& count) {
  return [count](Registry& registry) {
    ResourceProvider provider;
    provider.list = [count] {
      std::vector<ResourceEntry> entries;
      for (int i = 0; i < *count; ++i) {
        const std::string name = "r" + std::to_string(i);
        entries.push_back({.uri = "x://" + name, .name = name});
      }
      return entries;
    };
    registry.AddResources(std::move(provider));
  };
}

std::string List(McpFixture& fixture, const std::string& cursor = "") {
  return fixture.Ask(
      ModernRequest("1", "resources/list", cursor.empty() ? "" : "\"cursor\":\"" + cursor + "\""));
}

std::string NextCursor(const std::string& reply) {
  const std::string_view mark = R"("nextCursor":")";
  const size_t at = reply.find(mark);
  if (at == reply.npos) return "";
  const size_t begin = at + mark.size();
  return reply.substr(begin, reply.find('"', begin) - begin);
}

size_t Entries(const std::string& reply) {
  size_t count = 0;
  for (size_t at = reply.find("\"uri\""); at != reply.npos; at = reply.find("\"uri\"", at + 1)) {
    ++count;
  }
  return count;
}

TEST(Lists, PageAtTheLimitAndOnePastIt) {
  const auto count = std::make_shared<int>(100);
  McpFixture fixture({}, Resources(count));
  const std::string whole = List(fixture);
  EXPECT_EQ(Entries(whole), 100U);
  EXPECT_EQ(NextCursor(whole), "");
  *count = 101;
  const std::string first = List(fixture);
  EXPECT_EQ(Entries(first), 100U);
  const std::string second = List(fixture, NextCursor(first));
  EXPECT_EQ(Entries(second), 1U);
  EXPECT_THAT(second, HasSubstr("x://r100"));
  EXPECT_EQ(NextCursor(second), "");
}

TEST(Lists, KeepThePositionWhenTheListChanges) {
  const auto count = std::make_shared<int>(250);
  McpFixture fixture({}, Resources(count));
  const std::string cursor = NextCursor(List(fixture));
  *count = 150;
  fixture.registry.NotifyResourcesChanged();
  const std::string second = List(fixture, cursor);
  EXPECT_EQ(Entries(second), 50U);
  EXPECT_THAT(second, HasSubstr("x://r100"));
  *count = 10;
  const std::string beyond = List(fixture, cursor);
  EXPECT_THAT(beyond, HasSubstr(R"("resources":[])"));
}

TEST(Lists, TreatEmptyAndNullCursorsAsTheFirstPage) {
  McpFixture fixture;
  const std::string first = fixture.Ask(ModernRequest("1", "tools/list"));
  EXPECT_EQ(fixture.Ask(ModernRequest("1", "tools/list", R"("cursor":"")")), first);
  EXPECT_EQ(fixture.Ask(ModernRequest("1", "tools/list", R"("cursor":null)")), first);
}

TEST(Lists, RefuseACursorThatIsNotTheirs) {
  const auto count = std::make_shared<int>(101);
  McpFixture fixture({}, Resources(count));
  const std::string cursor = NextCursor(List(fixture));
  for (const std::string& wrong : {std::string(R"("cursor":"x")"), std::string(R"("cursor":5)"),
                                   "\"cursor\":\"" + std::string(513, 'A') + "\""}) {
    EXPECT_THAT(fixture.Ask(ModernRequest("1", "resources/list", wrong)), HasSubstr("-32602"));
  }
  EXPECT_THAT(
      fixture.Ask(ModernRequest("1", "resources/templates/list", "\"cursor\":\"" + cursor + "\"")),
      HasSubstr("-32602"));
}

TEST(Lists, SeeToolsThatComeAndGo) {
  McpFixture fixture;
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/list")), Not(HasSubstr("\"extra\"")));
  fixture.client->Feed(ModernRequest("2", "tools/call", R"("name":"touch")"));
  static_cast<void>(fixture.client->Take());
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/list")), HasSubstr("\"extra\""));
  EXPECT_THAT(fixture.server->ToolsJson(kModern), HasSubstr("\"extra\""));
}

}  // namespace
}  // namespace ducat::mcp
