#include "mcp/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Server, AnswersWhatIsNotJson) {
  McpFixture fixture;
  EXPECT_THAT(fixture.Ask("{"), HasSubstr("-32700"));
  EXPECT_THAT(fixture.Ask("{} {}"), HasSubstr("-32700"));
  EXPECT_THAT(fixture.Ask("\xEF\xBB\xBF{}"), HasSubstr("-32700"));
  EXPECT_THAT(fixture.Ask("{\"a\":\"\xFF\"}"), HasSubstr("-32700"));
  EXPECT_THAT(fixture.Ask(R"({"a":"\ud800"})"), HasSubstr("-32700"));
  EXPECT_THAT(fixture.Ask("nonsense"), Not(HasSubstr("\"id\"")));
}

TEST(Server, AnswersJsonBeyondTheLimits) {
  McpFixture fixture;
  const auto nested = [](size_t depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":)" +
           std::string(depth - 2, '[') + std::string(depth - 2, ']') + "}}";
  };
  EXPECT_THAT(fixture.Ask(nested(64)), HasSubstr("\"result\""));
  EXPECT_THAT(fixture.Ask(nested(65)), HasSubstr("-32600"));
  EXPECT_THAT(fixture.Ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","x":1e400})"),
              StartsWith(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600)"));
  EXPECT_THAT(fixture.Ask(R"({"jsonrpc":"2.0","id":"k","method":"ping","x":18446744073709551616})"),
              StartsWith(R"({"jsonrpc":"2.0","id":"k","error":{"code":-32600)"));
}

TEST(Server, EchoesAnIdWhoseNameIsEscaped) {
  McpFixture fixture;
  EXPECT_EQ(fixture.Ask(R"({"jsonrpc":"2.0","\u0069d":7,"method":"ping"})"),
            R"({"jsonrpc":"2.0","id":7,"result":{}})");
}

TEST(Server, ListsNothingYetWhereSomethingWillCome) {
  McpFixture fixture({}, [](Registry& registry) { registry.WillChange(Registry::Change::kTools); });
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "server/discover")),
              HasSubstr(R"("tools":{"listChanged":true})"));
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/list")), HasSubstr(R"("tools":[])"));
}

TEST(Server, RefusesDuplicateAndMisspeltMembers) {
  McpFixture fixture;
  for (const std::string_view text :
       {R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"id":1,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch","name":"echo"}})",
        R"({"jsonrpc":"2.0","id":1,"Method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"METHOD":"ping"})"}) {
    EXPECT_THAT(fixture.Ask(text), HasSubstr("-32600")) << text;
  }
  EXPECT_EQ(fixture.registry.FindTool("extra"), nullptr) << "no handler ran";
}

TEST(Server, RefusesAnswersNobodyWaitsFor) {
  McpFixture fixture;
  EXPECT_THAT(fixture.Ask(R"({"jsonrpc":"2.0","id":5,"result":{}})"),
              StartsWith(R"({"jsonrpc":"2.0","id":5,"error":{"code":-32600)"));
}

TEST(Server, NeverAnswersANotification) {
  McpFixture fixture;
  for (const std::string_view text :
       {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"notifications/unknown","params":5})",
        R"({"jsonrpc":"2.0","method":"tools/list"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"_meta":)"
        R"({"io.modelcontextprotocol/protocolVersion":7}}})"}) {
    EXPECT_THAT(fixture.Ask(text), IsEmpty()) << text;
  }
}

TEST(Server, RefusesParamsThatAreNoObject) {
  McpFixture fixture;
  for (const std::string_view params : {"[]", "5", R"({"_meta":[]})", R"({"_meta":5})"}) {
    EXPECT_THAT(fixture.Ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":)" +
                            std::string(params) + "}"),
                HasSubstr("-32602"))
        << params;
  }
  EXPECT_THAT(fixture.Ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})"),
              HasSubstr(R"("result":{})"));
}

TEST(Server, LetsAClientProbeAndFallBack) {
  McpFixture fixture;
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "server/discover")), HasSubstr("supportedVersions"));
  EXPECT_THAT(fixture.Ask(LegacyRequest("2", "tools/list")), HasSubstr("-32602"))
      << "a probe opens no session";
  fixture.Handshake("2025-11-25");
  EXPECT_THAT(fixture.Ask(LegacyRequest("3", "tools/list")), HasSubstr("\"tools\""));
  EXPECT_THAT(fixture.Ask(ModernRequest("4", "server/discover")), HasSubstr("supportedVersions"));
  EXPECT_THAT(fixture.Ask(LegacyRequest("5", "ping")), HasSubstr(R"("result":{}})"));
}

TEST(Server, NegotiatesARevision) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2024-11-05", "2024-11-05"}, {"2025-03-26", "2025-03-26"},
      {"2025-06-18", "2025-06-18"}, {"2025-11-25", "2025-11-25"},
      {"2026-07-28", "2025-11-25"}, {"2024-10-07", "2025-11-25"},
      {"nonsense", "2025-11-25"},   {"", "2025-11-25"}};
  for (const auto& [asked, given] : cases) {
    McpFixture fixture;
    EXPECT_THAT(fixture.Ask(LegacyRequest("1", "initialize",
                                          "\"protocolVersion\":\"" + std::string(asked) + "\"")),
                HasSubstr("\"protocolVersion\":\"" + std::string(given) + "\""));
  }
}

TEST(Server, OffersOnlyWhatIsRegistered) {
  McpFixture fixture({}, [](Registry&) {});
  const std::string reply = fixture.Ask(ModernRequest("1", "server/discover"));
  EXPECT_THAT(reply, HasSubstr(R"("capabilities":{"logging":{}})"));
  for (const std::string_view method :
       {"tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
        "resources/read", "resources/templates/list", "completion/complete"}) {
    EXPECT_THAT(fixture.Ask(ModernRequest("1", method)), HasSubstr("-32601")) << method;
  }
  fixture.Handshake("2025-11-25");
  EXPECT_THAT(fixture.Ask(LegacyRequest("1", "resources/subscribe", R"("uri":"x")")),
              HasSubstr("-32601"));
}

TEST(Server, RefusesWhatTheTransportCouldNotTake) {
  McpFixture fixture;
  fixture.server->Refuse({.code = rpc::kInvalidRequest, .message = "too long"},
                         fixture.client->session());
  EXPECT_EQ(fixture.client->Take().at(0),
            R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"too long"}})");
}

TEST(Server, KeepsSessionsApart) {
  McpFixture fixture;
  MemoryClient other(fixture.loop, *fixture.server);
  const std::string slow = R"("name":"slow","arguments":{"ms":1000})";
  fixture.client->Feed(ModernRequest("1", "tools/call", slow, R"("progressToken":1)"));
  other.Feed(ModernRequest("1", "tools/call", slow, R"("progressToken":1)"));
  other.Feed(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  fixture.Advance(std::chrono::seconds(10));
  EXPECT_THAT(other.Take(), IsEmpty());
  EXPECT_FALSE(fixture.client->Take().empty());
}

}  // namespace
}  // namespace ducat::mcp
