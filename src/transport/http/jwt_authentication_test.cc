// Authentication by JWT, as it is on the wire, with the issuer's keys on loopback (protocol.md 8;
// S-25, S-26, S-29).
#include <gmock/gmock.h>

#include "fetch/curl_client.h"
#include "support/canned_server.h"
#include "support/http_fixture.h"
#include "support/jwt_signer.h"
#include "transport/http/jwt/jwks_url.h"
#include "transport/http/jwt/jwt_verifier.h"

namespace ducat::transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::CannedReply;
using testing::CannedServer;
using ::testing::HasSubstr;
using testing::HttpClient;
using testing::HttpFixture;
using testing::HttpReply;
using testing::HttpRequest;
using testing::JwtSigner;
using testing::Mirror;
using testing::ModernRequest;
using ::testing::Not;
using testing::Post;

class JwtAuthentication : public ::testing::Test {
 protected:
  JwtAuthentication() {
    HttpOptions options;
    options.public_url = "https://h.example/mcp";
    fixture_ = std::make_unique<HttpFixture>(
        std::move(options), mcp::ServerOptions(),
        [this](HttpFixture& fixture, HttpOptions& given) { given.jwt = MakeVerifier(fixture); });
  }

  std::shared_ptr<JwtVerifier> MakeVerifier(HttpFixture& fixture) {
    auto module = LoadCryptoModule(CryptoModulePath());
    CHECK(module.has_value());
    JwksUrl::Parts parts{.url = issuer_.url("/jwks"),
                         .limits = {},
                         .module = *std::move(module),
                         .client = std::make_unique<fetch::CurlClient>(fixture.mcp.loop)};
    const JwtRules rules{.issuer = "https://issuer.example", .audience = "https://h.example/mcp"};
    return std::make_shared<JwtVerifier>(
        rules, std::make_unique<JwksUrl>(std::move(parts), fixture.mcp.log), fixture.mcp.log);
  }
  // Valid for an hour by the fixture's clock.
  [[nodiscard]] std::string TokenOf(const JwtSigner& signer, std::string_view kid) const {
    const auto wall = fixture_->mcp.clock.Wall().time_since_epoch();
    const auto end = std::chrono::duration_cast<seconds>(wall).count() + 3'600;
    return signer.Token(
        R"({"alg":"ES256","kid":")" + std::string(kid) + "\"}",
        R"({"iss":"https://issuer.example","aud":"https://h.example/mcp","sub":"alice","exp":)" +
            std::to_string(end) + "}");
  }
  static std::string Bearer(std::string_view token) {
    return "Authorization: Bearer " + std::string(token) + "\r\n";
  }
  static std::string List(std::string_view headers) {
    return Post(ModernRequest("1", "tools/list"), Mirror("tools/list") + std::string(headers));
  }
  HttpReply Call(std::string_view headers) {
    HttpClient client(*fixture_);
    return client.Ask(List(headers));
  }
  void Publish(std::string_view keys) { issuer_.Say(CannedReply("200 OK", testing::Jwks(keys))); }

  JwtSigner first_ = JwtSigner::Ec();
  JwtSigner second_ = JwtSigner::Ec();
  CannedServer issuer_{CannedReply("200 OK", testing::Jwks(first_.Jwk("k1")))};
  std::unique_ptr<HttpFixture> fixture_;
};

TEST_F(JwtAuthentication, FetchesTheIssuersKeysOnce) {
  const std::string good = Bearer(TokenOf(first_, "k1"));
  HttpClient one(*fixture_);
  HttpClient two(*fixture_);
  one.Send(List(good));
  two.Send(List(good));
  EXPECT_EQ(one.Read().status, 200);
  EXPECT_EQ(two.Read().status, 200);
  EXPECT_EQ(Call(good).status, 200);
  EXPECT_EQ(issuer_.requests(), 1);
}

TEST_F(JwtAuthentication, S29FollowsARotationOfKeys) {
  EXPECT_EQ(Call(Bearer(TokenOf(first_, "k1"))).status, 200);
  Publish(first_.Jwk("k1") + "," + second_.Jwk("k2"));
  EXPECT_EQ(Call(Bearer(TokenOf(second_, "k2"))).status, 401);  // the cool-down
  fixture_->Advance(seconds(300));
  EXPECT_EQ(Call(Bearer(TokenOf(second_, "k2"))).status, 200);
  EXPECT_EQ(Call(Bearer(TokenOf(first_, "k1"))).status, 200);
  EXPECT_EQ(issuer_.requests(), 2);
  Publish(second_.Jwk("k2"));
  fixture_->Advance(seconds(600));
  EXPECT_EQ(Call(Bearer(TokenOf(first_, "k1"))).status, 401);
  EXPECT_EQ(Call(Bearer(TokenOf(second_, "k2"))).status, 200);
}

