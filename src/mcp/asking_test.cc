// Input from the client in the modern era (input_required) and the legacy ones (requests).
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using testing::LegacyRequest;
using testing::McpFixture;

constexpr std::string_view kNameForm =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";
constexpr std::string_view kAll = R"({"elicitation":{},"sampling":{},"roots":{}})";

std::string Modern(std::string_view method, std::string_view params,
                   std::string_view capabilities = kAll) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":)" +
         std::string(capabilities) + "}}}";
}

Answer Say(std::string text) {
  Answer answer;
  answer.content = R"([{"type":"text","text":")" + text + "\"}]";
  return answer;
}

Task<Answer> Greet(CallContext& context) {
  InputRequest form = ElicitForm("Who?", std::string(kNameForm));
  CO_TRY_ASSIGN(const InputAnswer name, co_await context.Ask("who", std::move(form)));
  co_return Say(name.Action() + " " + name.Field("name").value_or("-"));
}

Task<Answer> AskTwice(CallContext& context) {
  InputRequest first = ElicitForm("First?", std::string(kNameForm));
  CO_TRY_ASSIGN(const InputAnswer one, co_await context.Ask("one", std::move(first)));
  InputRequest second = SampleText("Second?", 5);
  CO_TRY_ASSIGN(const InputAnswer two, co_await context.Ask("two", std::move(second)));
  co_return Say(one.Field("name").value_or("-") + " " + two.SampledText());
}

Task<Answer> AskAtOnce(CallContext& context) {
  std::vector<Question> questions;
  questions.push_back({.key = "form", .request = ElicitForm("Who?", std::string(kNameForm))});
  questions.push_back({.key = "roots", .request = ListRoots()});
  CO_TRY_ASSIGN(const InputAnswers answers, co_await context.AskAll(std::move(questions)));
  co_return Say(std::to_string(answers.size()));
}

void AddTool(Registry& registry, std::string name, Task<Answer> (*run)(CallContext&)) {
  Tool tool;
  tool.info.name = std::move(name);
  tool.info.description = "Asks.";
  tool.info.asks = true;
  tool.input_schema = R"({"type":"object"})";
  tool.call = [run](json::View, CallContext& context) { return run(context); };
  CHECK(registry.AddFreeFormTool(std::move(tool)));
}

void Fill(Registry& registry) {
  AddTool(registry, "greet", Greet);
  AddTool(registry, "twice", AskTwice);
  AddTool(registry, "at_once", AskAtOnce);
  Prompt prompt{.name = "asking", .description = "Asks."};
  prompt.asks = true;
  prompt.get = [](std::map<std::string, std::string>,
                  CallContext& context) -> Task<std::vector<PromptBlock>> {
    InputRequest form = ElicitForm("Who?", std::string(kNameForm));
    CO_TRY_ASSIGN(const InputAnswer name, co_await context.Ask("who", std::move(form)));
    std::vector<PromptBlock> blocks(1);
    blocks[0].text = name.Field("name").value_or("-");
    co_return blocks;
  };
  CHECK(registry.AddPrompt(std::move(prompt)));
  ResourceProvider provider;
  provider.list = [] { return std::vector<ResourceEntry>(); };
  provider.owns = [](std::string_view uri) { return uri == "test://asking"; };
  provider.asks = true;
  provider.read = [](std::string uri, CallContext& context) -> Task<ResourceContents> {
    InputRequest form = ElicitForm("Who?", std::string(kNameForm));
    CO_TRY_ASSIGN(const InputAnswer name, co_await context.Ask("who", std::move(form)));
    co_return ResourceContents{.uri = uri,
                               .mime_type = "text/plain",
                               .text = name.Field("name").value_or("-"),
                               .ttl_ms = 60'000};
  };
  registry.AddResources(std::move(provider));
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

// The value of a string member, wherever it is.
std::string Member(const std::string& message, std::string_view name) {
  const std::string start = "\"" + std::string(name) + "\":\"";
  const size_t begin = message.find(start);
  if (begin == message.npos) return "";
  const size_t end = message.find('"', begin + start.size());
  return message.substr(begin + start.size(), end - begin - start.size());
}

std::string CallOf(std::string_view name, std::string_view more = "") {
  std::string params = R"("name":")" + std::string(name) + R"(","arguments":{})";
  if (!more.empty()) params.append(",").append(more);
  return params;
}

constexpr std::string_view kAda =
    R"("inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}})";

