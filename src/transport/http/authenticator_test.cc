// Authentication by bearer token, as it is on the wire (protocol.md 8; S-08, S-26, S-27, S-29).
#include "transport/http/authenticator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/http_fixture.h"
#include "support/scratch_folder.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

using ::ducat::testing::HttpClient;
using ::ducat::testing::HttpFixture;
using ::ducat::testing::HttpReply;
using ::ducat::testing::HttpRequest;
using ::ducat::testing::LegacyRequest;
using ::ducat::testing::Mirror;
using ::ducat::testing::ModernEcho;
using ::ducat::testing::ModernRequest;
using ::ducat::testing::Post;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

std::string LineOf(std::string_view token, std::string_view rest) {
  return "sha256:" + Hex(Sha256(token)) + " " + std::string(rest) + "\n";
}

class Authentication : public ::testing::Test {
 protected:
  Authentication() {
    folder_.Write("tokens",
                  LineOf("t-alice", "principal=alice") + LineOf("t-bob", "principal=bob"));
    auto tokens = TokenFile::Open(folder_.string() + "/tokens");
    CHECK(tokens.has_value());
    HttpOptions options;
    options.tokens = std::make_shared<TokenFile>(*std::move(tokens));
    fixture_ = std::make_unique<HttpFixture>(std::move(options));
  }
  static std::string Bearer(std::string_view token) {
    return "Authorization: Bearer " + std::string(token) + "\r\n";
  }
  HttpReply Call(std::string_view headers) {
    HttpClient client(*fixture_);
    return client.Ask(
        Post(ModernRequest("1", "tools/list"), Mirror("tools/list") + std::string(headers)));
  }

  testing::ScratchFolder folder_;
  std::unique_ptr<HttpFixture> fixture_;
};

TEST_F(Authentication, LetsKnownTokensIn) {
  EXPECT_EQ(Call(Bearer("t-alice")).status, 200);
  EXPECT_EQ(Call("authorization: bearer t-bob\r\n").status, 200);
  EXPECT_EQ(Call(Bearer("t-alice")).Header("www-authenticate"), "");
}

TEST_F(Authentication, S26ChallengesWithoutAndWithAWrongToken) {
  const HttpReply missing = Call("");
  EXPECT_EQ(missing.status, 401);
  EXPECT_EQ(missing.Header("www-authenticate"), "Bearer");
  const HttpReply wrong = Call(Bearer("t-mallory"));
  EXPECT_EQ(wrong.status, 401);
  EXPECT_EQ(wrong.Header("www-authenticate"), "Bearer error=\"invalid_token\"");
  EXPECT_THAT(wrong.body, Not(HasSubstr("mallory")));
}

TEST_F(Authentication, S26RefusesOtherForms) {
  EXPECT_EQ(Call("Authorization: Basic YTpi\r\n").status, 400);
  EXPECT_EQ(Call("Authorization: Bearer\r\n").status, 400);
  EXPECT_EQ(Call("Authorization: Bearer \r\n").status, 400);
  EXPECT_EQ(Call("Authorization: Bearer a, Basic b\r\n").status, 400);
  EXPECT_EQ(Call("Authorization: Bearer a b\r\n").status, 400);
}

TEST_F(Authentication, S26RefusesATokenInTheUrlHoweverItIsSpelt) {
  const auto status = [this](std::string_view query) {
    HttpClient client(*fixture_);
    const std::string target = "/mcp?" + std::string(query);
    const std::string headers =
        Mirror("tools/list") + Bearer("t-alice") + "Content-Type: application/json\r\n";
    return client.Ask(HttpRequest("POST", target, headers, ModernRequest("1", "tools/list")))
        .status;
  };
  for (const char* query :
       {"access_token=t-alice", "a=1&access_token=t-alice", "a=1;access_token=t-alice",
        "access%5Ftoken=t-alice", "a&%61ccess%5ftoken=x", "Access_Token=t-alice", "access_token",
        "access_token=", "?access_token=x", "a#access_token=x"}) {
    EXPECT_EQ(status(query), 400) << query;
  }
  for (const char* query : {"", "a=access_token", "my_access_token=1", "access_token2=x",
                            "access%255Ftoken=x", "access%5=x", "%", "&&==&"}) {
    EXPECT_EQ(status(query), 200) << query;
  }
}

TEST_F(Authentication, GuardsTheEndpointAlone) {
  HttpClient client(*fixture_);
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/healthz")).status, 200);
  EXPECT_THAT(client.Ask(HttpRequest("GET", "/.well-known/mcp.json")).body,
              HasSubstr(R"("authentication":{"required":true,"type":"bearer"})"));
  // A 200 here would send clients into an OAuth flow that cannot end.
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/.well-known/oauth-protected-resource")).status, 404);
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/mcp", "Accept: text/event-stream\r\n")).status, 405);
}

