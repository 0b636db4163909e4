// `ducat serve` as a client has it: a real process on a port of loopback.
#include <csignal>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>

#include "ducat_process.h"
#include "http_exchange.h"

namespace ducat::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string PostLegacy(int port, const std::string& session, std::string_view body) {
  std::string request =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
  if (!session.empty()) request.append("Mcp-Session-Id: ").append(session).append("\r\n");
  request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return Exchange(port, request.append(body));
}

// The id of a new session of revision 2025-06-18.
std::string OpenSession(int port) {
  const std::string answer = PostLegacy(
      port, "",
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
  constexpr std::string_view kName = "Mcp-Session-Id: ";
  const size_t at = answer.find(kName);
  if (at == answer.npos) return {};
  const size_t start = at + kName.size();
  return answer.substr(start, answer.find('\r', start) - start);
}

std::string Query(int port, const std::string& session, int id, std::string_view sql) {
  std::string body = R"({"jsonrpc":"2.0","method":"tools/call","id":)" + std::to_string(id);
  body.append(R"(,"params":{"name":"query","arguments":{"sql":")").append(sql).append(R"("}}})");
  return PostLegacy(port, session, body);
}

class ServeHttp : public ::testing::Test {
 protected:
  void SetUp() override { data_.Write("orders.csv", "id,amount\n1,2.5\n2,4.0\n3,1.25\n"); }
  ScratchFolder data_;
};

TEST_F(ServeHttp, AnswersToolCallsAndEndsInOrder) {
  DucatProcess server({"serve", "--http", "127.0.0.1:0", "--data", data_.string()});
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  EXPECT_THAT(CallTool(port, "list_tables", R"({"wait_ms":30000})"), HasSubstr("orders.csv"));
  EXPECT_THAT(CallTool(port, "query", R"({"sql":"SELECT sum(amount) AS s FROM orders"})"),
              HasSubstr("7.75"));
  EXPECT_THAT(Exchange(port, "GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n"),
              HasSubstr(R"({"status":"ready"})"));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.WaitForExit(), 0);
  EXPECT_THAT(server.RestOfOutput(), IsEmpty());
}

// guard.md 3.1: the first job of a session waits for no second job of another.
TEST_F(ServeHttp, SessionsTakeTurns) {
  DucatProcess server(
      {"serve", "--http", "127.0.0.1:0", "--data", data_.string(), "--timeout-s", "4"});
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  const std::string busy = OpenSession(port);
  const std::string other = OpenSession(port);
  ASSERT_FALSE(busy.empty() || other.empty());
  std::vector<std::thread> calls;
  for (int call = 0; call < 8; ++call) {
    calls.emplace_back([&, call] {
      const std::string sql =
          "SELECT sum(hash(range + " + std::to_string(call) + ")) FROM range(100000000000)";
      EXPECT_THAT(Query(port, busy, call, sql), HasSubstr("query_timeout"));
    });
  }
  ::usleep(500'000);  // they run and wait by then; later is as good
  EXPECT_THAT(Query(port, other, 1, "SELECT 3 + 4 AS seven"), HasSubstr("seven"));
  for (std::thread& call : calls) {
    call.join();
  }
}

TEST_F(ServeHttp, S04RefusesToBeReachedWithoutAuthentication) {
  const Finished refused = RunDucat({"serve", "--http", "0.0.0.0:0", "--data", data_.string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--allow-unauthenticated"));
  DucatProcess warned(
      {"serve", "--http", "0.0.0.0:0", "--allow-unauthenticated", "--data", data_.string()});
  for (int tries = 0; tries < 600 && warned.Errors().find("listening") == std::string::npos;
       ++tries) {
    ::usleep(100'000);
  }
  EXPECT_THAT(warned.Errors(), HasSubstr("warning: anybody who reaches 0.0.0.0:0"));
  warned.Signal(SIGINT);
  EXPECT_EQ(warned.WaitForExit(), 0);
}

TEST_F(ServeHttp, MakesATokenThatItTakes) {
  const Finished made =
      RunDucat({"token", "new", "--principal", "alice", "--scope", "analyst:read"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string token = made.out.substr(0, made.out.find('\n'));
  EXPECT_THAT(made.err, HasSubstr(" principal=alice tenant=default scopes=analyst:read\n"));
  ScratchFolder folder;
  folder.Write("tokens", made.err);
  DucatProcess server({"serve", "--http", "127.0.0.1:0", "--auth", "token", "--token-file",
                       folder.string() + "/tokens", "--data", data_.string()});
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("HTTP/1.1 401 Unauthorized"));
  EXPECT_THAT(CallTool(port, "list_tables", "{}", "Authorization: Bearer " + token + "\r\n"),
              HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(server.Errors(), ::testing::Not(HasSubstr(token)));
  const Finished open = RunDucat({"serve", "--http", "0.0.0.0:0", "--auth", "token", "--token-file",
                                  folder.string() + "/tokens", "--data", data_.string()});
  EXPECT_EQ(open.exit_code, 2);
  EXPECT_THAT(open.err, HasSubstr("--public-url"));
  const Finished missing = RunDucat({"serve", "--http", "127.0.0.1:0", "--auth", "token",
                                     "--token-file", "/no/such", "--data", data_.string()});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("ducat token new"));
  const Finished bypass = RunDucat({"serve", "--http", "127.0.0.1:0", "--data", data_.string()},
                                   {"DEV_MCP_AUTH_BYPASS=true"});
  EXPECT_EQ(bypass.exit_code, 2);
  EXPECT_THAT(bypass.err, HasSubstr("there is no bypass"));
}

TEST_F(ServeHttp, SaysThatTheAddressIsTaken) {
  DucatProcess first({"analyst", "--http", "127.0.0.1:0", "--data", data_.string()});
  const int port = PortOf(first);
  ASSERT_GT(port, 0) << first.Errors();
  const Finished second =
      RunDucat({"serve", "--http", "127.0.0.1:" + std::to_string(port), "--data", data_.string()});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("Address already in use"));
}

}  // namespace
}  // namespace ducat::testing
