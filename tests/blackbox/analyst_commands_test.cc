// Commands for people, as a shell runs them.
#include <algorithm>
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

class AnalystCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    data_.Write("t.csv", "n,name\n1,one\n20,two\n");
    data_.Write("bad.parquet", "this is no Parquet file");
  }
  ScratchFolder data_;
};

TEST_F(AnalystCommands, PrintHelpWithoutArguments) {
  const Finished help = RunDucat({});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("ducat analyst --data DIR"));
  EXPECT_EQ(RunDucat({"--version"}).exit_code, 0);
}

TEST_F(AnalystCommands, PrintAnAlignedTable) {
  const Finished query =
      RunDucat({"query", "--data", data_.string(), "SELECT * FROM t ORDER BY n"});
  EXPECT_EQ(query.exit_code, 0) << query.err;
  EXPECT_EQ(query.out, " n  name\n--  ----\n 1  one\n20  two\n");
  EXPECT_THAT(query.err, HasSubstr("2 rows"));
}

TEST_F(AnalystCommands, PrintJsonCsvAndMarkdown) {
  const std::string sql = "SELECT NULL AS a, '' AS b, 'x,\"y\"' AS c";
  EXPECT_THAT(RunDucat({"query", "--data", data_.string(), sql, "--json"}).out,
              HasSubstr(R"("rows":[[null,"","x,\"y\""]])"));
  EXPECT_EQ(RunDucat({"query", "--data", data_.string(), sql, "--csv"}).out,
            "a,b,c\r\n,\"\",\"x,\"\"y\"\"\"\r\n");
  EXPECT_THAT(RunDucat({"query", "--data", data_.string(), sql, "--markdown"}).out,
              HasSubstr("|a|b|c|"));
}

