// A client that ends its half of a plain connection. In the modern era closing is how a call is
// cancelled, and a half-closed connection cannot be told from a closed one: what is known at once
// is answered, what would have to be waited for is cancelled (docs/protocol.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/http_fixture.h"

namespace ducat::transport {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::HttpClient;
using testing::HttpFixture;
using testing::HttpRequest;
using testing::Mirror;
using testing::ModernEcho;
using testing::ModernPost;
using testing::ModernRequest;
using testing::Post;

TEST(HalfClose, WhatIsKnownAtOnceIsAnswered) {
  HttpFixture fixture;
  for (const std::string& request :
       {HttpRequest("GET", "/healthz"),
        Post(ModernRequest("1", "tools/list"), Mirror("tools/list")), ModernEcho("x")}) {
    HttpClient client(fixture);
    client.Send(request);
    client.EndSending();
    EXPECT_EQ(client.Read().status, 200) << request;
    EXPECT_TRUE(client.IsClosed());
  }
}

TEST(HalfClose, PipelinedRequestsAreAllAnswered) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(ModernEcho("one") + HttpRequest("GET", "/healthz") + ModernEcho("two"));
  client.EndSending();
  EXPECT_THAT(client.Read().body, HasSubstr("Echo: one"));
  EXPECT_THAT(client.Read().body, HasSubstr("ok"));
  EXPECT_THAT(client.Read().body, HasSubstr("Echo: two"));
  EXPECT_TRUE(client.IsClosed());
}

TEST(HalfClose, ACallThatRunsIsCancelled) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(ModernPost("tools/call", "slow", R"("name":"slow","arguments":{"ms":5000})"));
  EXPECT_EQ(fixture.mcp.state->slow_running, 1);
  client.EndSending();
  fixture.Advance(milliseconds(1'000));
  EXPECT_EQ(fixture.mcp.state->slow_cancelled, 1);
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(fixture.server->connections(), 0U);
}

TEST(HalfClose, HalfARequestIsNone) {
  HttpFixture fixture;
  for (const size_t cut : {1U, 20U, 200U}) {
    HttpClient client(fixture);
    client.Send(ModernEcho("x").substr(0, cut));
    client.EndSending();
    EXPECT_EQ(client.ReadForAWhile(), "") << cut;
    EXPECT_TRUE(client.IsClosed());
  }
}

}  // namespace
}  // namespace ducat::transport
