// /metrics as it is on the wire, and what the observer is told (protocol.md 7.5, 15).
#include <gmock/gmock.h>

#include "base/digest.h"
#include "support/guarded_registry.h"
#include "support/http_fixture.h"
#include "support/scratch_folder.h"
#include "transport/http/http_observer.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HttpClient;
using testing::HttpFixture;
using testing::HttpReply;
using testing::HttpRequest;
using ::testing::IsEmpty;
using testing::ModernEcho;
using testing::Post;

// Keeps what it is told as lines.
class Recorder final : public HttpObserver {
 public:
  std::vector<std::string> lines;

  void Responded(std::string_view route, int status) override {
    Add("responded " + std::string(route) + " " + std::to_string(status));
  }
  void ParseFailed(std::string_view kind) override { Add("parse " + std::string(kind)); }
  void Authenticated(std::string_view mode, std::string_view outcome) override {
    Add("auth " + std::string(mode) + " " + std::string(outcome));
  }
  void RateLimited() override { Add("limited"); }
  void ReloadFailed(std::string_view what) override { Add("reload " + std::string(what)); }

 private:
  void Add(std::string line) { lines.push_back(std::move(line)); }
};

class MetricsRoute : public ::testing::Test {
 protected:
  HttpOptions Options() {
    HttpOptions options;
    options.metrics = [] { return std::string("ducat_x 1\n"); };
    options.observer = &recorder_;
    return options;
  }
  void Start(HttpOptions options, mcp::ServerOptions server_options = {}) {
    fixture_ = std::make_unique<HttpFixture>(std::move(options), std::move(server_options));
  }
  void StartWithTokens() {
    const auto line = [](std::string_view token, std::string_view rest) {
      return "sha256:" + Hex(Sha256(token)) + " " + std::string(rest) + "\n";
    };
    folder_.Write("tokens", line("t-metrics", "principal=prometheus scopes=metrics") +
                                line("t-other", "principal=alice scopes=a:read"));
    auto tokens = TokenFile::Open(folder_.string() + "/tokens");
    CHECK(tokens.has_value());
    HttpOptions options = Options();
    options.tokens = std::make_shared<TokenFile>(*std::move(tokens));
    Start(std::move(options), {.rate = {.per_second = 1, .burst = 3}});
  }
  HttpReply Get(std::string_view path, std::string_view headers = "") {
    HttpClient client(*fixture_);
    return client.Ask(HttpRequest("GET", path, headers));
  }

  testing::ScratchFolder folder_;
  Recorder recorder_;
  std::unique_ptr<HttpFixture> fixture_;
};

TEST_F(MetricsRoute, IsThereWhenThereAreMetrics) {
  Start(Options());
  const HttpReply reply = Get("/metrics");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "ducat_x 1\n");
  EXPECT_EQ(reply.Header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(reply.Header("cache-control"), "no-store");
  Start({});
  EXPECT_EQ(Get("/metrics").status, 404);
}

TEST_F(MetricsRoute, TakesGetAndHeadOfAllowedOriginsOnly) {
  Start(Options());
  EXPECT_EQ(Get("/metrics", "Origin: https://evil.example\r\n").status, 403);
  HttpClient client(*fixture_);
  const HttpReply posted = client.Ask(HttpRequest("POST", "/metrics"));
  EXPECT_EQ(posted.status, 405);
  EXPECT_EQ(posted.Header("allow"), "GET, HEAD");
  HttpClient other(*fixture_);
  other.Send(HttpRequest("HEAD", "/metrics"));
  const HttpReply head = other.Read(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("content-length"), "10");
}

TEST_F(MetricsRoute, NeedsTheScopeMetrics) {
  StartWithTokens();
  EXPECT_EQ(Get("/metrics").status, 401);
  const HttpReply other = Get("/metrics", "Authorization: Bearer t-other\r\n");
  EXPECT_EQ(other.status, 403);
  EXPECT_EQ(other.Header("www-authenticate"),
            "Bearer error=\"insufficient_scope\", scope=\"metrics\"");
  EXPECT_EQ(other.body.find("ducat_x"), std::string::npos);
  const std::string bearer = "Authorization: Bearer t-metrics\r\n";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Get("/metrics", bearer).status, 200);
  }
  EXPECT_EQ(Get("/metrics", bearer).status, 429);
  EXPECT_THAT(recorder_.lines, Contains("limited"));
}

TEST_F(MetricsRoute, AnAddressOfMetricsServesNothingElse) {
  StartWithTokens();
  auto bound = fixture_->server->Listen({.host = "127.0.0.1", .port = 0, .unix_path = {}},
                                        HttpServer::Purpose::kMetrics);
  ASSERT_TRUE(bound.has_value());
  fixture_->port = *bound;
  EXPECT_EQ(Get("/metrics").body, "ducat_x 1\n") << "without a token";
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/metrics", "Origin: https://evil.example\r\n").status, 403);
  for (const char* path : {"/readyz", "/.well-known/mcp.json", "/robots.txt", "/mcp", "/x"}) {
    EXPECT_EQ(Get(path, "Authorization: Bearer t-metrics\r\n").status, 404) << path;
  }
  HttpClient client(*fixture_);
  EXPECT_EQ(client.Ask(ModernEcho("hi")).status, 404);
}

TEST_F(MetricsRoute, TheObserverIsToldOfEveryResponse) {
  Start(Options());
  HttpClient client(*fixture_);
  EXPECT_EQ(client.Ask(ModernEcho("hi")).status, 200);
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/healthz")).status, 200);
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/nothing")).status, 404);
  EXPECT_EQ(client.Ask("GET / HTTP/9.9\r\n\r\n").status, 505);
  EXPECT_THAT(recorder_.lines,
              ElementsAre("responded mcp 200", "responded healthz 200", "responded none 404",
                          HasSubstr("parse "), "responded none 505"));
}

TEST_F(MetricsRoute, TheObserverIsToldOfEveryAttempt) {
  StartWithTokens();
  EXPECT_THAT(recorder_.lines, IsEmpty());
  HttpClient client(*fixture_);
  EXPECT_EQ(client.Ask(Post("{}")).status, 401);
  EXPECT_EQ(client.Ask(Post("{}", "Authorization: Bearer wrong\r\n")).status, 401);
  EXPECT_EQ(client.Ask(Post("{}", "Authorization: Bearer t-other\r\n")).status, 400);
  EXPECT_THAT(recorder_.lines,
              ElementsAre("auth token missing", "responded mcp 401", "auth token invalid",
                          "responded mcp 401", "auth token ok", "responded mcp 400"));
  folder_.Write("tokens", "broken\n");
  fixture_->server->Reload();
  EXPECT_THAT(recorder_.lines, Contains("reload tokens"));
}

TEST_F(MetricsRoute, ReloadAsksWhoeverWantsIt) {
  int reloads = 0;
  HttpOptions options = Options();
  options.on_reload = [&reloads] { ++reloads; };
  Start(std::move(options));
  fixture_->Advance(std::chrono::seconds(5));
  EXPECT_EQ(reloads, 0) << "the tick is not SIGHUP";
  fixture_->server->Reload();
  EXPECT_EQ(reloads, 1);
}

}  // namespace
}  // namespace ducat::transport