TEST_F(AnalystCommands, PrintEveryRowOrFail) {
  const auto query = [this](std::vector<std::string> words) {
    words.insert(words.begin(), {"query", "--data", data_.string()});
    return RunDucat(std::move(words));
  };
  const std::string sql = "SELECT range AS n FROM range(20000)";
  const Finished csv = query({sql, "--csv"});
  EXPECT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 20'001);
  EXPECT_THAT(query({sql, "--json"}).out, HasSubstr("[19999]]"));
  EXPECT_THAT(query({"SELECT repeat('x', 5000) AS s", "--csv"}).out,
              HasSubstr(std::string(5'000, 'x')));
  // A limit that was asked for is no failure; one that was not is.
  const Finished asked = query({sql, "--csv", "--max-rows", "3"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_EQ(asked.out, "n\r\n0\r\n1\r\n2\r\n");
  for (const char* form : {"--csv", "--json", "--markdown"}) {
    const Finished cut = query({sql, form, "--max-bytes", "1000"});
    EXPECT_EQ(cut.exit_code, 1) << form;
    EXPECT_THAT(cut.err, AllOf(HasSubstr("Rows are missing"), HasSubstr("--max-bytes 1000")));
  }
}

TEST_F(AnalystCommands, PrintAPlanAsLines) {
  const Finished plan = RunDucat({"query", "--data", data_.string(), "EXPLAIN SELECT n FROM t"});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_GT(std::ranges::count(plan.out, '\n'), 5) << plan.out;
  EXPECT_THAT(plan.out, Not(HasSubstr("plan\n---")));
}

TEST_F(AnalystCommands, NameTheSwitchOfSavedQueries) {
  for (const char* tool : {"save_query", "list_saved_queries"}) {
    const Finished call = RunDucat({"call", tool, "{}", "--data", data_.string()});
    EXPECT_EQ(call.exit_code, 2);
    EXPECT_THAT(call.err, HasSubstr("--allow-saved-queries"));
    DucatProcess server({"analyst", "--data", data_.string()});
    server.Handshake();
    EXPECT_THAT(server.CallTool("1", tool, "{}"),
                AllOf(HasSubstr(R"("code":-32602,"message":"Tool )" + std::string(tool) +
                                " not found: saved queries are off."),
                      HasSubstr(R"("reason":"saved_queries_disabled")"),
                      HasSubstr(R"("hint":"Start ducat with --allow-saved-queries)")));
    EXPECT_THAT(server.Ask("2", "tools/list"), Not(HasSubstr(tool)));
  }
}

TEST_F(AnalystCommands, SayThatADirectoryHoldsNoData) {
  const ScratchFolder empty;
  const Finished check = RunDucat({"analyst", "--data", empty.string(), "--check"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_EQ(check.out, "No data files in " + empty.string() + ".\n");
}

TEST_F(AnalystCommands, ReportAToolsErrorWithFive) {
  const Finished refused = RunDucat({"query", "--data", data_.string(), "DROP TABLE t"});
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_THAT(refused.err, HasSubstr("[denied_keyword]"));
  EXPECT_THAT(refused.out, IsEmpty());
  EXPECT_EQ(
      RunDucat({"call", "describe_table", "--name", "none", "--data", data_.string()}).exit_code,
      5);
}

TEST_F(AnalystCommands, CallToolsAsAgentsDo) {
  const Finished call =
      RunDucat({"call", "describe_table", R"({"name":"t"})", "--data", data_.string()});
  EXPECT_EQ(call.exit_code, 0) << call.err;
  EXPECT_THAT(call.out, HasSubstr("t: view from t.csv, 2 rows, 2 columns, ready"));
  EXPECT_THAT(RunDucat({"call", "sample_rows", "--name", "t", "--n", "1", "--json", "--data",
                        data_.string()})
                  .out,
              HasSubstr("\"row_count\":1"));
  EXPECT_EQ(RunDucat({"call", "nope", "--data", data_.string()}).exit_code, 2);
  EXPECT_EQ(RunDucat({"call", "query", "{", "--data", data_.string()}).exit_code, 2);
}

TEST_F(AnalystCommands, CheckADirectory) {
  const Finished check = RunDucat({"analyst", "--data", data_.string(), "--check"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("t      view     2     2  t.csv\n"),
                               HasSubstr("unreadable bad.parquet: corrupt")));
  EXPECT_THAT(check.err, HasSubstr("max-rows=500 max-cells=20000 timeout=30000ms"));
  EXPECT_THAT(RunDucat({"analyst", "--data", data_.string(), "--check", "--json"}).out,
              HasSubstr(R"("table":"t","kind":"view","rows":2,"cols":2)"));
}

// analyst.md 1: what a server would be misused with is a finding of --check.
TEST_F(AnalystCommands, CheckEndsWithOneWhenTheDirectoryCannotBeRead) {
  for (const std::string directory : {"/no/such/dir", "/etc/hostname"}) {
    EXPECT_EQ(RunDucat({"analyst", "--data", directory}).exit_code, 2);
    const Finished check = RunDucat({"analyst", "--data", directory, "--check"});
    EXPECT_EQ(check.exit_code, 1);
    EXPECT_THAT(check.err, HasSubstr("--data " + directory));
    EXPECT_THAT(check.out, IsEmpty());
  }
  const Finished database =
      RunDucat({"analyst", "--data", data_.string(), "--db", "/no/such.db", "--check"});
  EXPECT_EQ(database.exit_code, 1) << database.err;
  EXPECT_EQ(RunDucat({"analyst", "--check"}).exit_code, 2);
  EXPECT_EQ(RunDucat({"analyst", "--data", "/", "--check"}).exit_code, 2);
}

struct Refused {
  std::vector<std::string> arguments;
  const char* says;
};
class BadStarts : public ::testing::TestWithParam<Refused> {};

TEST_P(BadStarts, EndWithTwoAndAClearLine) {
  const Finished start = RunDucat(GetParam().arguments);
  EXPECT_EQ(start.exit_code, 2) << start.err;
  EXPECT_THAT(start.err, HasSubstr(GetParam().says));
  EXPECT_THAT(start.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadStarts,
    ::testing::Values(
        Refused{{"analyst"}, "--data is missing"},
        Refused{{"analyst", "--data", "/no/such/dir"}, "--data /no/such/dir: No such file"},
        Refused{{"analyst", "--data", "/etc/hostname"}, "is not a directory"},
        Refused{{"analyst", "--data", "/"}, "--data / is refused"},
        Refused{{"analyst", "--data", "/etc"}, "--data /etc is refused"},
        Refused{{"analyst", "--data", "/tmp", "--db", "/no/such.db"}, "--db /no/such.db"},
        Refused{{"analyst", "--data", "/tmp", "--max-rows", "x"}, "--max-rows \"x\": expected"},
        Refused{{"analyst", "--data", "/tmp", "--max-body", "1MiB"}, "--max-body"},
        Refused{{"serve"}, "--data is missing"},
        Refused{{"serve", "--data", "/tmp", "--http", "8931"}, "\"8931\" is no address"},
        Refused{{"edit"}, "There is no command \"edit\""},
        Refused{{"install", "emacs", "--data", "/tmp"}, "There is no client \"emacs\""}));

TEST_F(AnalystCommands, InstallKeepsABackup) {
  const ScratchFolder config;
  config.Write("Code/User/mcp.json", R"({"servers":{"other":{"command":"x"}}})");
  const std::string home = "XDG_CONFIG_HOME=" + config.string();
  const Finished printed =
      RunDucat({"install", "vscode", "--data", data_.string(), "--print"}, {home});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, AllOf(HasSubstr("\"command\": \"/"), HasSubstr(data_.string())));
  EXPECT_THAT(config.Read("Code/User/mcp.json"), Not(HasSubstr("ducat")));
  EXPECT_EQ(RunDucat({"install", "vscode", "--data", data_.string()}, {home}).exit_code, 0);
  EXPECT_THAT(config.Read("Code/User/mcp.json"),
              AllOf(HasSubstr("\"other\""), HasSubstr("\"ducat\"")));
  EXPECT_EQ(config.Read("Code/User/mcp.json.before-ducat"),
            R"({"servers":{"other":{"command":"x"}}})");
}

TEST_F(AnalystCommands, InstallNeverLosesWhatTheUserHad) {
  const ScratchFolder config, other;
  const std::string original = R"({"servers":{"other":{"command":"x"}}})";
  config.Write("Code/User/mcp.json", original);
  const std::string home = "XDG_CONFIG_HOME=" + config.string();
  const Finished first = RunDucat({"install", "vscode", "--data", data_.string()}, {home});
  EXPECT_THAT(first.out, HasSubstr("Added ducat to"));
  const std::string between = config.Read("Code/User/mcp.json");
  const Finished second = RunDucat({"install", "vscode", "--data", other.string()}, {home});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.out, AllOf(HasSubstr("Replaced the entry ducat in"),
                                HasSubstr("mcp.json.before-ducat.2\n")));
  EXPECT_THAT(config.Read("Code/User/mcp.json"), HasSubstr(other.string()));
  EXPECT_EQ(config.Read("Code/User/mcp.json.before-ducat"), original);
  EXPECT_EQ(config.Read("Code/User/mcp.json.before-ducat.2"), between);
  // A copy that is there already is not made again.
  EXPECT_EQ(RunDucat({"install", "vscode", "--data", data_.string()}, {home}).exit_code, 0);
  EXPECT_EQ(RunDucat({"install", "vscode", "--data", other.string()}, {home}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(config.path() / "Code/User/mcp.json.before-ducat.4"));
}

TEST_F(AnalystCommands, ServeExamplesOfTheProduct) {
  const std::string examples = std::string(DUCAT_SOURCE_DIR) + "/examples/data";
  const Finished related = RunDucat({"call", "table_relationships", "--json", "--data", examples});
  EXPECT_THAT(related.out,
              AllOf(HasSubstr(R"("from_table":"orders","from_column":"subscriber_id")"),
                    HasSubstr(R"("from_table":"web_events","from_column":"subscriber_id")"),
                    HasSubstr(R"("sampled_values":295)"), HasSubstr(R"("sampled_values":260)")));
  const Finished plans =
      RunDucat({"query", "--data", examples,
                "SELECT plan, count(*) AS n FROM orders GROUP BY 1 ORDER BY n DESC", "--csv"});
  EXPECT_EQ(plans.out,
            "plan,n\r\nprint_digital,364\r\ndigital,323\r\nprint,257\r\nstudent,256\r\n");
}

}  // namespace
}  // namespace ducat::testing
