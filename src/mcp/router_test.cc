#include "mcp/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kEnvelope = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                       R"("io.modelcontextprotocol/clientCapabilities":{})";

// Routes a request with these members in params._meta.
tl::expected<Routed, RpcError> Route(std::string_view method, std::string_view meta,
                                     std::optional<Revision> negotiated = std::nullopt) {
  const std::string text = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) +
                           R"(","params":{"_meta":{)" + std::string(meta) + "}}}";
  json::Document document;
  const auto root = document.Parse(text);
  EXPECT_TRUE(root.has_value()) << text;
  const auto message = DecodeMessage(*root, "1");
  EXPECT_TRUE(message.has_value());
  auto routed = RouteRequest(*message, negotiated);
  if (routed) routed->envelope.capabilities = {};  // its document ends here
  return routed;
}

TEST(Router, TakesAnEnvelopeForTheModernEraWhateverWasNegotiated) {
  for (const auto negotiated : {std::optional<Revision>(), std::optional(Revision::k20241105)}) {
    const auto routed = Route("tools/list", kEnvelope, negotiated);
    ASSERT_TRUE(routed);
    EXPECT_EQ(routed->revision, kModern);
    EXPECT_EQ(routed->method, Method::kToolsList);
  }
}

TEST(Router, ChecksTheEnvelopeBeforeTheVersionBeforeTheMethod) {
  const std::string unknown_version = R"("io.modelcontextprotocol/protocolVersion":"2099-01-01")";
  EXPECT_EQ(Route("nothing", unknown_version).error().code, rpc::kInvalidParams);
  const auto version =
      Route("nothing", unknown_version + R"(,"io.modelcontextprotocol/clientCapabilities":{})");
  EXPECT_EQ(version.error().code, rpc::kUnsupportedVersion);
  EXPECT_EQ(version.error().data, R"({"supported":["2026-07-28"],"requested":"2099-01-01"})");
  EXPECT_EQ(Route("nothing", kEnvelope).error().code, rpc::kMethodNotFound);
}

TEST(Router, NamesTheEnvelopeKeyThatIsWrong) {
  const std::string claim = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
  const std::string capable = claim + R"(,"io.modelcontextprotocol/clientCapabilities":)";
  const std::pair<std::string, std::string> cases[] = {
      {R"("io.modelcontextprotocol/protocolVersion":5)", "protocolVersion"},
      {R"("io.modelcontextprotocol/protocolVersion":null)", "protocolVersion"},
      {claim, "clientCapabilities"},
      {capable + "[]", "clientCapabilities"},
      {capable + R"({},"io.modelcontextprotocol/clientInfo":"x")", "clientInfo"},
      {capable + R"({},"io.modelcontextprotocol/clientInfo":{"name":"x"})", "clientInfo"},
      {capable + R"({},"io.modelcontextprotocol/logLevel":"loud")", "logLevel"},
      {capable + R"({},"io.modelcontextprotocol/logLevel":"warn")", "logLevel"},
      {capable + R"({},"io.modelcontextprotocol/logLevel":"silent")", "logLevel"},
      {capable + R"({},"progressToken":1.5)", "progressToken"},
      {capable + R"({},"progressToken":null)", "progressToken"},
  };
  for (const auto& [meta, key] : cases) {
    const auto routed = Route("tools/list", meta);
    ASSERT_FALSE(routed) << meta;
    EXPECT_EQ(routed.error().code, rpc::kInvalidParams) << meta;
    EXPECT_THAT(routed.error().message, HasSubstr(key));
  }
}

TEST(Router, ReadsTheEnvelope) {
  const auto routed = Route(
      "tools/call", std::string(kEnvelope) +
                        R"(,"io.modelcontextprotocol/logLevel":"notice","progressToken":"p")");
  ASSERT_TRUE(routed);
  EXPECT_EQ(routed->envelope.log_level, LogLevel::kNotice);
  EXPECT_EQ(routed->envelope.progress_token, R"("p")");
}

TEST(Router, ServesALegacyRevisionToNoModernClaim) {
  const std::string meta = R"("io.modelcontextprotocol/protocolVersion":"2025-11-25",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{})";
  EXPECT_EQ(Route("tools/list", meta, kNewestLegacy).error().code, rpc::kUnsupportedVersion);
}

TEST(Router, NeverServesLegacyMethodsInTheModernEra) {
  for (const std::string_view method :
       {"ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/list",
        "tasks/result", "initialize"}) {
    EXPECT_EQ(Route(method, kEnvelope).error().code, rpc::kMethodNotFound) << method;
  }
}

TEST(Router, TakesInitializeWithoutAValidModernEnvelopeForAHandshake) {
  for (const std::string_view meta :
       {"", R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")",
        R"("io.modelcontextprotocol/protocolVersion":7)",
        R"("io.modelcontextprotocol/protocolVersion":"2025-11-25",)"
        R"("io.modelcontextprotocol/clientCapabilities":{})"}) {
    const auto routed = Route("initialize", meta);
    ASSERT_TRUE(routed) << meta;
    EXPECT_EQ(routed->method, Method::kInitialize);
    EXPECT_FALSE(IsModern(routed->revision));
  }
}

TEST(Router, TellsAModernMethodWithoutAClaimWhatIsMissing) {
  for (const std::string_view method : {"server/discover", "subscriptions/listen"}) {
    for (const auto negotiated : {std::optional<Revision>(), std::optional(kNewestLegacy)}) {
      const auto routed = Route(method, "", negotiated);
      ASSERT_FALSE(routed);
      EXPECT_EQ(routed.error().code, rpc::kInvalidParams);
      EXPECT_THAT(routed.error().data,
                  HasSubstr(R"("missing":["io.modelcontextprotocol/protocolVersion",)"));
    }
  }
}

TEST(Router, ServesOnlyPingBeforeInitialize) {
  EXPECT_TRUE(Route("ping", ""));
  const auto refused = Route("tools/list", "");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, rpc::kInvalidParams);
  EXPECT_THAT(refused.error().message, HasSubstr("initialize"));
  EXPECT_THAT(refused.error().message, HasSubstr("io.modelcontextprotocol/clientCapabilities"));
  EXPECT_EQ(refused.error().data, "{\"supported\":" + std::string(kAllRevisionsJson) + "}");
  EXPECT_EQ(Route("nothing", "").error().code, rpc::kInvalidParams);
}

TEST(Router, ServesANegotiatedRevision) {
  const auto routed = Route("tools/call", R"("progressToken":12)", Revision::k20250618);
  ASSERT_TRUE(routed);
  EXPECT_EQ(routed->revision, Revision::k20250618);
  EXPECT_EQ(routed->envelope.progress_token, "12");
  EXPECT_EQ(Route("nothing", "", kNewestLegacy).error().code, rpc::kMethodNotFound);
}

}  // namespace
}  // namespace ducat::mcp
