// The HTTP transport over real sockets: both eras, the ladder's statuses, sessions, endpoints.
#include "transport/http/http_server.h"

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
using ::testing::HasSubstr;
using ::testing::Not;

TEST(HttpServer, AnswersAModernCallAsJson) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const HttpReply reply = client.Ask(ModernEcho("hello"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.Header("content-type"), "application/json");
  EXPECT_EQ(reply.Header("cache-control"), "no-store");
  EXPECT_EQ(reply.Header("x-content-type-options"), "nosniff");
  EXPECT_EQ(reply.Header("server"), "");
  EXPECT_THAT(reply.body, HasSubstr("Echo: hello"));
  EXPECT_THAT(reply.body, HasSubstr(R"("id":1)"));
  // The same connection goes on.
  EXPECT_THAT(client.Ask(ModernEcho("again", "\"b\"")).body, HasSubstr(R"("id":"b")"));
}

TEST(HttpServer, AnswersAsAStreamWhenOnlyThatIsTaken) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string body = ModernRequest("1", "tools/list");
  client.Send(HttpRequest(
      "POST", "/mcp",
      "Content-Type: application/json\r\nAccept: text/event-stream\r\n" + Mirror("tools/list"),
      body));
  const HttpReply reply = client.ReadStream();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.Header("content-type"), "text/event-stream");
  EXPECT_EQ(reply.Header("cache-control"), "no-cache, no-transform");
  EXPECT_EQ(reply.Header("x-accel-buffering"), "no");
  EXPECT_THAT(reply.body, ::testing::StartsWith("event: message\ndata: {"));
  EXPECT_THAT(reply.body, ::testing::EndsWith("}\n\n"));
  EXPECT_THAT(reply.body, Not(HasSubstr("id: ")));
}

TEST(HttpServer, ServesALegacySession) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client);
  EXPECT_EQ(fixture.server->sessions(), 1U);
  const HttpReply listed = client.Ask(Post(LegacyRequest("2", "tools/list"), session));
  EXPECT_EQ(listed.status, 200);
  EXPECT_THAT(listed.body, HasSubstr("\"echo\""));
  EXPECT_THAT(listed.body, Not(HasSubstr("resultType")));
  EXPECT_EQ(client.Ask(HttpRequest("DELETE", "/mcp", session)).status, 204);
  EXPECT_EQ(fixture.server->sessions(), 0U);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("3", "tools/list"), session)).status, 404);
}

TEST(HttpServer, RefusesLegacyRequestsWithoutTheirSession) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const HttpReply missing = client.Ask(Post(LegacyRequest("2", "tools/list")));
  EXPECT_EQ(missing.status, 400);
  EXPECT_THAT(missing.body, HasSubstr("-32600"));
  EXPECT_THAT(missing.body, HasSubstr("Send initialize first"));
  const HttpReply unknown =
      client.Ask(Post(LegacyRequest("2", "tools/list"), "Mcp-Session-Id: nonsense\r\n"));
  EXPECT_EQ(unknown.status, 404);
  // A stale id does not hinder a new beginning.
  const std::string params = R"("protocolVersion":"2025-11-25","capabilities":{})";
  const HttpReply fresh =
      client.Ask(Post(LegacyRequest("3", "initialize", params), "Mcp-Session-Id: nonsense\r\n"));
  EXPECT_EQ(fresh.status, 200);
  EXPECT_EQ(fresh.Header("mcp-session-id").size(), 22U);
}

TEST(HttpServer, KeepsNoSessionOfAFailedHandshake) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const HttpReply reply = client.Ask(Post(LegacyRequest("1", "initialize", "\"capabilities\":{}")));
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr("-32602"));
  EXPECT_EQ(reply.Header("mcp-session-id"), "");
  EXPECT_EQ(fixture.server->sessions(), 0U);
}

