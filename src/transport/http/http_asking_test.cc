// Questions to the client and tasks over HTTP: which stream carries a question, which POST its
// answer, and what a task needs no connection for.
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
using ::ducat::testing::Post;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

Task<mcp::Answer> AskRoots(mcp::CallContext& context) {
  mcp::InputRequest question = mcp::ListRoots();
  CO_TRY_ASSIGN(const mcp::InputAnswer roots, co_await context.Ask("roots", std::move(question)));
  mcp::Answer answer;
  answer.content =
      R"([{"type":"text","text":"roots )" + std::to_string(roots.RootUris().size()) + "\"}]";
  co_return answer;
}

void AddTool(HttpFixture& fixture, std::string name, mcp::TaskMode mode) {
  mcp::Tool tool;
  tool.info.name = std::move(name);
  tool.info.description = "Asks.";
  tool.info.asks = true;
  tool.info.tasks = mode;
  tool.input_schema = R"({"type":"object"})";
  tool.call = [](json::View, mcp::CallContext& context) { return AskRoots(context); };
  CHECK(fixture.mcp.registry.AddFreeFormTool(std::move(tool)));
}

struct HttpAsking : ::testing::Test {
  HttpAsking() : HttpAsking(HttpOptions()) {}
  explicit HttpAsking(HttpOptions options) : fixture(std::move(options)), client(fixture) {
    AddTool(fixture, "asks", mcp::TaskMode::kNever);
    AddTool(fixture, "asks_later", mcp::TaskMode::kAtOnce);
  }
  // A legacy session whose client has roots.
  void Open() {
    const HttpReply opened = client.Ask(
        Post(LegacyRequest("0", "initialize",
                           R"("protocolVersion":"2025-11-25","capabilities":{"roots":{}},)"
                           R"("clientInfo":{"name":"t","version":"1"})")));
    session = "Mcp-Session-Id: " + opened.Header("mcp-session-id") + "\r\n";
  }
  int Say(std::string_view message) {
    HttpClient other(fixture);
    return other.Ask(Post(message, session)).status;
  }
  static std::string Call() { return LegacyRequest("1", "tools/call", R"("name":"asks")"); }
  static std::string Modern(std::string_view method, std::string_view name,
                            std::string_view params) {
    const std::string body =
        R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
        std::string(params) +
        R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{"roots":{},"extensions":)"
        R"({"io.modelcontextprotocol/tasks":{}}}}}})";
    return Post(body, Mirror(method, name));
  }
  HttpFixture fixture;
  HttpClient client;
  std::string session;
};

TEST_F(HttpAsking, TheCallsOwnStreamCarriesTheQuestionAndAPostTheAnswer) {
  Open();
  client.Send(Post(Call(), session));
  EXPECT_EQ(client.Read().Header("content-type"), "text/event-stream");
  EXPECT_THAT(client.ReadEventWith("roots/list"), HasSubstr(R"("id":"s-1","method":"roots/list")"));
  constexpr std::string_view kAnswer =
      R"({"jsonrpc":"2.0","id":"s-1","result":{"roots":[{"uri":"file:///a"}]}})";
  EXPECT_EQ(Say(kAnswer), 202);
  EXPECT_THAT(client.ReadEventWith("0\r\n\r\n"), HasSubstr("roots 1"));
  EXPECT_EQ(Say(kAnswer), 202) << "a second answer is late, and no fault";
}

TEST_F(HttpAsking, AnAnswerToNothingIsRefused) {
  Open();
  EXPECT_EQ(Say(R"({"jsonrpc":"2.0","id":"s-1","result":{}})"), 400);
  EXPECT_EQ(Say(R"({"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}})"), 400);
  session = "Mcp-Session-Id: AAAAAAAAAAAAAAAAAAAAAA\r\n";
  EXPECT_EQ(Say(R"({"jsonrpc":"2.0","id":"s-1","result":{}})"), 404);
}

TEST_F(HttpAsking, AnotherSessionCannotAnswer) {
  Open();
  client.Send(Post(Call(), session));
  EXPECT_THAT(client.ReadEventWith("roots/list"), HasSubstr("s-1"));
  HttpClient stranger(fixture);
  const std::string other = ::ducat::testing::OpenSession(stranger);
  const std::string answer = R"({"jsonrpc":"2.0","id":"s-1","result":{"roots":[]}})";
  EXPECT_EQ(stranger.Ask(Post(answer, other)).status, 400);
  EXPECT_EQ(Say(answer), 202);
  EXPECT_THAT(client.ReadEventWith("0\r\n\r\n"), HasSubstr("roots 0"));
}

