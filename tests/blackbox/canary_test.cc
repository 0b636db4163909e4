// A secret that a client presents, rightly or wrongly, in the right place or a wrong one, comes out
// nowhere: no answer, log at level debug, audit line or metric (S-27).
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "base/digest.h"
#include "ducat_process.h"
#include "http_exchange.h"

namespace ducat::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kGood = "dct_canaryGOOD0000000000000000000000000000000001";
constexpr std::string_view kWrong = "dct_canaryWRONG000000000000000000000000000000002";
constexpr std::string_view kMark = "canary";
// In a Basic header.
constexpr std::string_view kEncoded = "Y2FuYXJ5OmNhbmFyeQ==";

std::string Bearer(std::string_view token) {
  return "Authorization: Bearer " + std::string(token) + "\r\n";
}

std::string Request(std::string_view line, std::string_view headers = "",
                    std::string_view body = "") {
  std::string out(line);
  out.append(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n").append(headers);
  out.append("Content-Length: ").append(std::to_string(body.size()));
  return out.append("\r\n\r\n").append(body);
}

class Canary : public ::testing::Test {
 protected:
  void SetUp() override {
    data_.Write("orders.csv", "id,amount\n1,2.5\n2,4.0\n");
    folder_.Write("tokens", "sha256:" + Hex(Sha256(kGood)) + " principal=alice scopes=*\n");
  }
  std::vector<std::string> Serve() {
    return {"serve",
            "--http",
            "127.0.0.1:0",
            "--data",
            data_.string(),
            "--auth",
            "token",
            "--token-file",
            folder_.string() + "/tokens",
            "--audit-log",
            folder_.string() + "/audit.jsonl",
            "--log-level",
            "debug"};
  }
  // Everything that such a conversation gets back.
  static std::string Converse(int port) {
    const std::string query = std::string(kWrong);
    std::string said = CallTool(port, "query", R"({"sql":"SELECT 1"})", Bearer(kGood));
    said += CallTool(port, "query", R"({"sql":"SELEC 1"})", Bearer(kGood));
    said += CallTool(port, "no_such_tool", "{}", Bearer(kGood));
    said += CallTool(port, "query", "{}", Bearer(kWrong));
    said += CallTool(port, "query", "{}", Bearer(std::string(kWrong) + " " + query));
    said += CallTool(port, "query", "{}", "Authorization: Basic " + std::string(kEncoded) + "\r\n");
    said += CallTool(port, "query", "{}", Bearer(kGood) + Bearer(kWrong));
    said += CallTool(port, "query", "{}", Bearer(kGood) + "Mcp-Param-X: " + query + "\r\n");
    said += CallTool(port, "query", "{}", Bearer(kGood) + "Origin: http://" + query + "\r\n");
    said += Exchange(port, Request("POST /mcp?access_token=" + query, Bearer(kGood), "{}"));
    said += Exchange(port, Request("GET /" + query, Bearer(kGood)));
    said += Exchange(port, Request("GET /" + query + " extra", Bearer(kGood)));
    said += Exchange(port, Request(query + " /mcp", Bearer(kGood)));
    said += Exchange(port, Request("GET /mcp", Bearer(kGood) + query + " : x\r\n"));
    said +=
        Exchange(port, Request("DELETE /mcp", Bearer(kGood) + "Mcp-Session-Id: " + query + "\r\n"));
    said += Exchange(port, Request("POST /mcp", Bearer(kGood) + "Content-Type: " + query + "\r\n"));
    said += Exchange(port, Request("POST /mcp",
                                   Bearer(kGood) +
                                       "Content-Type: application/json\r\n"
                                       "MCP-Protocol-Version: " +
                                       query + "\r\n",
                                   "{}"));
    return said + Exchange(port, Request("GET /metrics", Bearer(kGood)));
  }

  ScratchFolder data_;
  ScratchFolder folder_;
};

TEST_F(Canary, S27ComesOutNowhere) {
  DucatProcess server(Serve());
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  const std::string said = Converse(port);
  EXPECT_THAT(said, HasSubstr("ducat_tool_calls_total")) << "the good token was let in";
  EXPECT_THAT(said, HasSubstr("401 Unauthorized"));
  server.Signal(15);
  static_cast<void>(server.WaitForExit());
  const std::string audit = folder_.Read("audit.jsonl");
  EXPECT_THAT(audit, HasSubstr("no_such_tool"));
  EXPECT_THAT(server.Errors(), HasSubstr("debug"));
  for (const std::string_view secret : {kMark, kEncoded}) {
    EXPECT_THAT(said, Not(HasSubstr(std::string(secret))));
    EXPECT_THAT(server.Errors(), Not(HasSubstr(std::string(secret))));
    EXPECT_THAT(audit, Not(HasSubstr(std::string(secret))));
  }
}

}  // namespace
}  // namespace ducat::testing