TEST(HttpServer, ServesStatelessLegacyByFlag) {
  HttpOptions options;
  options.stateful = false;
  HttpFixture fixture(std::move(options));
  HttpClient client(fixture);
  const std::string params = R"("protocolVersion":"2025-06-18","capabilities":{})";
  const HttpReply opened = client.Ask(Post(LegacyRequest("1", "initialize", params)));
  EXPECT_EQ(opened.status, 200);
  EXPECT_EQ(opened.Header("mcp-session-id"), "");
  const HttpReply listed =
      client.Ask(Post(LegacyRequest("2", "tools/list"), "MCP-Protocol-Version: 2025-06-18\r\n"));
  EXPECT_EQ(listed.status, 200);
  EXPECT_THAT(listed.body, HasSubstr("outputSchema"));
  EXPECT_THAT(client.Ask(Post(LegacyRequest("3", "tools/list"))).body,
              Not(HasSubstr("outputSchema")));
  const HttpReply unknown =
      client.Ask(Post(LegacyRequest("4", "tools/list"), "MCP-Protocol-Version: 1999-01-01\r\n"));
  EXPECT_EQ(unknown.status, 400);
  EXPECT_THAT(unknown.body, HasSubstr("2024-11-05"));
  EXPECT_EQ(client.Ask(HttpRequest("DELETE", "/mcp", "Mcp-Session-Id: x\r\n")).status, 405);
}

TEST(HttpServer, AnswersBatchesOfTheOneRevisionThatHasThem) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string session = OpenSession(client, "2025-03-26");
  const std::string batch = "[" + LegacyRequest("1", "ping") +
                            R"(,{"jsonrpc":"2.0","method":"notifications/x"},)" +
                            LegacyRequest("2", "ping") + "]";
  const HttpReply both = client.Ask(Post(batch, session));
  EXPECT_EQ(both.status, 200);
  EXPECT_THAT(both.body, ::testing::StartsWith("[{"));
  EXPECT_EQ(client.Ask(Post(R"([{"jsonrpc":"2.0","method":"notifications/x"}])", session)).status,
            202);
  EXPECT_EQ(client.Ask(Post("[]", session)).status, 400);
  HttpClient newer(fixture);
  const std::string other = OpenSession(newer, "2025-11-25");
  EXPECT_EQ(newer.Ask(Post(batch, other)).status, 400);
}

// protocol.md 3, one line a rung: what is sent, and what comes back.
struct Rung {
  std::string name, headers, body;
  int status;
  std::string part;
};
void PrintTo(const Rung& rung, std::ostream* out) {
  *out << rung.name;
}

class Ladder : public ::testing::TestWithParam<Rung> {};

TEST_P(Ladder, Answers) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const HttpReply reply = client.Ask(Post(GetParam().body, GetParam().headers));
  EXPECT_EQ(reply.status, GetParam().status) << reply.body;
  EXPECT_THAT(reply.body, HasSubstr(GetParam().part));
  // Whatever it was, the next request is served.
  EXPECT_EQ(client.Ask(ModernEcho("after")).status, 200);
}

const std::string kListBody = ModernRequest("7", "tools/list");
const std::string kOldClaim = R"({"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{)"
                              R"("io.modelcontextprotocol/protocolVersion":"2025-11-25",)"
                              R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

