#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcp/server.h"
#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Initialize, RefusesWhatIsMalformed) {
  McpFixture fixture;
  for (const std::string_view params :
       {"", R"("protocolVersion":5)", R"("protocolVersion":"2025-11-25","capabilities":[])",
        R"("protocolVersion":"2025-11-25","clientInfo":"x")"}) {
    EXPECT_THAT(fixture.Ask(LegacyRequest("1", "initialize", params)), HasSubstr("-32602"))
        << params;
  }
  EXPECT_THAT(fixture.Ask(LegacyRequest("2", "tools/list")), HasSubstr("-32602"))
      << "a refused handshake opens nothing";
}

TEST(Instructions, AreCutAt800Characters) {
  const auto length = std::make_shared<size_t>(800);
  McpFixture fixture({}, [length](Registry& registry) {
    registry.SetInstructions([length] {
      std::string text;
      for (size_t i = 0; i < *length; ++i)
        text += "ü";
      return text;
    });
  });
  const std::string at_limit = fixture.Ask(ModernRequest("1", "server/discover"));
  *length = 801;
  EXPECT_EQ(fixture.Ask(ModernRequest("1", "server/discover")), at_limit);
  *length = 799;
  EXPECT_NE(fixture.Ask(ModernRequest("1", "server/discover")), at_limit);
  *length = 0;
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "server/discover")), Not(HasSubstr("instructions")));
}

TEST(SetLevel, TakesTheEightLevels) {
  McpFixture fixture;
  fixture.Handshake("2025-11-25");
  for (const std::string_view level :
       {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}) {
    EXPECT_THAT(fixture.Ask(LegacyRequest("1", "logging/setLevel",
                                          "\"level\":\"" + std::string(level) + "\"")),
                HasSubstr(R"("result":{})"))
        << level;
  }
  for (const std::string_view params :
       {"", R"("level":"warn")", R"("level":"silent")", R"("level":"INFO")", R"("level":3)"}) {
    EXPECT_THAT(fixture.Ask(LegacyRequest("1", "logging/setLevel", params)), HasSubstr("-32602"))
        << params;
  }
}

TEST(LogLines, FollowTheThresholdOfSessionAndRequest) {
  McpFixture fixture;
  const std::string count = R"("name":"count","arguments":{"steps":1})";
  const std::string line = "notifications/message";
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/call", count)), Not(HasSubstr(line)));
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/call", count,
                                        R"("io.modelcontextprotocol/logLevel":"debug")")),
              HasSubstr(R"({"level":"debug","logger":"ducat.fixture","data":{"message":)"
                        R"("counting","to":1}})"));
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/call", count,
                                        R"("io.modelcontextprotocol/logLevel":"info")")),
              Not(HasSubstr(line)));
  fixture.Handshake("2025-11-25");
  EXPECT_THAT(fixture.Ask(LegacyRequest("1", "tools/call", count)), Not(HasSubstr(line)))
      << "the threshold before setLevel is info";
  static_cast<void>(fixture.Ask(LegacyRequest("2", "logging/setLevel", R"("level":"debug")")));
  EXPECT_THAT(fixture.Ask(LegacyRequest("1", "tools/call", count)), HasSubstr(line));
}

TEST(Subscribe, WantsAResourceThatCanChange) {
  McpFixture fixture;
  fixture.Handshake("2025-11-25");
  EXPECT_THAT(fixture.Ask(LegacyRequest("1", "resources/subscribe", R"("uri":"test://note")")),
              HasSubstr(R"("result":{})"));
  const std::string refused =
      fixture.Ask(LegacyRequest("1", "resources/subscribe", R"("uri":"test://item/1")"));
  EXPECT_THAT(refused, HasSubstr("-32002"));
  EXPECT_THAT(refused, HasSubstr(R"("data":{"uri":"test://item/1"})"));
  EXPECT_THAT(fixture.Ask(LegacyRequest("1", "resources/subscribe")), HasSubstr("-32602"));
  EXPECT_THAT(fixture.Ask(LegacyRequest("1", "resources/unsubscribe", R"("uri":"other://x")")),
              HasSubstr(R"("result":{})"));
}

}  // namespace
}  // namespace ducat::mcp