TEST_F(HttpAsking, AClientWithoutStreamsCannotBeAsked) {
  Open();
  const HttpReply reply = client.Ask(HttpRequest(
      "POST", "/mcp", "Content-Type: application/json\r\nAccept: application/json\r\n" + session,
      Call()));
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr("client_input_unavailable"));
}

TEST_F(HttpAsking, ALostConnectionKeepsTheQuestion) {
  Open();
  client.Send(Post(Call(), session));
  const std::string events = client.ReadEventWith("roots/list");
  const size_t at = events.find("id: ") + 4;
  const std::string primed = events.substr(at, events.find('\n', at) - at);
  client.Close();
  HttpClient again(fixture);
  again.Send(
      HttpRequest("GET", "/mcp",
                  "Accept: text/event-stream\r\n" + session + "Last-Event-ID: " + primed + "\r\n"));
  EXPECT_THAT(again.ReadEventWith("roots/list"), HasSubstr("s-1"));
  EXPECT_EQ(Say(R"({"jsonrpc":"2.0","id":"s-1","result":{"roots":[]}})"), 202);
  EXPECT_THAT(again.ReadEventWith("0\r\n\r\n"), HasSubstr("roots 0"));
}

TEST_F(HttpAsking, TheEndOfASessionEndsItsQuestions) {
  Open();
  client.Send(Post(Call(), session));
  EXPECT_THAT(client.ReadEventWith("roots/list"), HasSubstr("s-1"));
  HttpClient other(fixture);
  EXPECT_EQ(other.Ask(HttpRequest("DELETE", "/mcp", session)).status, 204);
  EXPECT_EQ(Say(R"({"jsonrpc":"2.0","id":"s-1","result":{"roots":[]}})"), 404);
}

struct StatelessHttpAsking : HttpAsking {
  static HttpOptions Stateless() {
    HttpOptions options;
    options.stateful = false;
    return options;
  }
  StatelessHttpAsking() : HttpAsking(Stateless()) {}
};

TEST_F(StatelessHttpAsking, NobodyIsAsked) {
  const HttpReply reply = client.Ask(Post(Call(), "MCP-Protocol-Version: 2025-11-25\r\n"));
  EXPECT_EQ(reply.Header("content-type"), "application/json");
  EXPECT_THAT(reply.body, HasSubstr("client_input_unavailable"));
  EXPECT_EQ(Say(R"({"jsonrpc":"2.0","id":"s-1","result":{}})"), 400);
}

TEST_F(HttpAsking, AModernCallAsksByItsAnswer) {
  const HttpReply reply = client.Ask(Modern("tools/call", "asks", R"("name":"asks")"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.Header("content-type"), "application/json");
  EXPECT_THAT(reply.body, HasSubstr(R"("resultType":"input_required")"));
  EXPECT_THAT(client
                  .Ask(Modern("tools/call", "asks",
                              R"("name":"asks","inputResponses":{"roots":{"roots":[]}})"))
                  .body,
              HasSubstr("roots 0"));
}

TEST_F(HttpAsking, AMissingCapabilityIsABadRequest) {
  const HttpReply reply =
      client.Ask(::ducat::testing::ModernPost("tools/call", "asks", R"("name":"asks")"));
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(reply.body, HasSubstr(R"("requiredCapabilities":{"roots":{}})"));
  EXPECT_EQ(client.Ask(::ducat::testing::ModernPost("tasks/get", "x", R"("taskId":"x")")).status,
            400);
}

TEST_F(HttpAsking, ATaskNeedsNoConnection) {
  const std::string created =
      client.Ask(Modern("tools/call", "asks_later", R"("name":"asks_later")")).body;
  client.Close();
  const size_t at = created.find(R"("taskId":")") + 10;
  const std::string id = created.substr(at, 22);
  const std::string params = R"("taskId":")" + id + "\"";
  HttpClient later(fixture);
  EXPECT_THAT(later.Ask(Modern("tasks/get", id, params)).body,
              HasSubstr(R"("inputRequests":{"roots":{"method":"roots/list")"));
  EXPECT_EQ(later.Ask(Modern("tasks/get", "another", params)).status, 400) << "Mcp-Name differs";
  EXPECT_EQ(
      later.Ask(Modern("tasks/update", id, params + R"(,"inputResponses":{"roots":{"roots":[]}})"))
          .status,
      200);
  const HttpReply over = later.Ask(Modern("tasks/get", id, params));
  EXPECT_THAT(over.body, HasSubstr("roots 0"));
  EXPECT_THAT(over.body, Not(HasSubstr("inputRequests")));
}

}  // namespace
}  // namespace ducat::transport