INSTANTIATE_TEST_SUITE_P(
    Http, Ladder,
    ::testing::Values(
        Rung{"NotJson", "", "{", 400, R"("id":null)"},
        Rung{"NotJsonNewClient", Mirror("x"), "{", 400,
             R"({"jsonrpc":"2.0","error":{"code":-32700)"},
        Rung{"EmptyArray", "", "[]", 400, "-32600"},
        Rung{"ArrayWithClaim", "", "[" + kListBody + "]", 400, "no batches"},
        Rung{"NotAMessage", "", "17", 400, "-32600"},
        Rung{"NoMethod", "", R"({"jsonrpc":"2.0","id":9})", 400, R"("id":9)"},
        Rung{"BadId", "", R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", 400, "-32600"},
        Rung{"UnaskedResponse", "", R"({"jsonrpc":"2.0","id":"s-1","result":{}})", 400, "-32600"},
        Rung{"InitializeNamedModern", "MCP-Protocol-Version: 2026-07-28\r\n",
             LegacyRequest("1", "initialize", R"("protocolVersion":"2025-11-25")"), 400, "-32020"},
        Rung{"InitializeIsUnknownInTheModernEra", Mirror("initialize"),
             ModernRequest("1", "initialize"), 404, "-32601"},
        Rung{"NoClaimButNamedModern", Mirror("tools/list"), LegacyRequest("1", "tools/list"), 400,
             R"("missing":["io.modelcontextprotocol/protocolVersion")"},
        Rung{"BareDiscover", "", LegacyRequest("1", "server/discover"), 400, "missing"},
        Rung{"BareListen", "", LegacyRequest("1", "subscriptions/listen"), 400, "missing"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Modern, Ladder,
    ::testing::Values(
        Rung{"BadEnvelope", Mirror("tools/list"),
             ModernRequest("1", "tools/list", "", R"("io.modelcontextprotocol/logLevel":"loud")"),
             400, "-32602"},
        Rung{"VersionDiffers", "MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/list\r\n",
             kListBody, 400, "-32020"},
        Rung{"MethodDiffers", "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n",
             kListBody, 400, "-32020"},
        Rung{"MethodInOtherCase", "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: Tools/List\r\n",
             kListBody, 400, "-32020"},
        Rung{"OldClaim", "MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/list\r\n",
             kOldClaim, 400, R"("requested":"2025-11-25")"},
        Rung{"OldClaimWithoutHeaders", "", kOldClaim, 400, "-32022"},
        Rung{"NoVersionHeader", "Mcp-Method: tools/list\r\n", kListBody, 400, "-32020"},
        Rung{"NoMethodHeader", "MCP-Protocol-Version: 2026-07-28\r\n", kListBody, 400, "-32020"},
        Rung{"HeaderNamesInOtherCase",
             "mcp-protocol-version:  2026-07-28 \r\nMCP-METHOD: tools/list\r\n", kListBody, 200,
             "\"echo\""},
        Rung{"UnknownMethod", Mirror("nothing/here"), ModernRequest("1", "nothing/here"), 404,
             "-32601"},
        Rung{"PingIsLegacy", Mirror("ping"), ModernRequest("1", "ping"), 404, "-32601"},
        Rung{"NameMissing", Mirror("tools/call"),
             ModernRequest("1", "tools/call", R"("name":"echo")"), 400, "Mcp-Name"},
        Rung{"NameDiffers", Mirror("tools/call", "slow"),
             ModernRequest("1", "tools/call", R"("name":"echo")"), 400, "-32020"},
        Rung{"NameInBase64", Mirror("tools/call", "=?base64?ZWNobw==?="),
             ModernRequest("1", "tools/call", R"("name":"echo","arguments":{"message":"m"})"), 200,
             "Echo: m"},
        Rung{"NameInBadBase64", Mirror("tools/call", "=?base64?ZWNobx==?="),
             ModernRequest("1", "tools/call", R"("name":"echo")"), 400, "-32020"},
        Rung{"UriMissing", Mirror("resources/read"),
             ModernRequest("1", "resources/read", R"("uri":"test://note")"), 400, "-32020"},
        Rung{"UnknownTool", Mirror("tools/call", "nope"),
             ModernRequest("1", "tools/call", R"("name":"nope")"), 200, "-32602"},
        Rung{"UnknownResource", Mirror("resources/read", "test://none"),
             ModernRequest("1", "resources/read", R"("uri":"test://none")"), 200, "-32602"},
        Rung{"ThrowingTool", Mirror("tools/call", "throw"),
             ModernRequest("1", "tools/call", R"("name":"throw")"), 200, "internal_error"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Notification, Ladder,
    ::testing::Values(Rung{"ModernIsAccepted", Mirror("notifications/x"),
                           R"({"jsonrpc":"2.0","method":"notifications/x"})", 202, ""},
                      Rung{"ModernMethodDiffers", Mirror("notifications/y"),
                           R"({"jsonrpc":"2.0","method":"notifications/x"})", 400, "-32020"},
                      Rung{"LegacyNeedsItsSession", "",
                           R"({"jsonrpc":"2.0","method":"notifications/x"})", 400, "-32600"},
                      Rung{"LegacySessionUnknown", "Mcp-Session-Id: gone\r\n",
                           R"({"jsonrpc":"2.0","method":"notifications/x"})", 404, "-32600"}),
    [](const auto& info) { return info.param.name; });

TEST(HttpServer, AnswersItsEndpoints) {
  HttpFixture fixture;
  HttpClient client(fixture);
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/healthz")).body, R"({"status":"ok"})");
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/readyz")).body, R"({"status":"ready"})");
  EXPECT_THAT(client.Ask(HttpRequest("GET", "/robots.txt")).body, HasSubstr("Disallow: /"));
  const HttpReply card = client.Ask(HttpRequest("GET", "/.well-known/mcp.json"));
  EXPECT_EQ(card.Header("cache-control"), "public, max-age=3600");
  EXPECT_THAT(card.body, HasSubstr(R"("mcp_version":"2026-07-28")"));
  EXPECT_THAT(card.body, HasSubstr(R"("streamable_http":"http://localhost/mcp")"));
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/.well-known/oauth-protected-resource")).status, 404);
  EXPECT_EQ(client.Ask(HttpRequest("GET", "/sse")).status, 404);
  const HttpReply posted = client.Ask(HttpRequest("POST", "/healthz"));
  EXPECT_EQ(posted.status, 405);
  EXPECT_EQ(posted.Header("allow"), "GET, HEAD");
}

TEST(HttpServer, SaysWhyItIsNotReady) {
  HttpOptions options;
  options.not_ready = [] { return std::vector<std::string_view>{"data"}; };
  HttpFixture fixture(std::move(options));
  HttpClient client(fixture);
  const HttpReply reply = client.Ask(HttpRequest("GET", "/readyz"));
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.body, R"({"status":"not_ready","reasons":["data"]})");
}

TEST(HttpServer, F17GetOnTheEndpointIsRefusedWithAllow) {
  HttpFixture fixture;
  HttpClient client(fixture);
  for (const std::string_view method : {"GET", "DELETE", "PUT", "HEAD"}) {
    client.Send(HttpRequest(method, "/mcp", "Accept: text/event-stream\r\n"));
    const HttpReply reply = client.Read(method != "HEAD");
    EXPECT_EQ(reply.status, 405) << method;
    EXPECT_EQ(reply.Header("allow"), "POST") << method;
  }
}

TEST(HttpServer, F20ProbesThenFallsBackOnOneConnection) {
  HttpFixture fixture;
  HttpClient client(fixture);
  EXPECT_EQ(client.Ask(ModernPost("server/discover")).status, 200);
  const std::string session = OpenSession(client);
  EXPECT_EQ(client.Ask(ModernPost("server/discover")).status, 200);
  EXPECT_EQ(client.Ask(Post(LegacyRequest("5", "ping"), session)).status, 200);
}

TEST(HttpServer, ServesHttp10AndClosing) {
  HttpFixture fixture;
  HttpClient old(fixture);
  const HttpReply first = old.Ask("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.Header("connection"), "close");
  EXPECT_TRUE(old.IsClosed());
  HttpClient closing(fixture);
  const HttpReply second = closing.Ask(HttpRequest("GET", "/healthz", "Connection: close\r\n"));
  EXPECT_EQ(second.Header("connection"), "close");
  EXPECT_TRUE(closing.IsClosed());
}

TEST(HttpServer, ServesPipelinedRequestsInOrder) {
  HttpFixture fixture;
  HttpClient client(fixture);
  client.Send(ModernEcho("one") + ModernEcho("two") + HttpRequest("GET", "/healthz"));
  EXPECT_THAT(client.Read().body, HasSubstr("Echo: one"));
  EXPECT_THAT(client.Read().body, HasSubstr("Echo: two"));
  EXPECT_THAT(client.Read().body, HasSubstr("ok"));
}

TEST(HttpServer, TakesAChunkedBodyAndSaysContinue) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string body = ModernRequest("1", "tools/list");
  std::string head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
                     Mirror("tools/list") +
                     "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n";
  EXPECT_EQ(client.Ask(head).status, 100);
  client.Send("5\r\n" + body.substr(0, 5) + "\r\n");
  char size[20];
  std::snprintf(size, sizeof(size), "%zx", body.size() - 5);
  client.Send(std::string(size) + "\r\n" + body.substr(5) + "\r\n0\r\n\r\n");
  EXPECT_THAT(client.Read().body, HasSubstr("\"echo\""));
}

}  // namespace
}  // namespace ducat::transport
