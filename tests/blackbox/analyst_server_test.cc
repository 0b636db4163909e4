// `ducat analyst` as a client has it: real processes, real files, one conversation each.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>

#include "ducat_process.h"

namespace ducat::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

class AnalystServer : public ::testing::Test {
 protected:
  void SetUp() override {
    data_.Write("orders.csv", "id,customer_id,amount\n1,10,2.5\n2,11,4.0\n3,10,1.25\n");
    data_.Write("customers.csv", "customer_id,city\n10,Bonn\n11,Kiel\n");
    data_.Write("events.jsonl", "{\"id\":1,\"kind\":\"a\"}\n{\"id\":2,\"kind\":\"b\"}\n");
  }
  ScratchFolder data_;
};

TEST_F(AnalystServer, AnswersAConversation) {
  DucatProcess server({"analyst", "--data", data_.string()});
  const std::string hello = server.Ask("1", "initialize",
                                       R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                       R"("clientInfo":{"name":"t","version":"1"}})");
  EXPECT_THAT(hello, AllOf(HasSubstr("\"protocolVersion\":\"2025-11-25\""),
                           HasSubstr("Tables: 3: customers, events, orders.")));
  server.Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_THAT(server.Ask("2", "tools/list"), HasSubstr("\"name\":\"table_relationships\""));
  const std::string tables = server.CallTool("3", "list_tables", R"({"wait_ms":30000})");
  EXPECT_THAT(tables, AllOf(HasSubstr(R"("name":"orders")"), HasSubstr(R"("row_count":3)"),
                            Not(HasSubstr("\"isError\""))));
  EXPECT_THAT(server.CallTool("4", "query",
                              R"({"sql":"SELECT city, sum(amount) AS total FROM orders )"
                              R"(JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1"})"),
              HasSubstr(R"("rows":[["Bonn",3.75],["Kiel",4]])"));
  EXPECT_THAT(server.CallTool("5", "profile_table", R"({"name":"ORDERS"})"),
              HasSubstr(R"("distinct_count":2)"));
  EXPECT_THAT(server.Ask("6", "resources/read", R"({"uri":"duckdb://schema/orders"})"),
              HasSubstr("text/markdown"));
  EXPECT_THAT(
      server.Ask("7", "prompts/get", R"({"name":"analyze_table","arguments":{"table":"orders"}})"),
      HasSubstr("duckdb://schema/orders"));
  EXPECT_EQ(server.WaitForExit(), 0);
}

TEST_F(AnalystServer, RefusesToWriteAndGoesOn) {
  DucatProcess server({"analyst", "--data", data_.string()});
  server.Handshake();
  const std::string refused =
      server.CallTool("1", "query", R"({"sql":"COPY orders TO '/tmp/stolen.csv'"})");
  EXPECT_THAT(refused, AllOf(HasSubstr("\"isError\":true"), HasSubstr("denied_keyword"),
                             HasSubstr("[denied_keyword]")));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT count(*) FROM orders"})"),
              HasSubstr("\"rows\":[[3]]"));
  EXPECT_FALSE(fs::exists("/tmp/stolen.csv"));
}

TEST_F(AnalystServer, StopsAStatementAtItsDeadlineAndGoesOn) {
  DucatProcess server({"analyst", "--data", data_.string()});
  server.Handshake();
  const std::string late = server.CallTool(
      "1", "query",
      R"({"sql":"SELECT count(*) FROM range(100000000000) a, range(100000) b","timeout_s":0.5})");
  EXPECT_THAT(late, AllOf(HasSubstr("query_timeout"), HasSubstr("\"isError\":true")));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT 42 AS n"})"), HasSubstr("[[42]]"));
}

