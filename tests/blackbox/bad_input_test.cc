// Bad input from the outside, through the real executables: each gets a clear answer, and the next
// call works.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>

#include "ducat_process.h"

namespace ducat::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class BadInput : public ::testing::Test {
 protected:
  std::unique_ptr<DucatProcess> Serve() const {
    auto server = std::make_unique<DucatProcess>(
        std::vector<std::string>{"analyst", "--data", data_.string()});
    server->Handshake();
    return server;
  }
  ScratchFolder data_;
};

TEST_F(BadInput, AnEmptyDirectoryIsASuccessWithANote) {
  const auto server = Serve();
  EXPECT_THAT(server->CallTool("1", "list_tables", "{}"),
              AllOf(HasSubstr("\"total\":0"), HasSubstr("holds no data files"),
                    Not(HasSubstr("\"isError\""))));
  EXPECT_THAT(server->CallTool("2", "search_columns", R"({"pattern":"id"})"),
              AllOf(HasSubstr("\"total\":0"), Not(HasSubstr("\"isError\""))));
  EXPECT_THAT(server->CallTool("3", "table_relationships", "{}"), HasSubstr("\"candidates\":[]"));
  EXPECT_THAT(server->CallTool("4", "describe_table", R"({"name":"t"})"),
              HasSubstr("unknown_table"));
  EXPECT_THAT(server->CallTool("5", "query", R"({"sql":"SELECT * FROM t"})"),
              HasSubstr("unknown_table"));
  EXPECT_THAT(server->CallTool("6", "query", R"({"sql":"SELECT 1 AS n"})"), HasSubstr("[[1]]"));
  EXPECT_EQ(RunDucat({"analyst", "--data", data_.string(), "--check"}).exit_code, 0);
}

TEST_F(BadInput, NamesThatCollideAreNumberedInOrderOfThePath) {
  data_.Write("a b.csv", "n\n1\n");
  data_.Write("a-b.csv", "n\n2\n");
  data_.Write("A_B.parquet.csv", "n\n4\n");
  data_.Write("a_b.csv", "n\n3\n");
  const auto server = Serve();
  EXPECT_THAT(server->CallTool("1", "query",
                               R"({"sql":"SELECT (SELECT n FROM a_b), (SELECT n FROM a_b_2), )"
                               R"((SELECT n FROM a_b_3), (SELECT n FROM a_b_parquet) AS p"})"),
              HasSubstr("\"rows\":[[1,2,3,4]]"));
}

TEST_F(BadInput, ANameThatIsNoUtf8IsATableAndHurtsNoOther) {
  data_.Write("caf\xE9.csv", "n\n1\n");
  data_.Write("plain.csv", "n\n2\n");
  const auto server = Serve();
  EXPECT_THAT(server->CallTool("1", "query", R"({"sql":"SELECT n FROM caf"})"),
              HasSubstr("\"rows\":[[1]]"));
  EXPECT_THAT(server->CallTool("2", "query", R"({"sql":"SELECT n FROM '*.csv'"})"),
              HasSubstr("\"rows\":[[2]]"));
  EXPECT_THAT(server->CallTool("3", "list_tables", "{}"), HasSubstr(R"("source":"caf\\xE9.csv")"));
}

// Case 41 of analyst.md 11.
TEST_F(BadInput, NamesWithQuotesAndGlobsHoldTheirOwnFileOnly) {
  const std::vector<std::pair<const char*, const char*>> files{
      {"star*.csv", "1"},   {"star1.csv", "2"},        {"q?.csv", "3"},
      {"qa.csv", "4"},      {"data[1].csv", "5"},      {"data1.csv", "6"},
      {"o'brien.csv", "7"}, {"x\"y.csv", "8"},         {"semi;colon.csv", "9"},
      {"{a,b}.csv", "10"},  {"back\\slash.csv", "11"}, {"new\nline.csv", "12"}};
  for (const auto& [name, value] : files)
    data_.Write(name, "v\n" + std::string(value) + "\n");
  const auto server = Serve();
  const std::string tables = server->CallTool("1", "list_tables", R"({"wait_ms":30000})");
  EXPECT_THAT(tables, AllOf(HasSubstr("\"total\":12"), HasSubstr("\"unreadable\":0"),
                            HasSubstr(R"("name":"o_brien")")));
  const std::string sum = server->CallTool(
      "2", "query",
      R"({"sql":"SELECT (SELECT v FROM star), (SELECT v FROM star1), (SELECT v FROM q), )"
      R"((SELECT v FROM qa), (SELECT v FROM data_1), (SELECT v FROM data1), )"
      R"((SELECT v FROM o_brien), (SELECT v FROM x_y), (SELECT v FROM semi_colon), )"
      R"((SELECT v FROM a_b), (SELECT v FROM back_slash), (SELECT v FROM new_line) AS l"})");
  EXPECT_THAT(sum, HasSubstr("[[1,2,3,4,5,6,7,8,9,10,11,12]]"));
}

