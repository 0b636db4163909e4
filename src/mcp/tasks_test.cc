// Calls that become tasks, by every mode; their methods, their limits, what listeners hear.
#include "mcp/tasks.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using std::chrono::milliseconds;
using testing::LegacyRequest;
using testing::McpFixture;

constexpr std::string_view kDeclared =
    R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";

std::string Modern(std::string_view method, std::string_view params,
                   std::string_view capabilities = kDeclared, std::string_view id = "1") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":{)" + std::string(params) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":)" +
         std::string(capabilities) + "}}}";
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::string Member(const std::string& message, std::string_view name) {
  const std::string start = "\"" + std::string(name) + "\":\"";
  const size_t begin = message.find(start);
  if (begin == message.npos) return "";
  return message.substr(begin + start.size(),
                        message.find('"', begin + start.size()) - begin - start.size());
}

Answer Say(std::string text) {
  Answer answer;
  answer.content = R"([{"type":"text","text":")" + text + "\"}]";
  return answer;
}

// What the tools of this test share.
struct World {
  boost::asio::io_context* loop = nullptr;
  TimerQueue* timers = nullptr;
  int cancelled = 0;
};

boost::asio::awaitable<void> Wait(World& world, milliseconds time, CancelToken cancel) {
  boost::asio::steady_timer timer(*world.loop, boost::asio::steady_timer::time_point::max());
  auto entry = world.timers->At(world.timers->clock().Now() + time, [&timer] { timer.cancel(); });
  const auto subscription = cancel.OnCancel([&](CancelCause) {
    ++world.cancelled;
    timer.cancel();
  });
  boost::system::error_code ignored;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  world.timers->Remove(entry);
}

Task<Answer> Work(World& world, CallContext& context) {
  context.progress(1, 4, "working");
  co_await Wait(world, milliseconds(10'000), context.cancel);
  co_return Say("done");
}
Task<Answer> Quick(World&, CallContext&) {
  co_return Say("quick");
}
Task<Answer> Break(World& world, CallContext& context) {
  co_await Wait(world, milliseconds(100), context.cancel);
  co_return Internal("broken");
}
Task<Answer> FailPlainly(World& world, CallContext& context) {
  co_await Wait(world, milliseconds(100), context.cancel);
  co_return Fail(ErrorCode::kNotFound, "no_such_thing", "There is none.");
}
Task<Answer> AskThenWork(World& world, CallContext& context) {
  InputRequest form = ElicitForm(
      "Who?", R"({"type":"object","properties":{"n":{"type":"string"}},"required":["n"]})");
  CO_TRY_ASSIGN(const InputAnswer answer, co_await context.Ask("who", std::move(form)));
  co_await Wait(world, milliseconds(100), context.cancel);
  co_return Say("Hello " + answer.Field("n").value_or("-"));
}
Task<Answer> AskTwoThings(World&, CallContext& context) {
  std::vector<Question> questions;
  questions.push_back({.key = "a", .request = ElicitForm("A?", R"({"type":"object"})")});
  questions.push_back({.key = "b", .request = ElicitForm("B?", R"({"type":"object"})")});
  CO_TRY_ASSIGN(const InputAnswers answers, co_await context.AskAll(std::move(questions)));
  co_return Say(std::to_string(answers.size()));
}

struct TasksTest : ::testing::Test {
  explicit TasksTest(ServerOptions options = {})
      : fixture(std::move(options), [this](Registry& registry) { Fill(registry); }) {
    world.loop = &fixture.loop;
    world.timers = &fixture.server->timers();
  }
  void Add(Registry& registry, std::string name, TaskMode mode,
           Task<Answer> (*run)(World&, CallContext&)) {
    Tool tool;
    tool.info.name = std::move(name);
    tool.info.description = "A tool.";
    tool.info.asks = true;
    tool.info.tasks = mode;
    if (tool.info.name == "guarded") tool.info.scopes = {"a:read"};
    tool.input_schema = R"({"type":"object"})";
    tool.call = [this, run](json::View, CallContext& context) { return run(world, context); };
    CHECK(registry.AddFreeFormTool(std::move(tool)));
  }
  void Fill(Registry& registry) {
    Add(registry, "plain", TaskMode::kNever, Work);
    Add(registry, "after", TaskMode::kAfter, Work);
    Add(registry, "at_once", TaskMode::kAtOnce, Work);
    Add(registry, "guarded", TaskMode::kAtOnce, Work);
    Add(registry, "required", TaskMode::kRequired, AskThenWork);
    Add(registry, "required_quick", TaskMode::kRequired, Quick);
    Add(registry, "breaks", TaskMode::kAtOnce, Break);
    Add(registry, "fails", TaskMode::kAtOnce, FailPlainly);
    Add(registry, "asks", TaskMode::kAtOnce, AskThenWork);
    Add(registry, "asks_two", TaskMode::kAtOnce, AskTwoThings);
  }
  std::string Call(std::string_view name, std::string_view capabilities = kDeclared,
                   std::string_view more = "") {
    return fixture.Ask(Modern(
        "tools/call", R"("name":")" + std::string(name) + "\"" + std::string(more), capabilities));
  }
  std::string Start(std::string_view name) { return Member(Call(name), "taskId"); }
  std::string Ask(std::string_view method, const std::string& id, std::string_view more = "") {
    return fixture.Ask(
        Modern(method, R"("taskId":")" + id + "\"" + std::string(more), kDeclared, "9"));
  }
  std::string Get(const std::string& id) { return Ask("tasks/get", id); }
  void Pass(int64_t ms) { fixture.Advance(milliseconds(ms)); }

  World world;
  McpFixture fixture;
};