struct Asking : ::testing::Test {
  static ServerOptions Options() {
    ServerOptions options;
    options.limits.request_state_bytes_max = 600;
    return options;
  }
  std::string Call(std::string_view name, std::string_view more = "") {
    return fixture.Ask(Modern("tools/call", CallOf(name, more)));
  }
  McpFixture fixture{Options(), Fill};
};

TEST_F(Asking, AnswersWithTheQuestionAndAState) {
  const std::string reply = Call("greet");
  EXPECT_TRUE(Has(reply, R"("resultType":"input_required","inputRequests":{"who":{"method":)"
                         R"("elicitation/create","params":{"mode":"form","message":"Who?")"))
      << reply;
  EXPECT_TRUE(Has(reply, R"("requestState":"v1.)")) << reply;
  EXPECT_FALSE(Has(reply, "content\"")) << reply;
}

TEST_F(Asking, GoesOnWithTheAnswer) {
  const std::string state = Member(Call("greet"), "requestState");
  const std::string with_state = std::string(kAda) + R"(,"requestState":")" + state + "\"";
  EXPECT_TRUE(Has(Call("greet", with_state), "accept Ada"));
  EXPECT_TRUE(Has(Call("greet", kAda), "accept Ada")) << "an answer needs no state";
  EXPECT_TRUE(
      Has(Call("greet", R"("inputResponses":{"who":{"action":"decline"},"x":{}})"), "decline -"));
}

TEST_F(Asking, AsksAgainForWhatIsMissingOrDoesNotFit) {
  for (const std::string_view more :
       {R"("inputResponses":{})", R"("inputResponses":{"wrong":{"action":"accept"}})",
        R"("inputResponses":{"who":{"action":"accept","content":{"name":5}}})"}) {
    EXPECT_TRUE(Has(Call("greet", more), R"("inputRequests":{"who")")) << more;
  }
}

TEST_F(Asking, RefusesResponsesOfAWrongShape) {
  for (const std::string_view more :
       {R"("inputResponses":null)", R"("inputResponses":[])", R"("inputResponses":{"who":null})",
        R"("inputResponses":{"who":12345})"}) {
    EXPECT_TRUE(Has(Call("greet", more), R"("code":-32602)")) << more;
  }
}

TEST_F(Asking, RemembersEarlierAnswersInTheState) {
  const std::string first = Call("twice");
  const std::string state1 = Member(first, "requestState");
  EXPECT_TRUE(Has(first, R"("one":{)"));
  EXPECT_FALSE(Has(first, R"("two":{)"));
  const std::string second =
      Call("twice", R"("inputResponses":{"one":{"action":"accept","content":{"name":"Ada"}}},)"
                    R"("requestState":")" +
                        state1 + "\"");
  const std::string state2 = Member(second, "requestState");
  EXPECT_TRUE(Has(second, R"("inputRequests":{"two":{"method":"sampling/createMessage")"))
      << second;
  EXPECT_NE(state1, state2);
  const std::string last =
      Call("twice", R"("inputResponses":{"two":{"role":"assistant","model":"m","content":)"
                    R"({"type":"text","text":"blue"}}},"requestState":")" +
                        state2 + "\"");
  EXPECT_TRUE(Has(last, "Ada blue")) << last;
}

TEST_F(Asking, S10RefusesAStateOfAnotherCall) {
  const std::string state = R"("requestState":")" + Member(Call("greet"), "requestState") + "\"";
  constexpr std::string_view kRefused = "requestState is invalid or expired";
  EXPECT_TRUE(Has(Call("twice", state), kRefused)) << "another tool";
  EXPECT_TRUE(
      Has(fixture.Ask(Modern("tools/call", R"("name":"greet","arguments":{"a":1},)" + state)),
          kRefused))
      << "other arguments";
  EXPECT_TRUE(Has(fixture.Ask(Modern("prompts/get", R"("name":"asking",)" + state)), kRefused))
      << "another method";
  EXPECT_TRUE(Has(Call("greet", R"("requestState":5)"), kRefused));
  EXPECT_TRUE(Has(Call("greet", state), R"("inputRequests":{"who")")) << "its own call";
}

TEST_F(Asking, S10RefusesAStateOfAnotherPrincipal) {
  const std::string state = R"("requestState":")" + Member(Call("greet"), "requestState") + "\"";
  MemoryClient other(fixture.loop, *fixture.server, {.principal = "mallory"});
  EXPECT_TRUE(Has(other.Ask(Modern("tools/call", CallOf("greet", state))),
                  "requestState is invalid or expired"));
}

