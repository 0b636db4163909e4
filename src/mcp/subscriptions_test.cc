#include "mcp/subscriptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Listen(std::string_view id, std::string_view filter) {
  return ModernRequest(id, "subscriptions/listen",
                       "\"notifications\":{" + std::string(filter) + "}");
}

TEST(Subscriptions, AcknowledgeOnlyWhatTheyHonour) {
  McpFixture fixture;
  EXPECT_EQ(
      fixture.Ask(Listen("7",
                         R"("toolsListChanged":true,"promptsListChanged":true,)"
                         R"("resourcesListChanged":false,)"
                         R"("resourceSubscriptions":["test://note","test://item/1","y://z"])")),
      R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{)"
      R"("_meta":{"io.modelcontextprotocol/subscriptionId":7},)"
      R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://note"]}}})");
}

TEST(Subscriptions, GatherChangesFor100Ms) {
  McpFixture fixture;
  fixture.client->Feed(Listen(R"("s")", R"("toolsListChanged":true)"));
  static_cast<void>(fixture.client->Take());
  for (int i = 0; i < 4; ++i) {
    fixture.client->Feed(ModernRequest("1", "tools/call", R"("name":"touch")"));
  }
  static_cast<void>(fixture.client->Take());
  fixture.Advance(milliseconds(99));
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  fixture.Advance(milliseconds(1));
  EXPECT_THAT(fixture.client->Take(),
              ElementsAre(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed",)"
                          R"("params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}})"));
}

TEST(Subscriptions, EndWithACancelAndSayNothing) {
  McpFixture fixture;
  fixture.client->Feed(Listen("1", R"("resourcesListChanged":true)"));
  static_cast<void>(fixture.client->Take());
  EXPECT_THAT(fixture.Ask(Listen("1", "")), HasSubstr("in flight"));
  fixture.client->Feed(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  fixture.registry.NotifyResourcesChanged();
  fixture.Advance(milliseconds(100));
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  EXPECT_THAT(fixture.Ask(Listen("1", "")), HasSubstr("acknowledged")) << "the id is free again";
}

TEST(Subscriptions, GetAFinalResultAtShutdown) {
  McpFixture fixture;
  fixture.client->Feed(Listen("7", R"("toolsListChanged":true)"));
  static_cast<void>(fixture.client->Take());
  fixture.server->FinishStreams(fixture.client->session());
  const auto last = fixture.client->Take();
  ASSERT_THAT(last, SizeIs(2));
  EXPECT_THAT(last[0], HasSubstr(R"("id":7,"result":{"resultType":"complete","_meta":{)"
                                 R"("io.modelcontextprotocol/subscriptionId":7)"));
  EXPECT_EQ(last[1], R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                     R"("params":{"requestId":7}})");
}

TEST(Subscriptions, KeepTheirLimits) {
  ServerOptions options;
  options.limits.subscriptions_per_principal_max = 2;
  options.limits.subscribed_uris_max = 1;
  McpFixture fixture(options);
  EXPECT_THAT(fixture.Ask(Listen("1", "")), HasSubstr("acknowledged"));
  EXPECT_THAT(fixture.Ask(Listen("2", R"("resourceSubscriptions":["test://note"])")),
              HasSubstr("acknowledged"));
  EXPECT_THAT(fixture.Ask(Listen("3", "")), HasSubstr("-31003"));
  fixture.client->Feed(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_THAT(fixture.Ask(Listen("3", R"("resourceSubscriptions":["test://note","x"])")),
              HasSubstr("-31003"));
  EXPECT_THAT(fixture.Ask(Listen("3", "")), HasSubstr("acknowledged"));
}

TEST(Subscriptions, KeepTheLimitOfTheWholeServer) {
  ServerOptions options;
  options.limits.subscriptions_max = 1;
  McpFixture fixture(options);
  EXPECT_THAT(fixture.Ask(Listen("1", "")), HasSubstr("acknowledged"));
  EXPECT_THAT(fixture.Ask(Listen("2", "")), HasSubstr("-31003"));
}

TEST(Subscriptions, RefuseMalformedFilters) {
  McpFixture fixture;
  for (const std::string_view filter :
       {R"("toolsListChanged":1)", R"("resourceSubscriptions":"x")",
        R"("resourceSubscriptions":[1])", R"("resourceSubscriptions":["a\u0000"])"}) {
    EXPECT_THAT(fixture.Ask(Listen("1", filter)), HasSubstr("-32602")) << filter;
  }
  EXPECT_THAT(fixture.Ask(Listen("1", R"("taskIds":["x"])")),
              HasSubstr(R"("requiredCapabilities":{"extensions":{)"));
}

TEST(LegacySubscriptions, SendNothingBeforeInitialized) {
  McpFixture fixture;
  fixture.client->Feed(LegacyRequest("1", "initialize", R"("protocolVersion":"2025-06-18")"));
  fixture.client->Feed(LegacyRequest("2", "resources/subscribe", R"("uri":"test://note")"));
  static_cast<void>(fixture.client->Take());
  fixture.registry.NotifyResourceUpdated("test://note");
  fixture.registry.NotifyResourcesChanged();
  fixture.Advance(milliseconds(100));
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  fixture.client->Feed(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  fixture.registry.NotifyResourceUpdated("test://note");
  fixture.registry.NotifyResourceUpdated("test://item/1");
  fixture.Advance(milliseconds(100));
  EXPECT_THAT(fixture.client->Take(),
              ElementsAre(R"({"jsonrpc":"2.0","method":"notifications/resources/updated",)"
                          R"("params":{"uri":"test://note"}})"));
}

TEST(LegacySubscriptions, KeepTheirLimitAndAreForgottenByASecondHandshake) {
  ServerOptions options;
  options.limits.subscribed_uris_max = 0;
  McpFixture fixture(options);
  fixture.Handshake("2025-11-25");
  EXPECT_THAT(fixture.Ask(LegacyRequest("1", "resources/subscribe", R"("uri":"test://note")")),
              HasSubstr("-31003"));
  McpFixture other;
  other.Handshake("2025-11-25");
  EXPECT_THAT(other.Ask(LegacyRequest("1", "resources/subscribe", R"("uri":"test://note")")),
              HasSubstr(R"("result":{})"));
  other.Handshake("2025-11-25");
  other.registry.NotifyResourceUpdated("test://note");
  other.Advance(milliseconds(100));
  EXPECT_THAT(other.client->Take(), IsEmpty());
}

}  // namespace
}  // namespace ducat::mcp
