// What an operator sees of a server: metrics and the audit log, by the real executable (protocol.md
// 7.5, 7.8, 15; S-30).
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "ducat_process.h"
#include "http_exchange.h"

namespace ducat::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kGetMetrics = "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n";

class ServeOperations : public ::testing::Test {
 protected:
  void SetUp() override { data_.Write("orders.csv", "id,amount\n1,2.5\n2,4.0\n"); }
  std::vector<std::string> Serve(std::vector<std::string> more) {
    std::vector<std::string> all{"serve", "--http", "127.0.0.1:0", "--data", data_.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string audit() { return folder_.string() + "/audit.jsonl"; }
  // True once `check` holds, at most ten seconds.
  template <class Check>
  static bool Soon(Check check) {
    for (int tries = 0; tries < 100; ++tries) {
      if (check()) return true;
      ::usleep(100'000);
    }
    return false;
  }

  ScratchFolder data_;
  ScratchFolder folder_;
};

TEST_F(ServeOperations, MetricsCountCallsRowsAndResponses) {
  DucatProcess server(Serve({}));
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  EXPECT_THAT(CallTool(port, "query", R"({"sql":"SELECT * FROM orders"})"),
              HasSubstr(R"("rows":[[1,2.5],[2,4]])"));
  EXPECT_THAT(CallTool(port, "query", R"({"sql":"SELECT * FROM nothing"})"), HasSubstr("isError"));
  EXPECT_THAT(CallTool(port, "no_such_tool", "{}"), HasSubstr("error"));
  const std::string text = Exchange(port, kGetMetrics);
  EXPECT_THAT(text, HasSubstr("HTTP/1.0 200 OK"));
  EXPECT_THAT(text, HasSubstr("ducat_tool_calls_total{outcome=\"ok\",tool=\"query\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_tool_calls_total{outcome=\"error\",tool=\"query\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_tool_calls_total{outcome=\"denied\",tool=\"_unknown\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_tool_rows_total{outcome=\"ok\",tool=\"query\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ducat_http_responses_total{code=\"200\",route=\"mcp\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("ducat_connections{state=\"open\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("process_resident_memory_bytes "));
}

TEST_F(ServeOperations, MetricsMayHaveAnAddressOfTheirOwn) {
  const std::string socket = folder_.string() + "/metrics.sock";
  DucatProcess server(Serve({"--metrics-listen", "unix:" + socket}));
  ASSERT_GT(PortOf(server), 0) << server.Errors();
  EXPECT_TRUE(Soon([&] { return server.Errors().find("metrics on unix:") != std::string::npos; }))
      << server.Errors();
  EXPECT_TRUE(std::filesystem::is_socket(socket));
}

TEST_F(ServeOperations, TheAuditLogHasALineForEveryCall) {
  DucatProcess server(Serve({"--audit-log", audit()}));
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  EXPECT_THAT(CallTool(port, "query", R"({"sql":"SELECT 'a secret', amount FROM orders"})"),
              HasSubstr("a secret"));
  EXPECT_THAT(CallTool(port, "no_such_tool", "{}"), HasSubstr("error"));
  const std::string log = folder_.Read("audit.jsonl");
  EXPECT_THAT(log, HasSubstr(R"("method":"tools/call","tool":"query")"));
  EXPECT_THAT(log, HasSubstr(R"("outcome":"ok","rows":2)"));
  EXPECT_THAT(log, HasSubstr(R"("remote":"127.0.0.1")"));
  EXPECT_THAT(log, HasSubstr(R"("tool":"no_such_tool")"));
  EXPECT_THAT(log, HasSubstr(R"("outcome":"denied")"));
  EXPECT_THAT(log, Not(HasSubstr("secret")));
}

TEST_F(ServeOperations, SighupOpensTheAuditLogAgain) {
  DucatProcess server(Serve({"--audit-log", audit()}));
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("orders"));
  std::filesystem::rename(audit(), audit() + ".1");
  server.Signal(SIGHUP);
  ASSERT_TRUE(Soon([&] { return std::filesystem::exists(audit()); })) << server.Errors();
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("orders"));
  const std::string before = folder_.Read("audit.jsonl.1");
  const std::string after = folder_.Read("audit.jsonl");
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'), 1);
  EXPECT_EQ(std::count(after.begin(), after.end(), '\n'), 1);
}

TEST_F(ServeOperations, AnAuditLogThatCannotBeOpenedStopsTheStart) {
  folder_.Write("not_a_folder", "x");
  DucatProcess server(Serve({"--audit-log", folder_.string() + "/not_a_folder/audit.jsonl"}));
  EXPECT_EQ(server.WaitForExit(), 2);
  EXPECT_THAT(server.Errors(), HasSubstr("not_a_folder/audit.jsonl"));
}

// A file at the size limit of its process takes nothing, like one on a full disk.
TEST_F(ServeOperations, CallsAreRefusedWhileARequiredLogTakesNothing) {
  DucatProcess server(Serve({"--audit-log", audit(), "--audit-required"}));
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("orders"));
  rlimit before{};
  ASSERT_EQ(::prlimit(server.pid(), RLIMIT_FSIZE, nullptr, &before), 0);
  const rlimit full{.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(::prlimit(server.pid(), RLIMIT_FSIZE, &full, nullptr), 0);
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("orders")) << "it had begun";
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("audit_unavailable"));
  EXPECT_THAT(Exchange(port, "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n"),
              HasSubstr("200 OK"));
  EXPECT_THAT(Exchange(port, kGetMetrics), HasSubstr("ducat_audit_errors_total "));
  EXPECT_THAT(server.Errors(), HasSubstr("cannot be written"));
  ASSERT_EQ(::prlimit(server.pid(), RLIMIT_FSIZE, &before, nullptr), 0);
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("orders"));
  EXPECT_THAT(folder_.Read("audit.jsonl"), HasSubstr(R"("kind":"lost","ts":")"));
}

TEST_F(ServeOperations, StdioHasAnAuditLogToo) {
  DucatProcess server({"analyst", "--data", data_.string(), "--audit-log", audit()});
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "list_tables", "{}"), HasSubstr("orders"));
  EXPECT_EQ(server.WaitForExit(), 0);
  EXPECT_THAT(folder_.Read("audit.jsonl"), HasSubstr(R"("transport":"stdio","method")"));
}

}  // namespace
}  // namespace ducat::testing