TEST_F(Authentication, S08ASessionBelongsToItsPrincipal) {
  HttpClient client(*fixture_);
  const std::string params = R"("protocolVersion":"2025-11-25","capabilities":{})";
  const HttpReply opened =
      client.Ask(Post(LegacyRequest("1", "initialize", params), Bearer("t-alice")));
  const std::string session = "Mcp-Session-Id: " + opened.Header("mcp-session-id") + "\r\n";
  const std::string ping = LegacyRequest("2", "ping");
  EXPECT_EQ(client.Ask(Post(ping, session + Bearer("t-alice"))).status, 200);
  EXPECT_EQ(client.Ask(Post(ping, session + Bearer("t-bob"))).status, 404);
  EXPECT_EQ(client.Ask(Post(ping, session)).status, 401);
  EXPECT_EQ(client.Ask(HttpRequest("DELETE", "/mcp", session + Bearer("t-bob"))).status, 404);
  EXPECT_EQ(client
                .Ask(HttpRequest("GET", "/mcp",
                                 "Accept: text/event-stream\r\n" + session + Bearer("t-bob")))
                .status,
            404);
  EXPECT_EQ(client.Ask(Post(ping, session + Bearer("t-alice"))).status, 200);
}

TEST_F(Authentication, TooManyFailuresOfOneAddress) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Call(Bearer("wrong")).status, 401);
  }
  const HttpReply refused = Call(Bearer("wrong-again"));
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(Call(Bearer("t-alice")).status, 200) << "nobody is locked out by a neighbour";
  EXPECT_EQ(refused.Header("retry-after"), "60");
  EXPECT_THAT(refused.body, HasSubstr("-31029"));
  fixture_->Advance(milliseconds(60'000));
  EXPECT_EQ(Call(Bearer("wrong-again")).status, 401);
}

// Listen streams and GET streams have no end of their own.
TEST_F(Authentication, S29AStreamEndsWithItsToken) {
  HttpClient alice(*fixture_);
  HttpClient bob(*fixture_);
  HttpClient legacy(*fixture_);
  const auto listen = [](const char* token) {
    return Post(ModernRequest("1", "subscriptions/listen", R"("notifications":{})"),
                Mirror("subscriptions/listen") + Bearer(token));
  };
  EXPECT_EQ(alice.Ask(listen("t-alice")).status, 200);
  EXPECT_EQ(bob.Ask(listen("t-bob")).status, 200);
  const HttpReply opened =
      legacy.Ask(Post(LegacyRequest("0", "initialize",
                                    R"("protocolVersion":"2025-11-25","capabilities":{},)"
                                    R"("clientInfo":{"name":"t","version":"1"})"),
                      Bearer("t-bob")));
  EXPECT_EQ(legacy
                .Ask(HttpRequest("GET", "/mcp",
                                 "Accept: text/event-stream\r\nMcp-Session-Id: " +
                                     opened.Header("mcp-session-id") + "\r\n" + Bearer("t-bob")))
                .status,
            200);
  folder_.Write("tokens", LineOf("t-alice", "principal=alice"));
  fixture_->Advance(milliseconds(2'000));
  EXPECT_TRUE(bob.IsClosed());
  EXPECT_TRUE(legacy.IsClosed());
  EXPECT_EQ(alice.ReadForAWhile().find("\r\n0\r\n"), std::string::npos) << "hers goes on";
}

TEST_F(Authentication, AFileWithoutTokensIsTold) {
  folder_.Write("tokens", "# nobody any more\n");
  fixture_->Advance(milliseconds(2'000));
  EXPECT_EQ(Call(Bearer("t-alice")).status, 401);
  EXPECT_THAT(fixture_->mcp.log_lines, ::testing::Contains(HasSubstr("nobody may call")));
}

TEST_F(Authentication, S29ARemovedTokenStopsWorkingWithinTwoSeconds) {
  folder_.Write("tokens", LineOf("t-bob", "principal=bob"));
  fixture_->Advance(milliseconds(2'000));
  EXPECT_EQ(Call(Bearer("t-alice")).status, 401);
  EXPECT_EQ(Call(Bearer("t-bob")).status, 200);
  folder_.Write("tokens", "broken");
  fixture_->Advance(milliseconds(2'000));
  EXPECT_EQ(Call(Bearer("t-bob")).status, 200);
  EXPECT_THAT(fixture_->mcp.log_lines, ::testing::Contains(HasSubstr("\"file\":\"tokens\"")));
}

TEST_F(Authentication, S27NoTokenGetsIntoLogsOrAnswers) {
  const std::string canary = "t-canary-8d1f";
  EXPECT_THAT(Call(Bearer(canary)).body, Not(HasSubstr(canary)));
  EXPECT_THAT(Call("Authorization: Basic " + canary + "\r\n").body, Not(HasSubstr(canary)));
  HttpClient client(*fixture_);
  const HttpReply reply =
      client.Ask(HttpRequest("GET", "/" + canary + "?access_token=" + canary, Bearer(canary)));
  EXPECT_THAT(reply.body, Not(HasSubstr(canary)));
  for (const std::string& line : fixture_->mcp.log_lines) {
    EXPECT_THAT(line, Not(HasSubstr(canary)));
  }
}

}  // namespace
}  // namespace ducat::transport
