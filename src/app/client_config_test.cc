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
                R"("ducat":{"command":"old"}},"z":{}})");
  ASSERT_THAT(merged, IsOk());
  EXPECT_THAT(*merged, HasSubstr("\"theme\": \"a\\\"{b,\""));
  EXPECT_THAT(*merged,
              HasSubstr("\"other\": {\n      \"command\": \"x\",\n      \"args\": []\n    }"));
  EXPECT_THAT(*merged, HasSubstr("\"z\": {}"));
  EXPECT_THAT(*merged, ::testing::Not(HasSubstr("old")));
  // A second time nothing changes.
  EXPECT_EQ(*WithEntry(cursor, kEntry, *merged), *merged);
}

TEST(ClientConfig, StartsAFileThatIsMissingOrBlank) {
  const Client cursor = *FindClient("cursor");
  EXPECT_EQ(*WithEntry(cursor, kEntry, " \n"), OnlyEntry(cursor, kEntry));
  EXPECT_EQ(*WithEntry(cursor, kEntry, "{}"), OnlyEntry(cursor, kEntry));
}

TEST(ClientConfig, TouchesNothingItDoesNotUnderstand) {
  const Client vscode = *FindClient("vscode");
  EXPECT_THAT(WithEntry(vscode, kEntry, "{ // comment\n}"), FailsWith("config_not_json"));
  EXPECT_THAT(WithEntry(vscode, kEntry, "[]"), FailsWith("config_unexpected"));
  EXPECT_THAT(WithEntry(vscode, kEntry, R"({"servers":[]})"), FailsWith("config_unexpected"));
}

}  // namespace
}  // namespace ducat::app