TEST_F(AnalystServer, ListsBadFilesWithTheirReasonAndServesTheRest) {
  data_.Write("broken.parquet", "this is no Parquet file");
  data_.Write("nested.json", std::string(60'000, '[') + std::string(60'000, ']'));
  data_.Write("picture.csv",
              std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", 18) + std::string(4000, '\x01'));
  data_.Write("nothing.csv", "");
  data_.Link("outside.csv", "/etc/hostname");
  DucatProcess server({"analyst", "--data", data_.string()});
  server.Handshake();
  const std::string tables = server.CallTool("1", "list_tables", R"({"wait_ms":30000})");
  EXPECT_THAT(
      tables,
      HasSubstr(
          R"("source":"outside.csv","row_count":null,"column_count":null,"status":"skipped")"));
  EXPECT_THAT(tables, HasSubstr(R"("reason":"outside_link")"));
  EXPECT_THAT(tables, HasSubstr(R"("reason":"corrupt")"));
  EXPECT_THAT(tables, HasSubstr(R"("reason":"deep_nesting")"));
  EXPECT_THAT(tables, HasSubstr(R"("reason":"binary")"));
  EXPECT_THAT(tables, HasSubstr(R"("status":"empty")"));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT * FROM broken"})"),
              AllOf(HasSubstr("table_unreadable"), HasSubstr("corrupt")));
  EXPECT_THAT(server.CallTool("3", "query", R"({"sql":"SELECT count(*) FROM events"})"),
              HasSubstr("[[2]]"));
}

TEST_F(AnalystServer, AnswersGarbageAndThenWorks) {
  DucatProcess server({"analyst", "--data", data_.string()});
  server.Handshake();
  server.Send("{not json");
  EXPECT_THAT(server.ReadLineWith("-32700"), HasSubstr("error"));
  server.Send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"method\":\"ping\"}");
  EXPECT_THAT(server.ReadLineWith("-32600"), HasSubstr("method"));
  server.Send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"\xff\xfe\"}");
  EXPECT_THAT(server.ReadLineWith("-32700"), HasSubstr("error"));
  EXPECT_THAT(server.Ask("3", "tools/call", R"({"name":"querry","arguments":{}})"),
              AllOf(HasSubstr("-32602"), HasSubstr("query")));
  EXPECT_THAT(server.CallTool("4", "query", R"({"sql":5,"limt":1})"),
              AllOf(HasSubstr("invalid_arguments"), HasSubstr("Did you mean limit")));
  EXPECT_THAT(server.Ask("5", "ping"), HasSubstr("\"result\":{}"));
}

TEST_F(AnalystServer, SkipsALineOfTenMebibytes) {
  DucatProcess server({"analyst", "--data", data_.string()});
  server.Handshake();
  server.SendRaw(std::string((size_t{10} << 20) + 1, 'x') + "\n");
  EXPECT_THAT(server.ReadLineWith("-32600"), Not(HasSubstr("\"id\"")));
  EXPECT_THAT(server.Ask("1", "ping"), HasSubstr("\"result\":{}"));
}

TEST_F(AnalystServer, EndsOrderlyAndLeavesNothing) {
  for (const int number : {0, SIGTERM, SIGINT, SIGHUP}) {
    DucatProcess server({"analyst", "--data", data_.string()});
    server.Handshake();
    EXPECT_THAT(server.CallTool("1", "query", R"({"sql":"SELECT 1 AS n"})"), HasSubstr("[[1]]"));
    if (number != 0) server.Signal(number);
    EXPECT_EQ(server.WaitForExit(), 0) << "signal " << number;
    EXPECT_TRUE(fs::is_empty(server.home().path() / "tmp")) << "signal " << number;
  }
}

TEST_F(AnalystServer, WritesNothingButMessagesToStdout) {
  DucatProcess server({"analyst", "--data", data_.string(), "--log-level", "debug"});
  server.Handshake();
  (void)server.CallTool("1", "query", R"({"sql":"SELECT no_such FROM orders"})");
  server.CloseInput();
  std::string line;
  const std::string rest = server.RestOfOutput();
  for (size_t at = 0; at < rest.size(); at = rest.find('\n', at) + 1) {
    EXPECT_EQ(rest.compare(at, 1, "{"), 0) << rest.substr(at, 80);
  }
  EXPECT_EQ(rest.find('\r'), std::string::npos);
}