TEST_F(JwtAuthentication, ReloadFetchesThemAnew) {
  EXPECT_EQ(Call(Bearer(TokenOf(first_, "k1"))).status, 200);
  Publish(second_.Jwk("k2"));
  fixture_->server->Reload();
  HttpClient client(*fixture_);
  for (int tries = 0; tries < 1'000 && issuer_.requests() < 2; ++tries) {
    static_cast<void>(client.ReadForAWhile());
  }
  static_cast<void>(client.ReadForAWhile());
  EXPECT_EQ(Call(Bearer(TokenOf(second_, "k2"))).status, 200);
  EXPECT_EQ(Call(Bearer(TokenOf(first_, "k1"))).status, 401);
}

TEST_F(JwtAuthentication, WithoutKeysNobodyIsKnown) {
  issuer_.Say(CannedReply("500 Oops", ""));
  const HttpReply reply = Call(Bearer(TokenOf(first_, "k1")));
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.Header("retry-after"), "10");
  EXPECT_EQ(reply.Header("www-authenticate"), "");
  EXPECT_EQ(Call("").status, 401);
}

TEST_F(JwtAuthentication, AClientThatLeavesWhileItWaitsHurtsNobody) {
  issuer_.Say("");
  {
    HttpClient client(*fixture_);
    client.Send(List(Bearer(TokenOf(first_, "k1"))));
    EXPECT_EQ(client.ReadForAWhile(), "");
  }
  EXPECT_EQ(fixture_->server->connections(), 0U);
  HttpClient waiting(*fixture_);
  waiting.Send(List(Bearer(TokenOf(first_, "k1"))));
  fixture_->server.reset();  // with a fetch and a waiting request
  EXPECT_TRUE(waiting.IsClosed());
}

TEST_F(JwtAuthentication, S26PointsToItsMetadata) {
  const std::string metadata =
      "resource_metadata=\"https://h.example/.well-known/oauth-protected-resource/mcp\"";
  const HttpReply missing = Call("");
  EXPECT_EQ(missing.status, 401);
  EXPECT_THAT(missing.Header("www-authenticate"), HasSubstr(metadata));
  EXPECT_THAT(missing.Header("www-authenticate"), Not(HasSubstr("error")));
  const HttpReply wrong = Call(Bearer(TokenOf(second_, "k1")));
  EXPECT_EQ(wrong.status, 401);
  EXPECT_THAT(wrong.Header("www-authenticate"), HasSubstr("Bearer error=\"invalid_token\", "));
  EXPECT_THAT(wrong.Header("www-authenticate"), HasSubstr(metadata));
  const HttpReply good = Call(Bearer(TokenOf(first_, "k1")));
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.Header("www-authenticate"), "");
}

TEST_F(JwtAuthentication, TellsClientsWhereToAskForTokens) {
  HttpClient client(*fixture_);
  for (const char* path :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"}) {
    const HttpReply reply = client.Ask(HttpRequest("GET", path));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.Header("content-type"), "application/json");
    EXPECT_THAT(reply.body, HasSubstr(R"("resource":"https://h.example/mcp")"));
    EXPECT_THAT(reply.body, HasSubstr(R"("authorization_servers":["https://issuer.example"])"));
  }
  EXPECT_THAT(client.Ask(HttpRequest("GET", "/.well-known/mcp.json")).body,
              HasSubstr(R"("authentication":{"required":true,"type":"oauth",)"
                        R"("authorization_servers":["https://issuer.example"],)"
                        R"("resource_identifier":"https://h.example/mcp"})"));
}

TEST_F(JwtAuthentication, S25TokensOverEightKibAreRefused) {
  const auto wall = fixture_->mcp.clock.Wall().time_since_epoch();
  const auto end = std::chrono::duration_cast<seconds>(wall).count() + 3'600;
  const auto token = [&](size_t padding) {
    return first_.Token(
        R"({"alg":"ES256","kid":"k1"})",
        R"({"iss":"https://issuer.example","aud":"https://h.example/mcp","sub":"a","exp":)" +
            std::to_string(end) + R"(,"x":")" + std::string(padding, 'x') + "\"}");
  };
  size_t padding = 5'000;
  while (token(padding + 1).size() <= 8'192) {
    ++padding;
  }
  EXPECT_EQ(Call(Bearer(token(padding))).status, 200);
  EXPECT_EQ(Call(Bearer(token(padding + 1))).status, 401);
}

}  // namespace
}  // namespace ducat::transport
