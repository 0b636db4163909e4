// list_tables and search_columns over a catalog without workers: filters, pages, notes.
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "json/view.h"
#include "packs/analyst/messages/describe.h"
#include "packs/analyst/tools/analyst_tools.h"
#include "support/dataset_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

class ListTools : public ::testing::Test, protected DatasetFixture {
 protected:
  Result<mcp::Answer> Call(const mcp::Tool& tool, const std::string& arguments) {
    json::Document document;
    return Await(tool.call(document.Parse(arguments).value(), context));
  }
  json::View Parse(const Result<mcp::Answer>& answer) {
    EXPECT_THAT(answer, IsOk());
    return parsed_.Parse(answer->structured).value();
  }
  json::Document parsed_;
};

TEST_F(ListTools, PageThroughEveryTableOnce) {
  for (int i = 0; i < 25; ++i)
    data.Write("t" + std::to_string(i) + ".csv", "id\n1\n");
  data.Link("out.csv", "/etc/hostname");
  const mcp::Tool tool = MakeListTables(Open());
  std::multiset<std::string> seen;
  std::string arguments = R"({"limit":7})";
  for (int page = 0; page < 4; ++page) {
    const auto answer = Call(tool, arguments);
    const json::View view = Parse(answer);
    EXPECT_EQ(view.Find("total")->AsInteger(), 26);
    view.Find("tables")->ForEachElement([&](json::View table) {
      seen.insert(std::string(*table.Find("source")->AsString()));
      return true;
    });
    const auto next = view.Find("next_cursor");
    EXPECT_EQ(next.has_value(), page < 3);
    if (next) arguments = R"({"limit":7,"cursor":)" + next->ToJson() + "}";
  }
  EXPECT_EQ(seen.size(), 26U);
  EXPECT_EQ(seen.count("out.csv"), 1U);
  EXPECT_THAT(Call(tool, R"({"cursor":"bm9wZQ"})"), FailsWith("bad_cursor"));
}

TEST_F(ListTools, TellOfGlobsThatMatchNothing) {
  data.Write("orders.csv", "id\n1\n");
  settings.scan.exclude = {"*.cvs"};
  const auto answer = Call(MakeListTables(Open()), "{}");
  ASSERT_THAT(answer, IsOk());
  EXPECT_THAT(answer->structured, HasSubstr("The server's --exclude *.cvs matches no file."));
  EXPECT_THAT(log_lines, ::testing::Contains(HasSubstr("--exclude *.cvs")));
}

TEST_F(ListTools, FilterByNameAndState) {
  for (const char* file : {"orders.csv", "old_orders.csv", "users.csv"})
    data.Write(file, "id\n1\n");
  data.Write("empty.csv", "");
  const mcp::Tool tool = MakeListTables(Open());
  EXPECT_EQ(Parse(Call(tool, R"({"pattern":"ORDER"})")).Find("total")->AsInteger(), 2);
  EXPECT_EQ(Parse(Call(tool, R"({"pattern":"order?"})")).Find("total")->AsInteger(), 1);
  EXPECT_EQ(Parse(Call(tool, R"({"status":"empty"})")).Find("total")->AsInteger(), 1);
  EXPECT_EQ(Parse(Call(tool, R"({"status":"ready"})")).Find("total")->AsInteger(), 3);
  EXPECT_THAT(Call(tool, R"({"status":"none"})"), FailsWith("invalid_arguments"));
  EXPECT_THAT(Call(tool, R"({"limit":1001})"), FailsWith("invalid_arguments"));
}

TEST_F(ListTools, SayMoreWhenThereIsNothing) {
  const mcp::Tool tool = MakeListTables(Open());
  const auto answer = Call(tool, "{}");
  EXPECT_EQ(Parse(answer).Find("total")->AsInteger(), 0);
  EXPECT_THAT(answer->structured, HasSubstr("holds no data files"));
  EXPECT_THAT(answer->structured, HasSubstr(R"("data_dir":"given/data")"));
  EXPECT_THAT(answer->structured, Not(HasSubstr(data.string())));
}