TEST_F(AnalystServer, OffersSavedQueriesAsTools) {
  DucatProcess server({"analyst", "--data", data_.string(), "--allow-saved-queries"});
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "save_query",
                              R"({"name":"by_city","description":"Orders of a city.",)"
                              R"("sql":"SELECT count(*) AS n FROM orders )"
                              R"(JOIN customers USING (customer_id) WHERE city = $city",)"
                              R"("params":{"city":{"type":"string","description":"City."}}})"),
              HasSubstr(R"("replaced":false)"));
  EXPECT_THAT(server.Ask("2", "tools/list"), HasSubstr("saved_by_city"));
  EXPECT_THAT(server.CallTool("3", "saved_by_city", R"({"city":"Bonn"})"),
              HasSubstr("\"rows\":[[2]]"));
  EXPECT_THAT(server.CallTool("4", "saved_by_city", "{}"), HasSubstr("Provide city."));
  EXPECT_THAT(server.CallTool("5", "list_saved_queries", "{}"), HasSubstr(R"("valid":true)"));
  EXPECT_THAT(server.CallTool("6", "save_query",
                              R"({"name":"bad","description":"d","sql":"DROP TABLE orders"})"),
              HasSubstr("denied_keyword"));
  EXPECT_THAT(server.CallTool("7", "list_saved_queries", "{}"), Not(HasSubstr("\"bad\"")));
}

// Bound as what they are declared to be: a text could not be added to.
TEST_F(AnalystServer, BindsValuesOfSavedQueriesByTheirTypes) {
  DucatProcess server({"analyst", "--data", data_.string(), "--allow-saved-queries"});
  server.Handshake();
  EXPECT_THAT(
      server.CallTool("1", "save_query",
                      R"({"name":"times","description":"d","sql":"SELECT typeof($d), $d + 1,)"
                      R"( typeof($t), $t + INTERVAL 1 HOUR, typeof($n), $s","params":{)"
                      R"("d":{"type":"date","description":"Day"},)"
                      R"("t":{"type":"timestamp","description":"Time"},)"
                      R"("n":{"type":"number","description":"Number"},)"
                      R"("s":{"type":"string","description":"Text"}}})"),
      HasSubstr(R"("replaced":false)"));
  const std::string tools = server.Ask("2", "tools/list");
  EXPECT_THAT(tools, HasSubstr(R"("format":"date")"));
  EXPECT_THAT(tools, HasSubstr("Time (as in 2024-01-31T18:30:00)"));
  EXPECT_THAT(
      server.CallTool("3", "saved_times",
                      R"({"d":"2024-02-28","t":"2024-02-28T23:30+00:30","n":5,"s":"2024-01-01"})"),
      HasSubstr(
          R"(["DATE","2024-02-29","TIMESTAMP","2024-02-29T00:00:00","DOUBLE","2024-01-01"])"));
  const auto refused = [&server](const char* day, const char* time) {
    return server.CallTool(
        "4", "saved_times",
        std::string(R"({"n":1,"s":"","d":")") + day + R"(","t":")" + time + "\"}");
  };
  EXPECT_THAT(refused("2024-02-30", "2024-01-01"), HasSubstr("invalid_arguments"));
  EXPECT_THAT(refused("2024-02-29", "noon"), HasSubstr("invalid_arguments"));
  EXPECT_THAT(refused("2024-02-29", "2024-02-30T00:00"),
              HasSubstr(R"(params.t: \"2024-02-30T00:00\" is no date and time.)"));
}

TEST_F(AnalystServer, NamesTheSavedQueriesThatThereAre) {
  DucatProcess server({"analyst", "--data", data_.string(), "--allow-saved-queries"});
  server.Handshake();
  (void)server.CallTool("1", "save_query",
                        R"({"name":"by_city","description":"d","sql":"SELECT 1"})");
  const std::string unknown = server.CallTool("2", "saved_by_town", "{}");
  EXPECT_THAT(unknown, HasSubstr("Tool saved_by_town not found"));
  EXPECT_THAT(unknown, HasSubstr(R"("reason":"unknown_saved_query")"));
  EXPECT_THAT(server.CallTool("3", "saved_by_cty", "{}"),
              HasSubstr(R"("didYouMean":["saved_by_city")"));
}

TEST_F(AnalystServer, KnowsNamesInAnyFormAndSuggestsNearOnes) {
  DucatProcess server({"analyst", "--data", data_.string()});
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "describe_table", R"({"name":"\"Orders\""})"),
              HasSubstr(R"("row_count":3)"));
  EXPECT_THAT(server.CallTool("2", "describe_table", R"({"name":"ordres"})"),
              AllOf(HasSubstr("unknown_table"), HasSubstr("Did you mean orders")));
  EXPECT_THAT(server.CallTool("3", "profile_table", R"({"name":"orders","columns":["amont"]})"),
              AllOf(HasSubstr("unknown_column"), HasSubstr("amount")));
}

}  // namespace
}  // namespace ducat::testing
