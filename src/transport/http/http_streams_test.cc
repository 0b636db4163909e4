// What one POST or GET says over time: progress, logs, subscriptions, cancelling, sessions whose
// connection is lost, the end of the server.
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
using ::ducat::testing::Mirror;
using ::ducat::testing::ModernEcho;
using ::ducat::testing::ModernPost;
using ::ducat::testing::ModernRequest;
using ::ducat::testing::OpenSession;
using ::ducat::testing::Post;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

std::string SlowParams(int ms = 5'000) {
  return R"("name":"slow","arguments":{"ms":)" + std::to_string(ms) + "}";
}
std::string SlowCall(std::string_view id = "1") {
  return ModernPost("tools/call", "slow", SlowParams(), id);
}
std::string GetStream(std::string_view session, std::string_view more = "") {
  return HttpRequest("GET", "/mcp",
                     "Accept: text/event-stream\r\n" + std::string(session) + std::string(more));
}

TEST(HttpStreams, ProgressAndLogsPrecedeTheResult) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(
      Post(ModernRequest("1", "tools/call", R"("name":"count","arguments":{"steps":1})",
                         R"("progressToken":"p","io.modelcontextprotocol/logLevel":"debug")"),
           Mirror("tools/call", "count")));
  const HttpReply reply = client.ReadStream();
  EXPECT_EQ(reply.Header("content-type"), "text/event-stream");
  const size_t log = reply.body.find("notifications/message");
  const size_t progress = reply.body.find(R"("progressToken":"p")");
  const size_t result = reply.body.find(R"("resultType":"complete")");
  EXPECT_LT(log, progress);
  EXPECT_LT(progress, result);
  EXPECT_NE(result, std::string::npos);
  EXPECT_EQ(client.Ask(ModernEcho("after")).status, 200);
}

TEST(HttpStreams, JsonOnlyClientsGetTheResultAlone) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const HttpReply reply = client.Ask(
      HttpRequest("POST", "/mcp",
                  "Content-Type: application/json\r\nAccept: application/json\r\n" +
                      Mirror("tools/call", "count"),
                  ModernRequest("1", "tools/call", R"("name":"count")", R"("progressToken":1)")));
  EXPECT_EQ(reply.Header("content-type"), "application/json");
  EXPECT_THAT(reply.body, Not(HasSubstr("progressToken")));
}

