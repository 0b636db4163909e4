#include "mcp/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RankCompletions, PutsPrefixesFirstWithoutCase) {
  EXPECT_THAT(RankCompletions({"xab", "Abc", "aba", "b", "ABa", "aba"}, "aB"),
              ElementsAre("ABa", "aba", "Abc", "xab"));
  EXPECT_THAT(RankCompletions({"b", "a"}, ""), ElementsAre("a", "b"));
  EXPECT_THAT(RankCompletions({}, "x"), ElementsAre());
}

std::string Complete(McpFixture& fixture, std::string_view params) {
  return fixture.Ask(ModernRequest("1", "completion/complete", params));
}

TEST(Completion, RefusesWhatIsUnknownOrMalformed) {
  McpFixture fixture;
  const std::string prompt = R"("ref":{"type":"ref/prompt","name":"review"})";
  const std::string known = prompt + R"(,"argument":{"name":"topic","value":""})";
  const std::string resource = R"("ref":{"type":"ref/resource","uri":"test://item/{id}"})";
  const std::string id = R"(,"argument":{"name":"id","value":""})";
  const std::string cases[] = {
      R"("argument":{"name":"topic","value":""})",
      R"("ref":{"type":"ref/other"},"argument":{"name":"topic","value":""})",
      R"("ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"topic","value":""})",
      R"("ref":{"type":"ref/resource","uri":"t://x"})" + id,
      prompt + R"(,"argument":{"name":"none","value":""})",
      prompt + R"(,"argument":{"name":"topic"})",
      prompt,
      resource + R"(,"argument":{"name":"x","value":""})",
      known + R"(,"context":5)",
      known + R"(,"context":{"arguments":{"depth":1}})",
  };
  EXPECT_THAT(Complete(fixture, known), HasSubstr("\"completion\""));
  EXPECT_THAT(Complete(fixture, resource + id), HasSubstr("\"completion\""));
  for (const std::string& params : cases) {
    EXPECT_THAT(Complete(fixture, params), HasSubstr("-32602")) << params;
  }
}

TEST(Completion, ShowsAtMost100AndCountsAll) {
  McpFixture fixture({}, [](Registry& registry) {
    ResourceProvider provider;
    provider.templates.push_back({.uri_template = "n://{n}",
                                  .name = "n",
                                  .completions = {{"n", [](std::string_view, const auto&) {
                                                     std::vector<std::string> values;
                                                     for (int i = 0; i < 101; ++i)
                                                       values.push_back(std::to_string(i));
                                                     return values;
                                                   }}}});
    registry.AddResources(std::move(provider));
  });
  const auto ask = [&](std::string_view value) {
    return Complete(fixture, R"("ref":{"type":"ref/resource","uri":"n://{n}"},)"
                             R"("argument":{"name":"n","value":")" +
                                 std::string(value) + "\"}");
  };
  const std::string all = ask("");
  EXPECT_THAT(all, HasSubstr(R"("total":101,"hasMore":true)"));
  EXPECT_EQ(std::ranges::count(all, ',') - std::ranges::count(ask("x"), ','), 99);
  EXPECT_THAT(ask("10"), HasSubstr(R"("values":["10","100"],"total":2,"hasMore":false)"));
}

}  // namespace
}  // namespace ducat::mcp