TEST_F(Asking, S10LetsAStateExpire) {
  const std::string state = R"("requestState":")" + Member(Call("greet"), "requestState") + "\"";
  fixture.Advance(std::chrono::milliseconds(599'000));
  EXPECT_FALSE(Has(Call("greet", state), "expired")) << "at its last second";
  fixture.Advance(std::chrono::milliseconds(1'000));
  EXPECT_TRUE(Has(Call("greet", state), "requestState is invalid or expired"));
}

TEST_F(Asking, BoundsTheState) {
  const std::string at(600, 'x');
  const std::string past(601, 'x');
  // Both are refused alike: only the longer one without a look at its signature.
  EXPECT_TRUE(Has(Call("greet", R"("requestState":")" + at + "\""), "-32602"));
  EXPECT_TRUE(Has(Call("greet", R"("requestState":")" + past + "\""), "-32602"));
  const auto answer_of = [](size_t bytes) {
    return R"("inputResponses":{"one":{"action":"accept","content":{"name":")" +
           std::string(bytes, 'n') + R"("}}})";
  };
  const size_t room = 600 - Member(Call("twice", answer_of(0)), "requestState").size();
  EXPECT_TRUE(Has(Call("twice", answer_of(room * 3 / 4)), "input_required"));
  EXPECT_TRUE(Has(Call("twice", answer_of(room * 3 / 4 + 3)), "client_input_unavailable"));
}

TEST_F(Asking, NamesTheCapabilityThatIsMissing) {
  const std::string reply = fixture.Ask(Modern("tools/call", CallOf("greet"), "{}"));
  EXPECT_TRUE(Has(reply, R"("code":-32021)")) << reply;
  EXPECT_TRUE(Has(reply, R"("requiredCapabilities":{"elicitation":{}})")) << reply;
  const std::string urls =
      fixture.Ask(Modern("tools/call", CallOf("greet"), R"({"elicitation":{"url":{}}})"));
  EXPECT_TRUE(Has(urls, R"("code":-32021)")) << urls;
}

TEST_F(Asking, AsksOnlyWhatIsDeclared) {
  const std::string reply = fixture.Ask(Modern("tools/call", CallOf("at_once"), R"({"roots":{}})"));
  EXPECT_TRUE(Has(reply, R"("inputRequests":{"roots":{"method":"roots/list","params":{}}})"))
      << reply;
}

TEST_F(Asking, WorksForPromptsAndResources) {
  const auto prompt = [&](std::string_view more) {
    return fixture.Ask(Modern("prompts/get", R"("name":"asking")" + std::string(more)));
  };
  EXPECT_TRUE(Has(prompt(""), "input_required"));
  EXPECT_TRUE(Has(prompt("," + std::string(kAda)), R"("text":"Ada")"));
  const auto read = [&](std::string_view more) {
    return fixture.Ask(Modern("resources/read", R"("uri":"test://asking")" + std::string(more)));
  };
  EXPECT_TRUE(Has(read(""), "input_required"));
  const std::string retried = read("," + std::string(kAda));
  EXPECT_TRUE(Has(retried, R"("text":"Ada")")) << retried;
  EXPECT_TRUE(Has(retried, R"("ttlMs":0,"cacheScope":"private")")) << retried;
}

struct LegacyAsking : ::testing::Test {
  void Handshake(std::string_view revision, std::string_view capabilities) {
    static_cast<void>(
        Ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
            std::string(revision) + R"(","capabilities":{)" + std::string(capabilities) +
            R"(},"clientInfo":{"name":"t","version":"1"}}})"));
  }
  void Start() { Handshake("2025-11-25", R"("elicitation":{},"sampling":{},"roots":{})"); }
  std::string Ask(std::string_view text) { return client.Ask(text); }
  std::string Call(std::string_view name) {
    return Ask(LegacyRequest("1", "tools/call", CallOf(name)));
  }
  McpFixture server_fixture{{}, Fill};
  MemoryClient& client = *server_fixture.client;
};

TEST_F(LegacyAsking, SendsARequestAndGoesOnWithItsAnswer) {
  Start();
  EXPECT_EQ(Call("greet"),
            R"({"jsonrpc":"2.0","id":"s-1","method":"elicitation/create","params":{"mode":"form",)"
            R"("message":"Who?","requestedSchema":)" +
                std::string(kNameForm) + "}}");
  const std::string reply =
      Ask(R"({"jsonrpc":"2.0","id":"s-1","result":{"action":"accept","content":{"name":"Ada"}}})");
  EXPECT_TRUE(Has(reply, R"("id":1,"result":{"content":[{"type":"text","text":"accept Ada"}])"))
      << reply;
}

TEST_F(LegacyAsking, LeavesTheModeOutBefore20251125) {
  Handshake("2025-06-18", R"("elicitation":{})");
  EXPECT_TRUE(Has(Call("greet"), R"("params":{"message":"Who?")"));
}

TEST_F(LegacyAsking, HasNoFormsBefore20250618) {
  Handshake("2025-03-26", R"("elicitation":{},"roots":{})");
  EXPECT_TRUE(Has(Call("greet"), "client_input_unavailable"));
  EXPECT_TRUE(Has(Ask(LegacyRequest("2", "tools/call", CallOf("at_once"))), "roots/list"));
}

TEST_F(LegacyAsking, AsksOneThingAfterAnother) {
  Start();
  EXPECT_TRUE(Has(Call("twice"), R"("id":"s-1")"));
  const std::string second =
      Ask(R"({"jsonrpc":"2.0","id":"s-1","result":{"action":"accept","content":{"name":"Ada"}}})");
  EXPECT_TRUE(Has(second, R"("id":"s-2","method":"sampling/createMessage")")) << second;
  EXPECT_TRUE(Has(Ask(R"({"jsonrpc":"2.0","id":"s-2","result":{"role":"assistant","model":"m",)"
                      R"("content":{"type":"text","text":"blue"}}})"),
                  "Ada blue"));
}

TEST_F(LegacyAsking, AsksSeveralThingsAtOnce) {
  Start();
  const std::string both = Call("at_once");
  EXPECT_TRUE(Has(both, R"("id":"s-1")") && Has(both, R"("id":"s-2","method":"roots/list")"));
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","id":"s-2","result":{"roots":[]}})"), "");
  EXPECT_TRUE(
      Has(Ask(R"({"jsonrpc":"2.0","id":"s-1","result":{"action":"cancel"}})"), R"("text":"2")"));
}

