#include "app/client_config.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"

namespace ducat::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

const ServerEntry kEntry{.command = "/opt/bin/ducat", .args = {"analyst", "--data", "/d a"}};

TEST(ClientConfig, KnowsItsClients) {
  EXPECT_THAT(FindClient("cursor"), IsOk());
  const auto unknown = FindClient("emacs");
  ASSERT_THAT(unknown, FailsWith("invalid_usage"));
  EXPECT_THAT(unknown.error().hint, HasSubstr("claude-desktop, claude-code, cursor, vscode"));
}

TEST(ClientConfig, KnowsWhereEachKeepsIt) {
  const Environment home = [](std::string_view name) -> std::optional<std::string> {
    return name == "HOME" ? std::optional<std::string>("/home/u") : std::nullopt;
  };
  EXPECT_EQ(*ConfigPath(*FindClient("cursor"), home), "/home/u/.cursor/mcp.json");
  EXPECT_EQ(*ConfigPath(*FindClient("claude-code"), home), "/home/u/.claude.json");
#ifdef __linux__
  EXPECT_EQ(*ConfigPath(*FindClient("vscode"), home), "/home/u/.config/Code/User/mcp.json");
  EXPECT_EQ(*ConfigPath(*FindClient("claude-desktop"), home),
            "/home/u/.config/Claude/claude_desktop_config.json");
#endif
  const Environment nowhere = [](std::string_view) -> std::optional<std::string> { return {}; };
  EXPECT_THAT(ConfigPath(*FindClient("cursor"), nowhere), FailsWith("invalid_usage"));
}

TEST(ClientConfig, PrintsTheEntryInTheClientsForm) {
  EXPECT_EQ(OnlyEntry(*FindClient("cursor"), kEntry),
            "{\n  \"mcpServers\": {\n    \"ducat\": {\n      \"command\": \"/opt/bin/ducat\",\n"
            "      \"args\": [\n        \"analyst\",\n        \"--data\",\n        \"/d a\"\n"
            "      ]\n    }\n  }\n}\n");
  EXPECT_THAT(OnlyEntry(*FindClient("vscode"), kEntry), HasSubstr("\"servers\": {"));
  EXPECT_THAT(OnlyEntry(*FindClient("vscode"), kEntry), HasSubstr("\"type\": \"stdio\""));
}

TEST(ClientConfig, KeepsEverythingElse) {
  const Client cursor = *FindClient("cursor");
  const auto merged =
      WithEntry(cursor, kEntry,
                R"({"theme":"a\"{b,","n":1.50,"mcpServers":{"other":{"command":"x","args":[]},)"
                R"("ducat":{"command":"old"}},"z":{}})",
                "/c.json");
  ASSERT_THAT(merged, IsOk());
  EXPECT_TRUE(merged->replaced);
  EXPECT_THAT(merged->content, HasSubstr("\"theme\": \"a\\\"{b,\""));
  EXPECT_THAT(merged->content,
              HasSubstr("\"other\": {\n      \"command\": \"x\",\n      \"args\": []\n    }"));
  EXPECT_THAT(merged->content, HasSubstr("\"z\": {}"));
  EXPECT_THAT(merged->content, ::testing::Not(HasSubstr("old")));
  // A second time nothing changes.
  EXPECT_EQ(WithEntry(cursor, kEntry, merged->content, "/c.json")->content, merged->content);
}

TEST(ClientConfig, StartsAFileThatIsMissingOrBlank) {
  const Client cursor = *FindClient("cursor");
  for (const char* existing : {" \n", "{}", R"({"mcpServers":{}})"}) {
    const auto merged = WithEntry(cursor, kEntry, existing, "/c.json");
    EXPECT_EQ(merged->content, OnlyEntry(cursor, kEntry));
    EXPECT_FALSE(merged->replaced);
  }
}

TEST(ClientConfig, TouchesNothingItDoesNotUnderstand) {
  const Client vscode = *FindClient("vscode");
  struct Case {
    const char* existing;
    const char* reason;
  };
  for (const auto& [existing, reason] :
       {Case{"{ // comment\n}", "config_not_json"}, Case{R"({"servers":{},})", "config_not_json"},
        Case{"[]", "config_unexpected"}, Case{R"({"servers":[]})", "config_unexpected"}}) {
    const auto refused = WithEntry(vscode, kEntry, existing, "/h/mcp.json");
    ASSERT_THAT(refused, FailsWith(reason)) << existing;
    EXPECT_THAT(refused.error().message, HasSubstr("/h/mcp.json"));
    EXPECT_THAT(refused.error().message, ::testing::Not(HasSubstr("..")));
    EXPECT_THAT(refused.error().hint, HasSubstr("--print"));
  }
}

}  // namespace
}  // namespace ducat::app
