// Every limit of the HTTP transport: at it, and one past it (protocol.md 9; S-05).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/http_fixture.h"

namespace ducat::transport {
namespace {

using ::ducat::testing::HttpClient;
using ::ducat::testing::HttpFixture;
using ::ducat::testing::HttpReply;
using ::ducat::testing::HttpRequest;
using ::ducat::testing::LegacyRequest;
using ::ducat::testing::ModernEcho;
using ::ducat::testing::ModernPost;
using ::ducat::testing::OpenSession;
using ::ducat::testing::Post;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

HttpOptions With(HttpLimits limits) {
  HttpOptions options;
  options.limits = limits;
  return options;
}

std::string SlowCall(std::string_view id = "1") {
  return ModernPost("tools/call", "slow", R"("name":"slow","arguments":{"ms":5000})", id);
}

TEST(HttpLimits, BodyBytes) {
  HttpFixture fixture(With({.body_bytes_max = 2'000}));
  HttpClient client(fixture);
  const std::string one = ModernEcho("");
  const size_t body = one.size() - one.find("\r\n\r\n") - 4;
  EXPECT_EQ(client.Ask(ModernEcho(std::string(2'000 - body, 'x'))).status, 200);
  const HttpReply past = client.Ask(ModernEcho(std::string(2'001 - body, 'x')));
  EXPECT_EQ(past.status, 413);
  EXPECT_THAT(past.body, HasSubstr("2000 bytes"));
  EXPECT_TRUE(client.IsClosed());
}

TEST(HttpLimits, BodyBytesInChunks) {
  HttpFixture fixture(With({.body_bytes_max = 2'000}));
  const std::string head =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  HttpClient at(fixture);
  at.Send(head + "7d0\r\n" + std::string(2'000, ' ') + "\r\n0\r\n\r\n");
  EXPECT_EQ(at.Read().status, 400);  // blanks are no JSON, but they were read
  HttpClient past(fixture);
  past.Send(head + "7d1\r\n");
  EXPECT_EQ(past.Read().status, 413);
  EXPECT_TRUE(past.IsClosed());
  HttpClient endless(fixture);
  endless.Send(head + "1;" + std::string(40'000, 'e'));
  EXPECT_EQ(endless.Read().status, 400);
  EXPECT_TRUE(endless.IsClosed());
}

// Its end would never come: no time passes here.
TEST(HttpLimits, AHeadThatCannotBecomeOneIsRefusedAtOnce) {
  HttpFixture fixture;
  for (const char* head : {"GET /healthz HTTP/1.1\nHost: localhost\n\n",
                           "GET /healthz HTTP/1.1\r\nHost: localhost\n\n", "GET / HTTP/1.1\rX"}) {
    HttpClient client(fixture);
    EXPECT_EQ(client.Ask(head).status, 400) << head;
    EXPECT_TRUE(client.IsClosed());
  }
  // In pieces, cut between CR and LF; and the line that some clients send after a body.
  HttpClient pieces(fixture);
  for (const char* piece : {"\r", "\nGET /healthz HTTP/1.1\r", "\nHost: localhost\r", "\n\r"}) {
    pieces.Send(piece);
    EXPECT_EQ(pieces.ReadForAWhile(), "");
  }
  EXPECT_EQ(pieces.Ask("\n").status, 200);
  EXPECT_EQ(pieces.Ask("\r\n" + HttpRequest("GET", "/healthz")).status, 200);
  pieces.Send("GET / HTTP/1.1\r");
  EXPECT_EQ(pieces.Ask("X").status, 400);
}

TEST(HttpLimits, HeadBytes) {
  HttpFixture fixture(With({.head_bytes_max = 500}));
  const std::string bare = HttpRequest("GET", "/healthz", "X: \r\n");
  HttpClient at(fixture);
  EXPECT_EQ(
      at.Ask(HttpRequest("GET", "/healthz", "X: " + std::string(500 - bare.size(), 'x') + "\r\n"))
          .status,
      200);
  HttpClient past(fixture);
  EXPECT_EQ(
      past.Ask(HttpRequest("GET", "/healthz", "X: " + std::string(501 - bare.size(), 'x') + "\r\n"))
          .status,
      431);
  EXPECT_TRUE(past.IsClosed());
  HttpClient endless(fixture);
  EXPECT_EQ(endless.Ask("GET /healthz HTTP/1.1\r\nX: " + std::string(5'000, 'x')).status, 431);
}

TEST(HttpLimits, Connections) {
  HttpFixture fixture(With({.connections_max = 2}));
  HttpClient first(fixture);
  HttpClient second(fixture);
  EXPECT_EQ(second.Ask(ModernEcho("x")).status, 200);
  {
    HttpClient third(fixture);
    const HttpReply refused = third.Read();
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.Header("retry-after"), "1");
    EXPECT_THAT(refused.body, HasSubstr("too_many_connections"));
    EXPECT_TRUE(third.IsClosed());
  }
  EXPECT_EQ(first.Ask(ModernEcho("x")).status, 200);
  first.Close();
  HttpClient fourth(fixture);
  EXPECT_EQ(fourth.Ask(ModernEcho("x")).status, 200);
}

TEST(HttpLimits, RequestsInFlight) {
  HttpFixture fixture(With({.requests_max = 2}));
  HttpClient first(fixture);
  HttpClient second(fixture);
  HttpClient third(fixture);
  first.Send(SlowCall());
  second.Send(SlowCall());
  const HttpReply refused = third.Ask(ModernEcho("x"));
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.Header("retry-after"), "1");
  EXPECT_THAT(refused.body, HasSubstr("-31003"));
  second.Close();
  EXPECT_EQ(third.Ask(ModernEcho("x")).status, 200);
}

TEST(HttpLimits, S05SlowHead) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send("GET /healthz HT");
  fixture.Advance(milliseconds(9'000));
  client.Send("TP/1.1\r\nHo");
  EXPECT_EQ(client.ReadForAWhile(), "");
  fixture.Advance(milliseconds(1'000));
  EXPECT_EQ(client.Read().status, 408);
  EXPECT_TRUE(client.IsClosed());
}

TEST(HttpLimits, S05SlowBody) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string request = ModernEcho("x");
  client.Send(request.substr(0, request.size() - 1));
  // After 10 s it must have come with 1 KiB a second.
  fixture.Advance(milliseconds(9'000));
  EXPECT_EQ(client.ReadForAWhile(), "");
  fixture.Advance(milliseconds(1'000));
  EXPECT_EQ(client.Read().status, 408);
  EXPECT_TRUE(client.IsClosed());
}

TEST(HttpLimits, BodyTime) {
  HttpFixture fixture(With({.body_rate_min = 0}));
  HttpClient client(fixture);
  const std::string request = ModernEcho("x");
  client.Send(request.substr(0, request.size() - 1));
  fixture.Advance(milliseconds(59'000));
  EXPECT_EQ(client.ReadForAWhile(), "");
  fixture.Advance(milliseconds(1'000));
  EXPECT_EQ(client.Read().status, 408);
}

TEST(HttpLimits, BodyRate) {
  HttpFixture fixture;
  HttpClient fast(fixture);
  std::string large =
      ModernPost("tools/call", "echo",
                 "\"pad\":\"" + std::string(30'000, 'x') + R"(","name":"echo","arguments":{})");
  fast.Send(large.substr(0, large.size() - 1));
  fixture.Advance(milliseconds(20'000));
  EXPECT_EQ(fast.ReadForAWhile(), "");  // 30,000 bytes in 20 s are enough
  fixture.Advance(milliseconds(10'000));
  EXPECT_EQ(fast.Read().status, 408);
}

TEST(HttpLimits, IdleTime) {
  HttpFixture fixture;
  HttpClient client(fixture);
  EXPECT_EQ(client.Ask(ModernEcho("x")).status, 200);
  fixture.Advance(milliseconds(119'000));
  EXPECT_EQ(client.Ask(ModernEcho("x")).status, 200);
  fixture.Advance(milliseconds(120'000));
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(fixture.server->connections(), 0U);
}

TEST(HttpLimits, S05StalledWrite) {
  mcp::ServerOptions server;
  server.limits.result_bytes_max = size_t{64} << 20U;
  HttpFixture fixture({}, std::move(server));
  HttpClient client(fixture);
  client.Send(ModernPost("tools/call", "big", R"("name":"big","arguments":{"bytes":50000000})"));
  EXPECT_EQ(fixture.server->connections(), 1U);
  fixture.Advance(milliseconds(29'000));
  EXPECT_EQ(fixture.server->connections(), 1U);
  HttpClient other(fixture);
  EXPECT_EQ(other.Ask(ModernEcho("x")).status, 200);
  fixture.Advance(milliseconds(1'000));
  EXPECT_EQ(fixture.server->connections(), 1U);  // only the other one
  EXPECT_EQ(other.Ask(ModernEcho("x")).status, 200);
}

TEST(HttpLimits, AReaderThatIsSlowButReadsGetsItsAnswer) {
  mcp::ServerOptions server;
  server.limits.result_bytes_max = size_t{64} << 20U;
  HttpFixture fixture({}, std::move(server));
  HttpClient client(fixture);
  client.Send(ModernPost("tools/call", "big", R"("name":"big","arguments":{"bytes":20000000})"));
  fixture.Advance(milliseconds(20'000));
  EXPECT_GT(client.Read().body.size(), 20'000'000U);
}

TEST(HttpLimits, Sessions) {
  HttpFixture fixture(With({.sessions_max = 2}));
  HttpClient client(fixture);
  const std::string first = OpenSession(client);
  const std::string second = OpenSession(client);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "ping"), first)).status, 200);
  const std::string third = OpenSession(client);  // the oldest idle one goes
  EXPECT_EQ(fixture.server->sessions(), 2U);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "ping"), first)).status, 200);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "ping"), second)).status, 404);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "ping"), third)).status, 200);
}

TEST(HttpLimits, SessionsThatAreAllBusy) {
  HttpFixture fixture(With({.sessions_max = 1}));
  HttpClient busy(fixture);
  const std::string session = OpenSession(busy);
  busy.Send(
      Post(LegacyRequest("1", "tools/call", R"("name":"slow","arguments":{"ms":5000})"), session));
  HttpClient client(fixture);
  const HttpReply refused =
      client.Ask(Post(LegacyRequest("1", "initialize", R"("protocolVersion":"2025-11-25")")));
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.Header("retry-after"), "1");
  EXPECT_EQ(fixture.server->sessions(), 1U);
}

TEST(HttpLimits, SessionsOfOnePrincipal) {
  HttpFixture fixture(With({.sessions_per_principal_max = 1}));
  HttpClient client(fixture);
  const std::string first = OpenSession(client);
  static_cast<void>(OpenSession(client));
  EXPECT_EQ(fixture.server->sessions(), 1U);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "ping"), first)).status, 404);
}

TEST(HttpLimits, SessionIdleTime) {
  HttpFixture fixture(With({.session_idle = milliseconds(60'000)}));
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  fixture.Advance(milliseconds(59'000));
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "ping"), session)).status, 200);
  fixture.Advance(milliseconds(60'000));
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "ping"), session)).status, 404);
  EXPECT_EQ(fixture.server->sessions(), 0U);
}

TEST(HttpLimits, S06NothingBehindABadRequestIsRead) {
  HttpFixture fixture;
  for (const char* line : {"Content-Length: 5\r\nContent-Length: 5\r\n", "X : 1\r\n",
                           "Transfer-Encoding: xchunked\r\n", "X: 1\r\n y\r\n"}) {
    HttpClient client(fixture);
    client.Send(ModernEcho("first") + HttpRequest("GET", "/healthz", line) + ModernEcho("second"));
    EXPECT_THAT(client.Read().body, HasSubstr("Echo: first"));
    EXPECT_EQ(client.Read().status, 400);
    EXPECT_TRUE(client.IsClosed());
    EXPECT_EQ(client.ReadForAWhile(), "");
  }
}

}  // namespace
}  // namespace ducat::transport