TEST_F(ListTools, LeaveManyFilesUnreadWithoutWaiting) {
  settings.eager_files_max = 2;
  for (const char* file : {"a.csv", "b.csv", "c.csv"})
    data.Write(file, "id\n1\n");
  const mcp::Tool tool = MakeListTables(Open());
  const auto all = Call(tool, R"({"wait_ms":0})");
  EXPECT_THAT(all->structured,
              HasSubstr(R"("row_count":null,"column_count":null,"status":"pending")"));
  EXPECT_THAT(all->structured, HasSubstr("Pending tables have not been read yet"));
  EXPECT_TRUE(jobs.requests.empty());
  const auto none = Call(tool, R"({"status":"unreadable","wait_ms":0})");
  EXPECT_THAT(none->structured, HasSubstr("3 tables not read yet may belong here"));
  EXPECT_THAT(none->structured, Not(HasSubstr("No entry matches")));
  const mcp::Tool search = MakeSearchColumns(*dataset);
  const auto found = Call(search, R"({"pattern":"id","wait_ms":0})");
  EXPECT_EQ(Parse(found).Find("pending_tables")->AsInteger(), 3);
  EXPECT_THAT(found->structured, HasSubstr("3 tables not read yet may have more"));
  EXPECT_THAT(found->structured, Not(HasSubstr("No column matches")));
  EXPECT_TRUE(jobs.requests.empty());
  const auto one = Call(tool, R"({"pattern":"a"})");
  EXPECT_THAT(one->structured, HasSubstr(R"("row_count":2,"column_count":1,"status":"ready")"));
  EXPECT_EQ(jobs.requests.size(), 1U) << "what is not asked for stays unread";
}

TEST_F(ListTools, ReadThePageOfManyFilesWithinTheWait) {
  settings.eager_files_max = 2;
  for (const char* file : {"a.csv", "b.csv", "c.csv", "d.csv"})
    data.Write(file, "id\n1\n");
  jobs.ingest = [this](const worker::JobRequest& request) -> Result<worker::JobResult> {
    if (request.statement != "file:a.csv") return Ingested();
    return Fail(ErrorCode::kInvalidArgument, "binary", "It is no text.");
  };
  const mcp::Tool tool = MakeListTables(Open());
  // a turns out unreadable and moves to the end: d is not on the page, b and c are.
  const auto page = Call(tool, R"({"limit":2,"wait_ms":30000})");
  EXPECT_EQ(jobs.requests.size(), 3U);
  EXPECT_THAT(page->structured, Not(HasSubstr(R"("status":"pending")")));
  const auto bad = Call(tool, R"({"status":"unreadable","wait_ms":30000})");
  EXPECT_EQ(Parse(bad).Find("total")->AsInteger(), 1);
  EXPECT_EQ(jobs.requests.size(), 4U) << "any table may be unreadable";
}

TEST_F(ListTools, SearchManyFilesWithinTheWait) {
  settings.eager_files_max = 2;
  for (const char* file : {"a.csv", "b.csv", "c.csv"})
    data.Write(file, "id\n1\n");
  const mcp::Tool search = MakeSearchColumns(Open());
  const auto found = Call(search, R"({"pattern":"id","wait_ms":30000})");
  EXPECT_EQ(Parse(found).Find("total")->AsInteger(), 3);
  EXPECT_EQ(Parse(found).Find("pending_tables")->AsInteger(), 0);
}

TEST_F(ListTools, SearchColumnsByNameAndType) {
  for (const char* file : {"a.csv", "b.csv"})
    data.Write(file, "id\n1\n");
  jobs.query = [](const worker::JobRequest&) -> Result<worker::JobResult> {
    ColumnNullsOut out;
    out.columns.push_back({.table = "a", .column = "id", .null_pct = 12.5});
    return worker::JobResult{.meta = json::Encode(out)};
  };
  const mcp::Tool tool = MakeSearchColumns(Open());
  const auto found = Call(tool, R"({"pattern":"ID","type":"numeric"})");
  EXPECT_THAT(found->structured,
              HasSubstr(R"("table":"a","column":"id","type":"BIGINT","null_pct":12.5)"));
  EXPECT_THAT(found->structured,
              HasSubstr(R"("table":"b","column":"id","type":"BIGINT","null_pct":null)"));
  EXPECT_EQ(Parse(Call(tool, R"({"pattern":"id","type":"text"})")).Find("total")->AsInteger(), 0);
  EXPECT_THAT(Call(tool, R"({"pattern":"ids"})")->structured, HasSubstr("Near names: id."));
  EXPECT_THAT(Call(tool, R"({"pattern":""})"), FailsWith("invalid_arguments"));
  const auto first = Call(tool, R"({"pattern":"id","limit":1})");
  const std::string cursor = Parse(first).Find("next_cursor")->ToJson();
  EXPECT_THAT(Call(tool, R"({"pattern":"id","limit":1,"cursor":)" + cursor + "}")->structured,
              HasSubstr(R"("table":"b")"));
  EXPECT_THAT(Call(tool, R"({"pattern":"other","cursor":)" + cursor + "}"),
              FailsWith("bad_cursor"));
}

}  // namespace
}  // namespace ducat::analyst