TEST_F(TasksTest, AreAdvertisedInTheModernEraAlone) {
  EXPECT_TRUE(Has(fixture.Ask(Modern("server/discover", R"("x":1)", "{}")),
                  R"("extensions":{"io.modelcontextprotocol/tasks":{}})"));
  const std::string reply =
      fixture.Ask(LegacyRequest("0", "initialize",
                                R"("protocolVersion":"2025-11-25","capabilities":{"extensions":)"
                                R"({"io.modelcontextprotocol/tasks":{}}})"));
  EXPECT_FALSE(Has(reply, "tasks")) << reply;
  EXPECT_TRUE(Has(fixture.Ask(LegacyRequest("1", "tasks/get", R"("taskId":"x")")), "-32601"));
  static_cast<void>(fixture.Ask(LegacyRequest("2", "tools/call", R"("name":"at_once")")));
  Pass(10'000);
  const auto late = fixture.client->Take();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_TRUE(Has(late[0], R"("text":"done")") && !Has(late[0], "taskId")) << late[0];
}

TEST_F(TasksTest, BeginAtOnceWhereTheClientDeclaresThem) {
  const std::string reply = Call("at_once");
  EXPECT_TRUE(Has(reply, R"("result":{"resultType":"task","taskId":")")) << reply;
  EXPECT_TRUE(Has(reply, R"("status":"working","createdAt":"1970-01-01T01:00:00.000Z",)")) << reply;
  EXPECT_TRUE(Has(reply, R"("ttlMs":3600000,"pollIntervalMs":1000,"_meta")")) << reply;
  const std::string id = Member(reply, "taskId");
  EXPECT_EQ(id.size(), 22U);
  EXPECT_TRUE(Has(Get(id), R"x(working (1 of 4)","createdAt)x") &&
              Has(Get(id), R"("statusMessage":"working)"))
      << Get(id);
  Pass(10'000);
  const std::string over = Get(id);
  EXPECT_TRUE(Has(over, R"("resultType":"complete","taskId":")" + id + R"(","status":"completed")"))
      << over;
  EXPECT_TRUE(Has(over, R"("result":{"resultType":"complete","content":[{"type":"text",)"
                        R"("text":"done"}],"_meta")"))
      << over;
}

TEST_F(TasksTest, StaySynchronousWithoutTheExtension) {
  EXPECT_EQ(Call("at_once", "{}"), "");
  Pass(10'000);
  const auto reply = fixture.client->Take();
  ASSERT_EQ(reply.size(), 1U);
  EXPECT_TRUE(Has(reply[0], R"("text":"done")") && !Has(reply[0], "taskId")) << reply[0];
}

TEST_F(TasksTest, BeginAfterFiveSeconds) {
  EXPECT_EQ(Call("after"), "");
  Pass(4'999);
  EXPECT_TRUE(fixture.client->Take().empty());
  Pass(1);
  const auto reply = fixture.client->Take();
  ASSERT_EQ(reply.size(), 1U);
  const std::string id = Member(reply[0], "taskId");
  EXPECT_TRUE(Has(reply[0], R"("resultType":"task")")) << reply[0];
  EXPECT_EQ(fixture.client->session().in_flight(), 0U);
  Pass(5'000);
  EXPECT_TRUE(Has(Get(id), R"("status":"completed")"));
}

TEST_F(TasksTest, NeverBeginForAToolThatHasNone) {
  EXPECT_EQ(Call("plain"), "");
  Pass(10'000);
  EXPECT_FALSE(Has(fixture.client->Take().at(0), "taskId"));
}

TEST_F(TasksTest, AreRefusedWhereATaskIsRequiredAndNotDeclared) {
  const std::string reply = Call("required_quick", R"({"elicitation":{}})");
  EXPECT_TRUE(Has(reply, R"("code":-32021)")) << reply;
  EXPECT_TRUE(Has(reply, R"("requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks")"
                         ":{}}}"))
      << reply;
}

TEST_F(TasksTest, AreThereForAQuickCallThatRequiresOne) {
  const std::string reply = Call("required_quick");
  EXPECT_TRUE(Has(reply, R"("resultType":"task")")) << reply;
  EXPECT_TRUE(Has(Get(Member(reply, "taskId")), R"("text":"quick")"));
}

TEST_F(TasksTest, BeginOnceTheCallHasAsked) {
  const std::string first = Call("required");
  EXPECT_TRUE(Has(first, "input_required") && !Has(first, "taskId")) << first;
  const std::string second =
      Call("required", kDeclared,
           R"(,"inputResponses":{"who":{"action":"accept","content":{"n":"Ada"}}},)"
           R"("requestState":")" +
               Member(first, "requestState") + "\"");
  EXPECT_TRUE(Has(second, R"("resultType":"task")") && !Has(second, "requestState")) << second;
  Pass(100);
  EXPECT_TRUE(Has(Get(Member(second, "taskId")), "Hello Ada"));
}

TEST_F(TasksTest, TellABrokenCallFromAFailedOne) {
  const std::string broken = Start("breaks");
  const std::string failed = Start("fails");
  Pass(100);
  const std::string protocol = Get(broken);
  EXPECT_TRUE(Has(protocol, R"("status":"failed")") && Has(protocol, R"("error":{"code":-32603)"))
      << protocol;
  EXPECT_FALSE(Has(protocol, R"("result":{"resultType":"complete","content")")) << protocol;
  EXPECT_FALSE(Has(protocol, "broken")) << "details are for the log";
  const std::string tool = Get(failed);
  EXPECT_TRUE(Has(tool, R"("status":"completed")") && Has(tool, R"("isError":true)")) << tool;
}

TEST_F(TasksTest, AreCancelled) {
  const std::string id = Start("at_once");
  const std::string done = Ask("tasks/cancel", id);
  EXPECT_TRUE(Has(done, R"("result":{"resultType":"complete","_meta")")) << done;
  EXPECT_EQ(world.cancelled, 1);
  const std::string after = Get(id);
  EXPECT_TRUE(Has(after, R"("status":"cancelled")") && !Has(after, R"("error")")) << after;
  EXPECT_TRUE(Has(Ask("tasks/cancel", id), R"("resultType":"complete")")) << "again is fine";
}

TEST_F(TasksTest, AskAndGoOnWithTheAnswer) {
  const std::string id = Start("asks");
  const std::string asking = Get(id);
  EXPECT_TRUE(Has(asking, R"("status":"input_required")")) << asking;
  EXPECT_TRUE(Has(asking, R"("inputRequests":{"who":{"method":"elicitation/create")")) << asking;
  EXPECT_FALSE(Has(asking, "requestState")) << asking;
  EXPECT_TRUE(Has(Ask("tasks/update", id, R"(,"inputResponses":{"other":{"x":true}})"),
                  R"("result":{"resultType":"complete","_meta")"));
  EXPECT_TRUE(Has(Ask("tasks/update", id, R"(,"inputResponses":{"who":7})"), "-32602"));
  EXPECT_TRUE(Has(Ask("tasks/update", id), "-32602"));
  // An answer that does not fit: the question comes again, under a name of its own.
  static_cast<void>(
      Ask("tasks/update", id, R"(,"inputResponses":{"who":{"action":"accept","content":{}}})"));
  EXPECT_TRUE(Has(Get(id), R"("inputRequests":{"who-2":)"));
  static_cast<void>(
      Ask("tasks/update", id,
          R"(,"inputResponses":{"who-2":{"action":"accept","content":{"n":"Ada"}}})"));
  EXPECT_TRUE(Has(Get(id), R"("status":"working")"));
  Pass(100);
  EXPECT_TRUE(Has(Get(id), "Hello Ada"));
}

TEST_F(TasksTest, KeepWhatIsStillAsked) {
  const std::string id = Start("asks_two");
  static_cast<void>(Ask("tasks/update", id, R"(,"inputResponses":{"a":{"action":"decline"}})"));
  const std::string rest = Get(id);
  EXPECT_TRUE(Has(rest, R"("status":"input_required")") && Has(rest, R"("inputRequests":{"b":)"))
      << rest;
  static_cast<void>(Ask("tasks/update", id, R"(,"inputResponses":{"b":{"action":"decline"}})"));
  EXPECT_TRUE(Has(Get(id), R"("text":"2")"));
}

// What people read beside the status; how far it was says nothing about how it ended.
TEST_F(TasksTest, SayInWordsHowTheyAre) {
  const auto words = [this](const std::string& id) { return Member(Get(id), "statusMessage"); };
  const std::string asking = Start("asks");
  EXPECT_EQ(words(asking), "Waiting for input from the client");
  static_cast<void>(Ask("tasks/update", asking,
                        R"(,"inputResponses":{"who":{"action":"accept","content":{"n":"Ada"}}})"));
  EXPECT_EQ(words(asking), "") << "it goes on";
  const std::string done = Start("at_once");
  EXPECT_EQ(words(done), "working (1 of 4)");
  const std::string broken = Start("breaks");
  const std::string cancelled = Start("at_once");
  static_cast<void>(Ask("tasks/cancel", cancelled));
  EXPECT_EQ(words(cancelled), "Cancelled by the client");
  Pass(10'000);
  EXPECT_EQ(words(done), "");
  const std::string failed = Get(broken);
  EXPECT_NE(Member(failed, "statusMessage"), "");
  EXPECT_EQ(Member(failed, "statusMessage"), Member(failed, "message"));
}

TEST_F(TasksTest, BelongToTheirPrincipal) {
  const std::string id = Start("at_once");
  MemoryClient other(fixture.loop, *fixture.server, {.principal = "mallory"});
  for (const std::string_view method : {"tasks/get", "tasks/cancel", "tasks/update"}) {
    const std::string reply =
        other.Ask(Modern(method, R"("inputResponses":{},"taskId":")" + id + "\""));
    EXPECT_TRUE(Has(reply, "-32602") && Has(reply, "not found")) << reply;
  }
  EXPECT_TRUE(Has(Get(id), "working"));
}

TEST_F(TasksTest, NeedTheExtensionOnEveryRequest) {
  for (const std::string_view method : {"tasks/get", "tasks/cancel", "tasks/update"}) {
    const std::string reply = fixture.Ask(Modern(method, R"("taskId":"x")", "{}"));
    EXPECT_TRUE(Has(reply, R"("code":-32021)")) << reply;
  }
  EXPECT_TRUE(Has(fixture.Ask(Modern("tasks/list", R"("x":1)")), "-32601"));
  EXPECT_TRUE(Has(fixture.Ask(Modern("tasks/result", R"("taskId":"x")")), "-32601"));
}

TEST_F(TasksTest, AreKeptForTheirTimeToLive) {
  const std::string id = Start("at_once");
  Pass(3'599'999);
  EXPECT_TRUE(Has(Get(id), R"("status":"completed")"));
  Pass(1);
  EXPECT_TRUE(Has(Get(id), "-32602"));
}

TEST_F(TasksTest, TellTheirListeners) {
  const std::string id = Start("at_once");
  const std::string ack = fixture.Ask(
      Modern("subscriptions/listen", R"("notifications":{"taskIds":[")" + id + R"(","unknown"]})",
             kDeclared, "7"));
  EXPECT_TRUE(Has(ack, R"("notifications":{"taskIds":[")" + id + R"("]})")) << ack;
  Pass(10'000);
  Pass(100);
  const auto told = fixture.client->Take();
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(
      Has(told.back(), R"({"jsonrpc":"2.0","method":"notifications/tasks","params":{"_meta":)"
                       R"({"io.modelcontextprotocol/subscriptionId":7},"taskId":")" +
                           id + R"(","status":"completed")"))
      << told.back();
  EXPECT_TRUE(Has(told.back(), R"("text":"done")")) << told.back();
}

TEST_F(TasksTest, OutliveTheirSession) {
  const std::string id = Start("at_once");
  fixture.client = std::make_unique<MemoryClient>(fixture.loop, *fixture.server);
  Pass(10'000);
  EXPECT_TRUE(Has(Get(id), R"("text":"done")"));
}

TEST_F(TasksTest, EndWithTheServer) {
  static_cast<void>(Start("at_once"));
  static_cast<void>(Start("asks"));
  fixture.client.reset();
  fixture.server.reset();
  EXPECT_EQ(world.cancelled, 1);
}

ServerOptions FewTasks() {
  ServerOptions options;
  options.limits.tasks_max = 3;
  options.limits.tasks_per_principal_max = 2;
  options.limits.task_results_bytes_max = 100;
  options.limits.task_deadline = milliseconds(9'000);
  return options;
}
struct FewTasksTest : TasksTest {
  FewTasksTest() : TasksTest(FewTasks()) {}
  // Whether another call of that principal becomes a task.
  bool Becomes(MemoryClient& client) {
    return Has(client.Ask(Modern("tools/call", R"("name":"at_once")", kDeclared,
                                 std::to_string(++last_id))),
               "taskId");
  }
  int last_id = 100;
};

TEST_F(FewTasksTest, StopAtTheLimitOfAPrincipalAndOfAll) {
  MemoryClient other(fixture.loop, *fixture.server, {.principal = "other"});
  EXPECT_TRUE(Becomes(*fixture.client));
  EXPECT_TRUE(Becomes(*fixture.client));
  EXPECT_FALSE(Becomes(*fixture.client)) << "one more than a principal may have";
  EXPECT_TRUE(Becomes(other));
  EXPECT_FALSE(Becomes(other)) << "one more than there may be";
  EXPECT_TRUE(Has(Call("required_quick"), R"("code":-31003)"));
}

TEST_F(FewTasksTest, StopWhenTheirResultsAreTooManyBytes) {
  EXPECT_TRUE(Has(Call("required_quick"), "taskId"));  // its result has more than 100 bytes
  EXPECT_FALSE(Becomes(*fixture.client));
}

TEST_F(FewTasksTest, EndAtTheirDeadline) {
  const std::string id = Start("at_once");
  Pass(8'999);
  EXPECT_TRUE(Has(Get(id), "working"));
  Pass(1);
  const std::string late = Get(id);
  EXPECT_TRUE(Has(late, R"("isError":true)") && Has(late, "timeout")) << late;
}

// A scope that is lost covers results as well.
TEST_F(TasksTest, AreTheirCallersWhileHeMayUseTheTool) {
  const auto grant = [this](Scopes scopes) {
    fixture.client->session().set_grant(std::make_shared<const Scopes>(std::move(scopes)));
  };
  grant({"a:read"});
  const std::string id = Start("guarded");
  EXPECT_TRUE(Has(Get(id), "taskId"));
  grant({"b:read"});
  for (const char* method : {"tasks/get", "tasks/cancel"}) {
    const std::string refused = fixture.Ask(Modern(method, R"("taskId":")" + id + "\""));
    EXPECT_TRUE(Has(refused, "scopes that this needs: a:read")) << refused;
  }
  grant({"a:*"});
  EXPECT_TRUE(Has(Get(id), "taskId"));
}

TEST(TaskStore, CountsTheBytesOfResults) {
  Limits limits;
  limits.task_results_bytes_max = 10;
  Tasks tasks(limits);
  const auto first = tasks.Create("p", {});
  tasks.Settle(*first, TaskStatus::kCompleted, std::string(9, 'x'), {});
  const auto second = tasks.Create("p", {});
  ASSERT_TRUE(second) << "one byte below the limit";
  tasks.Settle(*second, TaskStatus::kCompleted, "x", {});
  EXPECT_EQ(tasks.Create("p", {}), nullptr) << "at the limit";
  tasks.Forget(second->id);
  EXPECT_NE(tasks.Create("p", {}), nullptr);
}

}  // namespace
}  // namespace ducat::mcp