TEST_F(LegacyAsking, FailsWhenTheClientRefusesOrAnswersNonsense) {
  Start();
  static_cast<void>(Call("greet"));
  const std::string refused =
      Ask(R"({"jsonrpc":"2.0","id":"s-1","error":{"code":-1,"message":"not now"}})");
  EXPECT_TRUE(Has(refused, "client_input_unavailable") && Has(refused, "not now")) << refused;
  static_cast<void>(Call("greet"));
  const std::string nonsense = Ask(R"({"jsonrpc":"2.0","id":"s-2","result":{"action":"accept"}})");
  EXPECT_TRUE(Has(nonsense, "does not fit what was asked")) << nonsense;
}

TEST_F(LegacyAsking, WaitsForAUserTenMinutesAndNotLonger) {
  Start();
  static_cast<void>(Call("greet"));
  server_fixture.Advance(std::chrono::milliseconds(599'999));
  EXPECT_TRUE(client.Take().empty()) << "the call's own deadline stands still";
  server_fixture.Advance(std::chrono::milliseconds(1));
  const auto late = client.Take();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_TRUE(Has(late[0], "client_input_unavailable")) << late[0];
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","id":"s-1","result":{"action":"cancel"}})"), "")
      << "a late answer is no fault";
}

TEST_F(LegacyAsking, WaitsForAClientOneMinuteAndNotLonger) {
  Handshake("2025-11-25", R"("roots":{})");
  static_cast<void>(Call("at_once"));
  server_fixture.Advance(std::chrono::milliseconds(59'999));
  EXPECT_TRUE(client.Take().empty());
  server_fixture.Advance(std::chrono::milliseconds(1));
  const auto late = client.Take();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_TRUE(Has(late[0], "roots/list in 60 s")) << late[0];
}

TEST_F(LegacyAsking, EndsWithTheCallOrTheSession) {
  Start();
  static_cast<void>(Call("greet"));
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"),
            "");
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","id":"s-1","result":{"action":"cancel"}})"), "");
  EXPECT_TRUE(client.session().asked.empty());
  static_cast<void>(Call("greet"));
  server_fixture.client.reset();
  server_fixture.loop.restart();
  server_fixture.loop.poll();
}

TEST_F(LegacyAsking, RefusesAnswersToNothing) {
  Start();
  EXPECT_TRUE(Has(Ask(R"({"jsonrpc":"2.0","id":"s-1","result":{}})"), "-32600"));
  EXPECT_TRUE(Has(Ask(R"({"jsonrpc":"2.0","id":7,"result":{}})"), "-32600"));
}

}  // namespace
}  // namespace ducat::mcp
