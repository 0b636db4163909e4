// Scopes and rates as they are on the wire (protocol.md 8.2, 9; S-26).
#include <gmock/gmock.h>

#include "support/guarded_registry.h"
#include "support/http_fixture.h"
#include "support/scratch_folder.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::HttpClient;
using testing::HttpFixture;
using testing::HttpReply;
using testing::HttpRequest;
using testing::LegacyRequest;
using testing::Mirror;
using testing::ModernPost;
using testing::ModernRequest;
using testing::Post;

std::string LineOf(std::string_view token, std::string_view rest) {
  return "sha256:" + Hex(Sha256(token)) + " " + std::string(rest) + "\n";
}

class ScopesAndRate : public ::testing::Test {
 protected:
  void Start(mcp::RateLimit rate = {}) {
    folder_.Write("tokens", LineOf("t-all", "principal=alice scopes=a:read,b:*") +
                                LineOf("t-some", "principal=alice scopes=a:read") +
                                LineOf("t-none", "principal=carol"));
    auto tokens = TokenFile::Open(folder_.string() + "/tokens");
    CHECK(tokens.has_value());
    HttpOptions options;
    options.tokens = std::make_shared<TokenFile>(*std::move(tokens));
    mcp::ServerOptions server_options;
    server_options.rate = rate;
    fixture_ = std::make_unique<HttpFixture>(
        std::move(options), std::move(server_options),
        [](HttpFixture& fixture, HttpOptions&) { testing::FillGuarded(fixture.mcp.registry); });
  }
  HttpReply Call(std::string_view token, std::string_view tool) {
    const std::string name(tool);
    const std::string headers =
        Mirror("tools/call", name) + "Authorization: Bearer " + std::string(token) + "\r\n";
    HttpClient client(*fixture_);
    return client.Ask(Post(ModernRequest("1", "tools/call", "\"name\":\"" + name + "\""), headers));
  }

  testing::ScratchFolder folder_;
  std::unique_ptr<HttpFixture> fixture_;
};

TEST_F(ScopesAndRate, S26TooLittleNamesAllThatIsNeeded) {
  Start();
  EXPECT_EQ(Call("t-all", "locked").status, 200);
  EXPECT_EQ(Call("t-none", "open").status, 200);
  EXPECT_EQ(Call("t-unknown", "open").Header("www-authenticate"),
            "Bearer error=\"invalid_token\", scope=\"a:read b:write\"");
  for (const char* token : {"t-some", "t-none"}) {
    const HttpReply reply = Call(token, "locked");
    EXPECT_EQ(reply.status, 403);
    EXPECT_EQ(reply.Header("www-authenticate"),
              "Bearer error=\"insufficient_scope\", scope=\"a:read b:write\"");
    EXPECT_THAT(reply.body, HasSubstr(R"("id":1)"));
  }
}

// A session is opened with one token and used with another of the same principal.
TEST_F(ScopesAndRate, TheTokenOfTheRequestCounts) {
  Start();
  HttpClient client(*fixture_);
  const auto with = [](const char* token) {
    return "Authorization: Bearer " + std::string(token) + "\r\n";
  };
  const std::string params = R"("protocolVersion":"2025-11-25","capabilities":{})";
  const HttpReply opened =
      client.Ask(Post(LegacyRequest("1", "initialize", params), with("t-all")));
  const std::string session = "Mcp-Session-Id: " + opened.Header("mcp-session-id") + "\r\n";
  const std::string call = LegacyRequest("2", "tools/call", R"("name":"locked")");
  EXPECT_EQ(client.Ask(Post(call, session + with("t-all"))).status, 200);
  EXPECT_EQ(client.Ask(Post(call, session + with("t-some"))).status, 403);
  EXPECT_EQ(client.Ask(Post(call, session + with("t-all"))).status, 200);
}

TEST_F(ScopesAndRate, RequestsBeyondTheRate) {
  Start({.per_second = 0.5, .burst = 2});
  EXPECT_EQ(Call("t-none", "open").status, 200);
  EXPECT_EQ(Call("t-none", "open").status, 200);
  const HttpReply call = Call("t-none", "open");
  EXPECT_EQ(call.status, 200);
  EXPECT_THAT(call.body, HasSubstr(R"("reason":"rate_limited")"));
  HttpClient client(*fixture_);
  const std::string bearer = "Authorization: Bearer t-none\r\n";
  const HttpReply list =
      client.Ask(Post(ModernRequest("1", "tools/list"), Mirror("tools/list") + bearer));
  EXPECT_EQ(list.status, 429);
  EXPECT_EQ(list.Header("retry-after"), "2");
  EXPECT_THAT(list.body, HasSubstr("-31029"));
  const HttpReply end = client.Ask(HttpRequest("DELETE", "/mcp", "Mcp-Session-Id: x\r\n" + bearer));
  EXPECT_EQ(end.status, 429);
  EXPECT_EQ(end.Header("retry-after"), "2");
  // Alice has a bucket of her own, whichever token she uses.
  EXPECT_THAT(Call("t-all", "open").body, HasSubstr("done"));
  EXPECT_THAT(Call("t-some", "open").body, HasSubstr("done"));
  EXPECT_THAT(Call("t-all", "open").body, HasSubstr("rate_limited"));
  fixture_->Advance(milliseconds(2'000));
  EXPECT_THAT(Call("t-none", "open").body, HasSubstr("done"));
}

}  // namespace
}  // namespace ducat::transport