TEST(HttpStreams, ARequestThatStillRunsAfterThreeSecondsBecomesAStream) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(SlowCall());
  fixture.Advance(milliseconds(2'000));
  EXPECT_EQ(client.ReadForAWhile(), "");
  fixture.Advance(milliseconds(1'000));
  EXPECT_EQ(client.Read().Header("content-type"), "text/event-stream");
  fixture.Advance(milliseconds(2'000));
  EXPECT_THAT(client.ReadEventWith("0\r\n\r\n"), HasSubstr("Took 5000 ms."));
  EXPECT_EQ(client.Ask(ModernEcho("after")).status, 200);
}

TEST(HttpStreams, ASilentStreamSaysAComment) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(ModernPost("tools/call", "slow", SlowParams(40'000)));
  fixture.Advance(milliseconds(3'000));
  EXPECT_EQ(client.Read().status, 200);
  fixture.Advance(milliseconds(14'000));
  EXPECT_EQ(client.ReadForAWhile(), "");
  fixture.Advance(milliseconds(1'000));
  EXPECT_EQ(client.ReadForAWhile(), "4\r\n: \n\n\r\n");
  fixture.Advance(milliseconds(15'000));
  EXPECT_EQ(client.ReadForAWhile(), "4\r\n: \n\n\r\n");
}

TEST(HttpStreams, AModernClientCancelsByLeaving) {
  HttpFixture fixture;
  {
    HttpClient client(fixture);
    client.Send(SlowCall());
    EXPECT_EQ(fixture.mcp.state->slow_running, 1);
  }
  EXPECT_EQ(fixture.mcp.state->slow_running, 0);
  EXPECT_EQ(fixture.mcp.state->slow_cancelled, 1);
  HttpClient streaming(fixture);
  streaming.Send(SlowCall());
  fixture.Advance(milliseconds(3'000));
  EXPECT_EQ(streaming.Read().status, 200);
  streaming.Close();
  EXPECT_EQ(fixture.mcp.state->slow_running, 0);
  EXPECT_EQ(fixture.server->connections(), 0U);
}

TEST(HttpStreams, S09EqualIdsOfTwoClientsNeverMeet) {
  HttpFixture fixture;
  HttpClient first(fixture);
  HttpClient second(fixture);
  first.Send(ModernPost("tools/call", "slow", SlowParams(1'000), "1"));
  second.Send(ModernPost("tools/call", "slow", SlowParams(2'000), "1"));
  fixture.Advance(milliseconds(1'000));
  EXPECT_THAT(first.Read().body, HasSubstr("Took 1000 ms."));
  EXPECT_EQ(second.ReadForAWhile(), "");
  fixture.Advance(milliseconds(1'000));
  EXPECT_THAT(second.Read().body, HasSubstr("Took 2000 ms."));
}

std::string Listen(std::string_view id = "7") {
  return ModernPost("subscriptions/listen", "", R"("notifications":{"toolsListChanged":true})", id);
}

TEST(HttpStreams, F22ListenIsAStreamOfChanges) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(Listen());
  EXPECT_EQ(client.Read().Header("content-type"), "text/event-stream");
  EXPECT_THAT(client.ReadEventWith("\n\n"), HasSubstr("notifications/subscriptions/acknowledged"));
  HttpClient other(fixture);
  EXPECT_EQ(other.Ask(ModernPost("tools/call", "touch", R"("name":"touch")")).status, 200);
  fixture.Advance(milliseconds(100));
  const std::string change = client.ReadEventWith("\n\n");
  EXPECT_THAT(change, HasSubstr("notifications/tools/list_changed"));
  EXPECT_THAT(change, HasSubstr(R"("io.modelcontextprotocol/subscriptionId":7)"));
  EXPECT_THAT(change, Not(HasSubstr("resources")));
}

TEST(HttpStreams, ListenNeedsAStream) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string body =
      ModernRequest("7", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
  const HttpReply reply =
      client.Ask(HttpRequest("POST", "/mcp",
                             "Content-Type: application/json\r\nAccept: application/json\r\n" +
                                 Mirror("subscriptions/listen"),
                             body));
  EXPECT_EQ(reply.status, 406);
  EXPECT_EQ(client.Ask(ModernEcho("after")).status, 200);
}

TEST(HttpStreams, LegacyProgressHasIdsAndPrimes) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  const std::string call = LegacyRequest(
      "1", "tools/call", R"("name":"count","arguments":{"steps":1},"_meta":{"progressToken":1})");
  client.Send(Post(call, session));
  const HttpReply reply = client.ReadStream();
  EXPECT_THAT(reply.body, ::testing::ContainsRegex("^id: [0-9]+-0\nretry: 1000\ndata: \n\n"));
  EXPECT_THAT(reply.body, HasSubstr("-1\nevent: message\ndata: "));
  HttpClient older(fixture);
  const std::string old_session = OpenSession(older, "2025-06-18");
  older.Send(Post(call, old_session));
  EXPECT_THAT(older.ReadStream().body, Not(HasSubstr("retry:")));
}

TEST(HttpStreams, ALegacyRequestOutlivesItsConnection) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  client.Send(Post(LegacyRequest("1", "tools/call", SlowParams()), session));
  fixture.Advance(milliseconds(3'000));
  const HttpReply head = client.Read();
  EXPECT_EQ(head.status, 200);
  const std::string priming = client.ReadEventWith("data: \n\n");
  const size_t at = priming.find("id: ") + 4;
  const std::string last_id = priming.substr(at, priming.find('\n', at) - at);
  client.Close();
  EXPECT_EQ(fixture.mcp.state->slow_running, 1);
  fixture.Advance(milliseconds(2'000));
  HttpClient again(fixture);
  again.Send(GetStream(session, "Last-Event-ID: " + last_id + "\r\n"));
  const HttpReply replay = again.ReadStream();
  EXPECT_EQ(replay.status, 200);
  EXPECT_THAT(replay.body, HasSubstr("Took 5000 ms."));
  EXPECT_THAT(replay.body, Not(HasSubstr("retry:")));
}

TEST(HttpStreams, ALegacyRequestIsCancelledByItsNotificationOnly) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  client.Send(Post(LegacyRequest("1", "tools/call", SlowParams()), session));
  HttpClient other(fixture);
  const std::string cancel =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(other.Ask(Post(cancel, session)).status, 202);
  EXPECT_EQ(client.Read().status, 204);
  EXPECT_EQ(fixture.mcp.state->slow_cancelled, 1);
  // As a stream it just ends.
  client.Send(Post(LegacyRequest("1", "tools/call", SlowParams()), session));
  fixture.Advance(milliseconds(3'000));
  EXPECT_EQ(other.Ask(Post(cancel, session)).status, 202);
  const HttpReply ended = client.ReadStream();
  EXPECT_EQ(ended.status, 200);
  EXPECT_THAT(ended.body, Not(HasSubstr("result")));
}

TEST(HttpStreams, TheGetStreamCarriesWhatBelongsToNoRequest) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  HttpClient listener(fixture);
  listener.Send(GetStream(session));
  EXPECT_EQ(listener.Read().Header("content-type"), "text/event-stream");
  HttpClient second(fixture);
  EXPECT_EQ(second.Ask(GetStream(session)).status, 409);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("1", "tools/call", R"("name":"touch")"), session)).status,
            200);
  fixture.Advance(milliseconds(100));
  EXPECT_THAT(listener.ReadEventWith("tools/list_changed"), HasSubstr("id: "));
  EXPECT_EQ(client.Ask(HttpRequest("DELETE", "/mcp", session)).status, 204);
  EXPECT_THAT(listener.ReadEventWith("0\r\n\r\n"), HasSubstr("0\r\n\r\n"));
}

TEST(HttpStreams, WhatComesBeforeTheGetStreamIsRememberedOnce) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(
        client.Ask(Post(LegacyRequest("1", "tools/call", R"("name":"touch")"), session)).status,
        200);
    fixture.Advance(milliseconds(100));
  }
  HttpClient listener(fixture);
  listener.Send(GetStream(session));
  EXPECT_EQ(listener.Read().status, 200);
  const std::string events = listener.ReadForAWhile();
  const size_t first = events.find("tools/list_changed");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(events.find("tools/list_changed", first + 1), std::string::npos);
}

TEST(HttpStreams, AnUnknownSessionHasNoStream) {
  HttpFixture fixture;
  HttpClient client(fixture);
  EXPECT_EQ(client.Ask(GetStream("Mcp-Session-Id: nonsense\r\n")).status, 404);
}

TEST(HttpStreams, TheEndOfTheServerIsOrderly) {
  HttpFixture fixture;
  HttpClient idle(fixture);
  HttpClient running(fixture);
  HttpClient listening(fixture);
  listening.Send(Listen());
  EXPECT_EQ(listening.Read().status, 200);
  running.Send(SlowCall());
  bool ended = false;
  fixture.server->Drain([&] { ended = true; });
  EXPECT_TRUE(idle.IsClosed());
  EXPECT_THAT(listening.ReadEventWith("0\r\n\r\n"), HasSubstr(R"("resultType":"complete")"));
  EXPECT_FALSE(ended);
  fixture.Advance(milliseconds(5'000));
  EXPECT_THAT(running.ReadEventWith("Took"), HasSubstr("Took 5000 ms."));
  EXPECT_TRUE(running.IsClosed());
  EXPECT_TRUE(ended);
}

TEST(HttpStreams, TheEndOfTheServerDoesNotWaitForever) {
  HttpFixture fixture;
  HttpClient running(fixture);
  running.Send(ModernPost("tools/call", "slow", SlowParams(40'000)));
  bool ended = false;
  fixture.server->Drain([&] { ended = true; });
  fixture.Advance(milliseconds(9'000));
  EXPECT_FALSE(ended);
  fixture.Advance(milliseconds(1'000));
  EXPECT_TRUE(ended);
  EXPECT_EQ(fixture.mcp.state->slow_cancelled, 1);
}

TEST(HttpStreams, ADestroyedServerLeavesNothingBehind) {
  HttpFixture fixture;
  HttpClient running(fixture);
  HttpClient listening(fixture);
  HttpClient legacy(fixture);
  running.Send(SlowCall());
  listening.Send(Listen());
  const std::string session = OpenSession(legacy);
  legacy.Send(GetStream(session));
  fixture.server.reset();
  fixture.Settle();
  EXPECT_TRUE(running.IsClosed());
  EXPECT_TRUE(listening.IsClosed());
  EXPECT_TRUE(legacy.IsClosed());
  EXPECT_EQ(fixture.mcp.state->slow_running, 0);
}

}  // namespace
}  // namespace ducat::transport
