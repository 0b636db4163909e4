// Answers of the whole product: the small inputs of analyst.md 11 that concern values and limits,
// and every tool's answer over the example data as a golden file. DUCAT_UPDATE_GOLDEN=1 writes the
// files anew, for review.
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>

#include "ducat_process.h"

namespace ducat::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Escaped(std::string_view sql) {
  std::string text;
  for (const char c : sql) {
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

struct Case {
  int number;  // of the table in analyst.md 11
  const char* sql;
  std::vector<const char*> says;
};

TEST(CaseTable, ValuesAndLimitsOfAQuery) {
  const std::vector<Case> cases{
      {51,
       "SELECT 9007199254740991 a, 9007199254740992 b, sum(x) s FROM (VALUES (1),(2)) t(x)",
       {R"([[9007199254740991,"9007199254740992",3]])"}},
      {52,
       "SELECT 418.80::DECIMAL(10,2) a, 1234567890123456.7::DECIMAL(18,1) b, 0.1::FLOAT c, 1e0 d",
       {R"([[418.8,"1234567890123456.7",0.1,1]])"}},
      {53,
       "SELECT 'NaN'::DOUBLE, MAP {1: 'a'}, {'k': [NULL, 1]}, '\\xAA'::BLOB",
       {R"([["NaN",[{"key":1,"value":"a"}],{"k":[null,1]},"\\xAA"]])"}},
      {54,
       "SELECT 1 AS a, 2 AS a",
       {R"({"name":"a","type":"INTEGER","json":"number"},)"
        R"({"name":"a_1","type":"INTEGER","json":"number"})"}},
      {54, "SELECT repeat('x', 5000)", {"…(+4000 chars)", R"("clipped_cells":1)"}},
      {55, "SELECT i FROM range(500) t(i)", {R"("row_count":500)", R"("truncated":false)"}},
      {55,
       "SELECT i FROM range(501) t(i)",
       {R"("row_count":500)", R"("truncated":true)", R"("notes":[")"}},
  };
  const ScratchFolder data;
  DucatProcess server({"analyst", "--data", data.string()});
  server.Handshake();
  for (const Case& one : cases) {
    SCOPED_TRACE(one.number);
    const std::string answer =
        server.CallTool("1", "query", R"({"sql":")" + Escaped(one.sql) + "\"}");
    for (const char* const part : one.says)
      EXPECT_THAT(answer, HasSubstr(part));
  }
}

// Cases 39 and 48: a file without a byte is listed and has no table; a JSON file that would crash
// the engine is listed with its reason, and every other table works.
TEST(CaseTable, FilesWithoutATable) {
  const ScratchFolder data;
  data.Write("none.csv", "");
  data.Write("deep.json", std::string(60'000, '[') + std::string(60'000, ']'));
  data.Write("t.csv", "a\n1\n");
  DucatProcess server({"analyst", "--data", data.string()});
  server.Handshake();
  const std::string tables = server.CallTool("1", "list_tables", R"({"wait_ms":30000})");
  EXPECT_THAT(tables, HasSubstr(R"("name":"none","kind":"view","source":"none.csv",)"
                                R"("row_count":0,"column_count":0,"status":"empty")"));
  EXPECT_THAT(tables, AllOf(HasSubstr(R"("status":"unreadable")"),
                            HasSubstr(R"("reason":"deep_nesting")")));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT a FROM t"})"), HasSubstr("[[1]]"));
}

struct Golden {
  const char* tool;
  const char* arguments;
};

// Times and paths of the machine become nothing, so that the rest can be compared.
std::string Portable(std::string answer) {
  const std::string source = DUCAT_SOURCE_DIR;
  for (size_t at = answer.find(source); at != std::string::npos; at = answer.find(source, at))
    answer.erase(at, source.size());
  for (const std::string name : {"\"elapsed_ms\":", "\"modified\":"}) {
    for (size_t at = answer.find(name); at != std::string::npos; at = answer.find(name, at + 1)) {
      const size_t begin = at + name.size();
      answer.replace(begin, answer.find_first_of(",}", begin) - begin, "0");
    }
  }
  return answer;
}

class GoldenAnswers : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenAnswers, AreThoseOfTheFile) {
  const std::string source = DUCAT_SOURCE_DIR;
  const Finished call = RunDucat({"call", GetParam().tool, GetParam().arguments, "--json", "--data",
                                  source + "/examples/data"});
  ASSERT_EQ(call.exit_code, 0) << call.err;
  const std::string answer = Portable(call.out);
  const std::string path = source + "/tests/golden/analyst/" + GetParam().tool + ".json";
  if (std::getenv("DUCAT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << answer;
    GTEST_SKIP() << "written anew: " << path;
  }
  std::ifstream file(path);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(answer, expected);
}

INSTANTIATE_TEST_SUITE_P(
    Tools, GoldenAnswers,
    ::testing::Values(
        Golden{"list_tables", R"({"pattern":"ers","wait_ms":30000})"},
        Golden{"describe_table", R"({"name":"subscribers"})"},
        Golden{"profile_table", R"({"name":"orders"})"},
        Golden{"sample_rows", R"({"name":"web_events","n":5})"},
        Golden{
            "query",
            R"({"sql":"SELECT orders.plan, count(*) AS n, sum(amount_eur) AS eur FROM orders JOIN )"
            R"(subscribers USING (subscriber_id) GROUP BY 1 ORDER BY n DESC","format":"both"})"},
        Golden{"explain_query", R"({"sql":"SELECT count(*) FROM articles_2025"})"},
        Golden{"search_columns", R"({"pattern":"*_id","wait_ms":30000})"},
        Golden{"table_relationships", "{}"}),
    [](const auto& test) { return std::string(test.param.tool); });

}  // namespace
}  // namespace ducat::testing
