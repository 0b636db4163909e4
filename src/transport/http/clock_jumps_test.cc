// A wall clock that jumps does no harm: NTP, an operator, a machine that was resumed. Whatever
// lasts is measured by the monotonic clock; only what others date by the calendar follows the wall.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/http_fixture.h"
#include "support/scratch_folder.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::HttpClient;
using testing::HttpFixture;
using testing::HttpReply;
using testing::HttpRequest;
using testing::LegacyRequest;
using testing::Mirror;
using testing::ModernEcho;
using testing::ModernPost;
using testing::ModernRequest;
using testing::OpenSession;
using testing::Post;

// Forward and back, by more than any time limit.
class ClockJump : public ::testing::TestWithParam<int> {
 protected:
  static void Jump(HttpFixture& fixture) {
    fixture.mcp.clock.JumpWall(hours(24) * GetParam());
    fixture.Advance(milliseconds(1'000));
  }
};
INSTANTIATE_TEST_SUITE_P(ByDays, ClockJump, ::testing::Values(-400, -1, 1, 400));

TEST_P(ClockJump, SessionsLastTheirIdleTime) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  Jump(fixture);
  const std::string ping = Post(LegacyRequest("1", "ping"), session);
  EXPECT_EQ(client.Ask(ping).status, 200);
  fixture.Advance(milliseconds(30 * 60'000));
  HttpClient later(fixture);
  EXPECT_EQ(later.Ask(ping).status, 404);
}

TEST_P(ClockJump, ACallRunsAsLongAsItMay) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(ModernPost("tools/call", "slow", R"("name":"slow","arguments":{"ms":2500})"));
  Jump(fixture);
  EXPECT_EQ(client.ReadForAWhile(), "");
  fixture.Advance(milliseconds(1'500));
  const HttpReply reply = client.Read();
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr("Took 2500 ms"));
}

TEST_P(ClockJump, ASlowHeadHasItsTime) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send("GET /healthz HTTP/1.1\r\n");
  Jump(fixture);
  EXPECT_EQ(client.ReadForAWhile(), "");
  fixture.Advance(milliseconds(9'000));
  EXPECT_EQ(client.Read().status, 408);
}

TEST_P(ClockJump, TheDateOfAnAnswerFollows) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string before = client.Ask(ModernEcho("x")).Header("date");
  Jump(fixture);
  const std::string after = client.Ask(ModernEcho("x")).Header("date");
  EXPECT_NE(before.substr(0, 16), after.substr(0, 16));
}

TEST_P(ClockJump, ARateIsKept) {
  mcp::ServerOptions server;
  server.rate = {.per_second = 0.1, .burst = 1};
  HttpFixture fixture({}, std::move(server));
  HttpClient client(fixture);
  const std::string list = Post(ModernRequest("1", "tools/list"), Mirror("tools/list"));
  EXPECT_EQ(client.Ask(list).status, 200);
  Jump(fixture);
  const HttpReply refused = client.Ask(list);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.Header("retry-after"), "9");
  fixture.Advance(milliseconds(9'000));
  EXPECT_EQ(client.Ask(list).status, 200);
}

class ClockJumpWithTokens : public ClockJump {
 protected:
  ClockJumpWithTokens() {
    folder_.Write("tokens", "sha256:" + Hex(Sha256("t-day")) +
                                " principal=a expires=1970-01-02T00:00:00Z\nsha256:" +
                                Hex(Sha256("t-ever")) + " principal=b\n");
    auto tokens = TokenFile::Open(folder_.string() + "/tokens");
    CHECK(tokens.has_value());
    HttpOptions options;
    options.tokens = std::make_shared<TokenFile>(*std::move(tokens));
    fixture_ = std::make_unique<HttpFixture>(std::move(options));
  }
  int Call(std::string_view token) {
    HttpClient client(*fixture_);
    const std::string headers =
        Mirror("tools/list") + "Authorization: Bearer " + std::string(token) + "\r\n";
    return client.Ask(Post(ModernRequest("1", "tools/list"), headers)).status;
  }
  testing::ScratchFolder folder_;
  std::unique_ptr<HttpFixture> fixture_;
};
INSTANTIATE_TEST_SUITE_P(ByDays, ClockJumpWithTokens, ::testing::Values(-400, -1, 1, 400));

// The calendar says when a token ends; put right again, the clock finds it as it was.
TEST_P(ClockJumpWithTokens, ATokenEndsByTheCalendar) {
  EXPECT_EQ(Call("t-day"), 200);
  Jump(*fixture_);
  EXPECT_EQ(Call("t-day"), GetParam() > 0 ? 401 : 200);
  EXPECT_EQ(Call("t-ever"), 200);
  fixture_->mcp.clock.JumpWall(-hours(24) * GetParam());
  EXPECT_EQ(Call("t-day"), 200);
}

// Whoever can move a clock gains no guesses, and nobody is locked out for longer.
TEST_P(ClockJumpWithTokens, GuessesAreCountedByTheMinute) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Call("wrong"), 401);
  }
  Jump(*fixture_);
  EXPECT_EQ(Call("wrong"), 429);
  fixture_->Advance(milliseconds(59'000));
  EXPECT_EQ(Call("wrong"), 401);
}

}  // namespace
}  // namespace ducat::transport