TEST_F(BadInput, AFileThatVanishesIsSaidSo) {
  data_.Write("gone.parquet", "PAR1");
  data_.Write("here.csv", "n\n1\n");
  const auto server = Serve();
  fs::remove(data_.path() / "gone.parquet");
  EXPECT_THAT(server->CallTool("1", "query", R"({"sql":"SELECT * FROM gone"})"),
              AllOf(HasSubstr("\"isError\":true"), HasSubstr("gone")));
  EXPECT_THAT(server->CallTool("2", "query", R"({"sql":"SELECT n FROM here"})"),
              HasSubstr("[[1]]"));
}

TEST_F(BadInput, ADirectoryThatVanishesStopsNobody) {
  data_.Write("folder/t.csv", "n\n1\n");
  DucatProcess server({"analyst", "--data", data_.string() + "/folder"});
  server.Handshake();
  fs::remove_all(data_.path() / "folder");
  EXPECT_THAT(server.CallTool("1", "list_tables", R"({"wait_ms":30000})"),
              HasSubstr("\"id\":\"1\""));
  EXPECT_THAT(server.CallTool("2", "describe_table", R"({"name":"t"})"),
              HasSubstr("\"isError\":true"));
  EXPECT_THAT(server.Ask("3", "ping"), HasSubstr("\"result\":{}"));
}

TEST_F(BadInput, DuplicateKeysAreRefusedWhereverTheyStand) {
  const auto server = Serve();
  server->Send(R"({"jsonrpc":"2.0","id":"1","id":"2","method":"ping"})");
  EXPECT_THAT(server->ReadLineWith("-32600"), HasSubstr("id"));
  EXPECT_THAT(server->Ask("3", "tools/call",
                          R"({"name":"query","arguments":{"sql":"SELECT 1","sql":"SELECT 2"}})"),
              AllOf(HasSubstr("-32600"), HasSubstr("params.arguments.sql")));
  EXPECT_THAT(server->Ask("4", "tools/call", R"({"name":"query","name":"list_tables"})"),
              HasSubstr("-32600"));
  EXPECT_THAT(server->CallTool("5", "query", R"({"sql":"SELECT 1 AS n"})"), HasSubstr("[[1]]"));
}

struct BadArguments {
  const char* tool;
  const char* arguments;
  const char* says;
};

// One server for all of them: what is refused costs nothing.
TEST_F(BadInput, ArgumentsOfAWrongTypeAreNamed) {
  constexpr std::array<BadArguments, 15> kCases{{
      {"list_tables", R"({"limit":0})", "limit: Too small"},
      {"list_tables", R"({"limit":1001})", "limit: Too big"},
      {"list_tables", R"({"status":"open"})", "status: Invalid option"},
      {"list_tables", R"({"wait_ms":true})", "wait_ms: Invalid input: expected integer"},
      {"describe_table", "{}", "Provide name."},
      {"describe_table", R"({"name":["a","b"]})", "name: Invalid input: expected string"},
      {"describe_table", R"({"name":"t","samples":11})", "samples: Too big"},
      {"profile_table", R"({"name":"t","columns":{"a":1}})", "columns: Invalid input"},
      {"sample_rows", R"({"name":"t","n":1.5})", "n: Invalid input"},
      {"sample_rows", R"({"name":"t","seed":"x"})", "seed: Invalid input"},
      {"query", R"({"sql":"SELECT 1","limit":0})", "limit: Too small"},
      {"query", R"({"sql":"SELECT 1","params":[1]})", "params: Invalid input"},
      {"explain_query", R"({"sql":"SELECT 1","analyse":true})", "Did you mean analyze?"},
      {"search_columns", R"({"pattern":""})", "pattern: Too small"},
      {"table_relationships", R"({"min_containment":1.1})", "min_containment: Too big"},
  }};
  const auto server = Serve();
  for (const BadArguments& one : kCases) {
    EXPECT_THAT(
        server->CallTool("1", one.tool, one.arguments),
        AllOf(HasSubstr("\"isError\":true"), HasSubstr("invalid_arguments"), HasSubstr(one.says)))
        << one.tool << " " << one.arguments;
  }
  // An empty statement is the guard's to refuse, as one of blanks or comments is.
  for (const char* const tool : {"query", "explain_query"}) {
    for (const char* const arguments : {R"({"sql":""})", R"({"sql":" -- nothing"})"}) {
      EXPECT_THAT(server->CallTool("1", tool, arguments),
                  AllOf(HasSubstr("\"isError\":true"), HasSubstr("[empty_sql]")))
          << tool << arguments;
    }
  }
  for (const char* const arguments : {"[]", "5", "\"text\"", "\"[1]\""}) {
    EXPECT_THAT(server->CallTool("2", "query", arguments), HasSubstr("-32602")) << arguments;
  }
  EXPECT_THAT(server->Ask("3", "ping"), HasSubstr("\"result\":{}"));
}

}  // namespace
}  // namespace ducat::testing
