#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcp/server.h"
#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string SlowCall(std::string_view id, int64_t ms, bool stubborn = false) {
  return ModernRequest(id, "tools/call",
                       R"("name":"slow","arguments":{"ms":)" + std::to_string(ms) +
                           (stubborn ? R"(,"stubborn":true})" : "}"));
}
std::string Echo(std::string_view id) {
  return ModernRequest(id, "tools/call", R"("name":"echo","arguments":{"message":"m"})");
}
std::string Cancel(std::string_view id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
         std::string(id) + "}}";
}

TEST(RequestLoop, AnswersOthersWhileAToolRuns) {
  McpFixture fixture;
  fixture.client->Feed(SlowCall("1", 5'000));
  EXPECT_EQ(fixture.state->slow_running, 1);
  EXPECT_THAT(fixture.Ask(ModernRequest("2", "tools/list")), HasSubstr("\"id\":2"));
  EXPECT_THAT(fixture.Ask(ModernRequest("3", "server/discover")), HasSubstr("\"id\":3"));
  EXPECT_THAT(fixture.Ask(Echo("4")), HasSubstr("\"id\":4"));
  fixture.Advance(seconds(5));
  EXPECT_THAT(fixture.client->Take(), Contains(HasSubstr("\"id\":1")));
}

TEST(RequestLoop, CancelFreesTheIdAndSendsNothing) {
  McpFixture fixture;
  fixture.client->Feed(SlowCall("1", 5'000));
  EXPECT_EQ(fixture.client->session().in_flight(), 1U);
  fixture.client->Feed(Cancel("1"));
  EXPECT_EQ(fixture.state->slow_cancelled, 1);
  EXPECT_EQ(fixture.state->slow_running, 0);
  EXPECT_EQ(fixture.client->session().in_flight(), 0U);
  fixture.Advance(seconds(60));
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  EXPECT_THAT(fixture.Ask(Echo("1")), HasSubstr("Echo: m"));
}

TEST(RequestLoop, DropsTheResultOfAToolThatIgnoresItsCancel) {
  McpFixture fixture;
  fixture.client->Feed(SlowCall("1", 5'000, true));
  fixture.client->Feed(Cancel("1"));
  fixture.client->Feed(SlowCall("1", 10'000));
  EXPECT_EQ(fixture.state->slow_running, 2);
  fixture.Advance(seconds(5));
  EXPECT_EQ(fixture.state->slow_running, 1);
  EXPECT_THAT(fixture.client->Take(), IsEmpty()) << "the id belongs to the second call";
  fixture.Advance(seconds(5));
  EXPECT_THAT(fixture.client->Take(), SizeIs(1));
}

TEST(RequestLoop, IgnoresCancelsThatMeanNothing) {
  McpFixture fixture;
  fixture.client->Feed(SlowCall("1", 1'000));
  for (const std::string_view id : {"2", "\"1\"", "null", "1.5", "{}"}) {
    fixture.client->Feed(Cancel(id));
  }
  fixture.client->Feed(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  fixture.client->Feed(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]})");
  EXPECT_EQ(fixture.state->slow_running, 1);
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
}

TEST(RequestLoop, RefusesAnIdThatIsInFlight) {
  McpFixture fixture;
  fixture.client->Feed(SlowCall("\"a\"", 1'000));
  EXPECT_THAT(fixture.Ask(Echo("\"\\u0061\"")), HasSubstr("-32600"));
  EXPECT_THAT(fixture.Ask(ModernRequest("\"a\"", "tools/list")), HasSubstr("\"tools\""));
}

TEST(RequestLoop, EndsACallAtItsDeadline) {
  McpFixture fixture;
  fixture.client->Feed(SlowCall("1", 100'000));
  fixture.Advance(milliseconds(54'999));
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  fixture.Advance(milliseconds(1));
  const auto replies = fixture.client->Take();
  ASSERT_THAT(replies, SizeIs(1));
  EXPECT_THAT(replies[0], HasSubstr(R"("reason":"timeout")"));
  EXPECT_THAT(replies[0], HasSubstr(R"("timeout_ms":55000)"));
  EXPECT_EQ(fixture.state->slow_running, 0) << "the tool was told";
}

TEST(RequestLoop, GivesMoreTimeWithAProgressToken) {
  McpFixture fixture;
  fixture.client->Feed(ModernRequest(
      "1", "tools/call", R"("name":"slow","arguments":{"ms":1000000})", R"("progressToken":"p")"));
  for (int second = 1; second < 300; ++second) {
    fixture.Advance(seconds(1));
    // Something arrives every ten seconds.
    EXPECT_THAT(fixture.client->Take(), SizeIs(second % 10 == 0 ? 1 : 0)) << second;
  }
  fixture.Advance(seconds(1));
  const auto last = fixture.client->Take();
  ASSERT_FALSE(last.empty());
  EXPECT_THAT(last.front(), HasSubstr(R"("timeout_ms":300000)"));
  fixture.Advance(seconds(30));
  EXPECT_THAT(fixture.client->Take(), IsEmpty()) << "no progress after the reply";
}

TEST(RequestLoop, KeepsAShorterDeclaredDeadline) {
  struct Nothing {
    static constexpr std::array<json::Field, 0> Fields() { return {}; }
  };
  McpFixture fixture;
  ToolInfo info{.name = "brief", .title = "Brief", .description = "Has two seconds."};
  info.deadline = milliseconds(2'000);
  milliseconds seen{0};
  const Status added = fixture.registry.AddTool(MakeTool<Nothing, Nothing>(
      info,
      [&](Nothing, CallContext& context) -> Task<Nothing> {
        seen = std::chrono::duration_cast<milliseconds>(context.deadline - fixture.clock.Now());
        co_return Nothing{};
      },
      [](const Nothing&, Text& text) { text.Add("done"); }));
  ASSERT_TRUE(added.has_value());
  static_cast<void>(fixture.Ask(ModernRequest("1", "tools/call", R"("name":"brief")")));
  EXPECT_EQ(seen, milliseconds(2'000));
}

// 32 calls of one client run; the 33rd is told so, and gets its turn when one has ended.
TEST(RequestLoop, TakesSoManyCallsOfOnePrincipal) {
  McpFixture fixture;
  for (int i = 1; i <= 32; ++i)
    fixture.client->Feed(SlowCall(std::to_string(i), i == 1 ? 1'000 : 2'000));
  EXPECT_EQ(fixture.state->slow_running, 32);
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  const std::string refused = fixture.Ask(SlowCall("33", 1'000));
  EXPECT_THAT(refused, HasSubstr(R"("reason":"overloaded")"));
  EXPECT_THAT(refused, HasSubstr("You have 32 calls in flight"));
  EXPECT_THAT(refused, HasSubstr(R"("retryable":true)"));
  EXPECT_THAT(fixture.Ask(ModernRequest("900", "tools/list")), HasSubstr("\"tools\""));
  fixture.Advance(seconds(1));
  EXPECT_THAT(fixture.client->Take(), SizeIs(1));
  fixture.client->Feed(SlowCall("33", 1'000));
  EXPECT_EQ(fixture.state->slow_running, 32);
  fixture.client->Feed(Cancel("2"));
  fixture.client->Feed(SlowCall("34", 1'000));
  EXPECT_EQ(fixture.state->slow_running, 32) << "a cancelled call counts no more";
}

TEST(RequestLoop, QueuesCallsAndThenRefusesThem) {
  ServerOptions options;
  options.limits.calls_running_max = 2;
  options.limits.calls_waiting_max = 1;
  McpFixture fixture(options);
  fixture.client->Feed(SlowCall("1", 1'000));
  fixture.client->Feed(SlowCall("2", 2'000));
  fixture.client->Feed(SlowCall("3", 1'000));
  EXPECT_EQ(fixture.state->slow_running, 2);
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  const std::string refused = fixture.Ask(SlowCall("4", 1'000));
  EXPECT_THAT(refused, HasSubstr(R"("reason":"overloaded")"));
  EXPECT_THAT(refused, HasSubstr(R"("retryable":true)"));
  EXPECT_THAT(fixture.Ask(ModernRequest("5", "tools/list")), HasSubstr("\"tools\""));
  fixture.Advance(seconds(1));
  EXPECT_THAT(fixture.client->Take(), Contains(HasSubstr("\"id\":1")));
  EXPECT_EQ(fixture.state->slow_running, 2) << "the third has begun";
  fixture.Advance(seconds(1));
  EXPECT_THAT(fixture.client->Take(), SizeIs(2));
}

TEST(RequestLoop, SkipsWaitingCallsThatWereCancelledOrTimedOut) {
  ServerOptions options;
  options.limits.calls_running_max = 1;
  McpFixture fixture(options);
  fixture.client->Feed(SlowCall("1", 50'000));
  fixture.client->Feed(SlowCall("2", 1));
  fixture.client->Feed(Echo("3"));
  fixture.client->Feed(Cancel("2"));
  fixture.Advance(seconds(50));
  const auto replies = fixture.client->Take();
  ASSERT_THAT(replies, SizeIs(2));
  EXPECT_THAT(replies[0], HasSubstr("\"id\":1"));
  EXPECT_THAT(replies[1], HasSubstr("Echo: m")) << "its arguments outlived later messages";
  fixture.client->Feed(SlowCall("4", 100'000, true));
  fixture.client->Feed(SlowCall("5", 1));
  fixture.Advance(seconds(55));
  EXPECT_THAT(fixture.client->Take(), SizeIs(2)) << "both have timed out";
}

TEST(RequestLoop, LimitsWhatIsInFlight) {
  ServerOptions options;
  options.limits.calls_per_principal_max = 1'000;
  McpFixture fixture(options);
  for (int i = 0; i < 256; ++i)
    fixture.client->Feed(SlowCall(std::to_string(i), 1'000));
  EXPECT_EQ(fixture.client->session().in_flight(), 256U);
  EXPECT_EQ(fixture.state->slow_running, 64);
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  EXPECT_THAT(fixture.Ask(SlowCall("256", 1'000)), HasSubstr("-31003"));
  EXPECT_THAT(fixture.Ask(ModernRequest("900", "tools/list")), HasSubstr("\"tools\""));
  fixture.client->Feed(Cancel("0"));
  EXPECT_THAT(fixture.Ask(SlowCall("256", 1'000)), IsEmpty());
}

TEST(RequestLoop, HidesAForeignExceptionBehindTheRequestId) {
  McpFixture fixture;
  const std::string reply = fixture.Ask(ModernRequest("1", "tools/call", R"("name":"throw")"));
  EXPECT_THAT(reply, HasSubstr(R"("reason":"internal_error")"));
  EXPECT_THAT(reply, Not(HasSubstr("basic_string")));
  const std::string mark = R"("requestId":")";
  const std::string id = reply.substr(reply.find(mark) + mark.size(), 11);
  EXPECT_THAT(fixture.log_lines, Contains(::testing::AllOf(HasSubstr(id), HasSubstr("at"))));
  EXPECT_THAT(fixture.Ask(Echo("2")), HasSubstr("Echo: m"));
}

TEST(RequestLoop, CatchesExceptionsOfListsToo) {
  McpFixture fixture({}, [](Registry& registry) {
    ResourceProvider provider;
    provider.list = [] { return std::vector<ResourceEntry>{std::vector<ResourceEntry>().at(7)}; };
    registry.AddResources(std::move(provider));
  });
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "resources/list")), HasSubstr("-32603"));
  EXPECT_THAT(fixture.Ask(ModernRequest("2", "server/discover")), HasSubstr("\"id\":2"));
}

TEST(RequestLoop, AbandonsWhatASessionLeavesBehind) {
  McpFixture fixture;
  fixture.client->Feed(SlowCall("1", 1'000));
  fixture.client->Feed(SlowCall("2", 1'000, true));
  fixture.client = std::make_unique<MemoryClient>(fixture.loop, *fixture.server);
  fixture.Advance(seconds(100));
  EXPECT_EQ(fixture.state->slow_running, 0);
  EXPECT_THAT(fixture.client->Take(), IsEmpty());
  EXPECT_THAT(fixture.Ask(Echo("1")), HasSubstr("Echo: m"));
}

TEST(RequestLoop, TellsASessionWhenItIsIdle) {
  McpFixture fixture;
  int idle = 0;
  fixture.client->session().OnIdle([&] { ++idle; });
  fixture.client->Feed(SlowCall("1", 1'000));
  fixture.client->Feed(SlowCall("2", 2'000));
  fixture.Advance(seconds(1));
  EXPECT_EQ(idle, 0);
  fixture.Advance(seconds(1));
  EXPECT_EQ(idle, 1);
}

TEST(RequestLoop, LimitsLogLinesOfARequest) {
  McpFixture fixture;
  fixture.Handshake("2025-11-25");
  static_cast<void>(fixture.Ask(LegacyRequest("1", "logging/setLevel", R"("level":"debug")")));
  struct Nothing {
    static constexpr std::array<json::Field, 0> Fields() { return {}; }
  };
  const Status added = fixture.registry.AddTool(MakeTool<Nothing, Nothing>(
      {.name = "chatty", .title = "Chatty", .description = "Logs much."},
      [](Nothing, CallContext& context) -> Task<Nothing> {
        for (int i = 0; i < 60; ++i)
          context.log(LogLevel::kInfo, "ducat.test", "line", "");
        co_return Nothing{};
      },
      [](const Nothing&, Text& text) { text.Add("done"); }));
  ASSERT_TRUE(added.has_value());
  fixture.client->Feed(LegacyRequest("2", "tools/call", R"("name":"chatty")"));
  EXPECT_THAT(fixture.client->Take(), SizeIs(51));
}

}  // namespace
}  // namespace ducat::mcp
