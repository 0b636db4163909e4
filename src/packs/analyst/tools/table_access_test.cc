#include "packs/analyst/tools/table_access.h"

#include <gmock/gmock.h>

#include "packs/analyst/tools/page_cursor.h"
#include "packs/analyst/tools/table_argument.h"
#include "support/dataset_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;

class TableAccess : public ::testing::Test, protected DatasetFixture {
 protected:
  void SetUp() override {
    data.Write("orders.csv", "id\n1\n");
    data.Write("users.csv", "id\n1\n");
    data.Write("bad.csv", "x");
    jobs.ingest = [this](const worker::JobRequest& request) -> Result<worker::JobResult> {
      if (request.statement != "file:bad.csv") return Ingested();
      return Fail(ErrorCode::kInvalidArgument, "binary", "It is no text.");
    };
    Open();
    LoadAll();
  }
};

TEST_F(TableAccess, FindsTablesNamedInSqlWhereverTheyStand) {
  EXPECT_THAT(TablesNamedIn("SELECT * FROM orders", catalog), ElementsAre("orders"));
  EXPECT_THAT(TablesNamedIn("from\"USERS\"join(main.orders)", catalog),
              ElementsAre("users", "orders"));
  EXPECT_THAT(TablesNamedIn("SELECT E'it\\'s' FROM orders -- users", catalog),
              ElementsAre("orders", "users"));
  EXPECT_THAT(TablesNamedIn("SELECT orders2, myorders, ordersü FROM t", catalog), IsEmpty());
  EXPECT_THAT(TablesNamedIn("", catalog), IsEmpty());
}

TEST_F(TableAccess, RefusesTablesThatCannotBeRead) {
  EXPECT_EQ(Await(ReadyTable(*dataset, "\"Orders\"", context)).value(), "orders");
  const auto bad = Await(ReadyTable(*dataset, "bad", context));
  ASSERT_THAT(bad, FailsWith("table_unreadable"));
  EXPECT_THAT(bad.error().message, HasSubstr("binary. It is no text."));
  const auto unknown = Await(ReadyTable(*dataset, "order", context));
  ASSERT_THAT(unknown, FailsWith("unknown_table"));
  EXPECT_THAT(unknown.error().hint, HasSubstr("Did you mean orders"));
}

TEST(MoreTimeHint, SaysOnlyWhatHelps) {
  using std::chrono::milliseconds;
  const milliseconds server(30'000);
  EXPECT_EQ(
      MoreTimeHint({.asked = milliseconds(500), .server = server, .given = milliseconds(500)}),
      "Or allow more time: timeout_s may be up to 30 s.");
  const std::string limit =
      "This was the server's limit, 30 s, which no argument raises; its operator can, with "
      "--timeout-s.";
  EXPECT_EQ(MoreTimeHint({.asked = milliseconds(0), .server = server, .given = server}), limit);
  EXPECT_EQ(MoreTimeHint({.asked = milliseconds(90'000), .server = server, .given = server}),
            limit);
  const milliseconds long_server(120'000);
  for (const milliseconds asked : {milliseconds(0), milliseconds(100'000)}) {
    EXPECT_EQ(MoreTimeHint({.asked = asked, .server = long_server, .given = milliseconds(54'350)}),
              "A call must end before its client stops waiting: after 55 s, or 300 s with a "
              "progressToken. As a task it may take the server's 120 s.");
  }
}

TEST_F(TableAccess, KnowsTheTableOfAFile) {
  const auto file = Await(ReadyTable(*dataset, "Orders.csv", context));
  ASSERT_THAT(file, FailsWith("unknown_table"));
  EXPECT_EQ(file.error().hint, "Its table is orders.");
}

TEST_F(TableAccess, SaysPendingWhenTimeIsUp) {
  catalog.Update("orders", [](TableEntry& entry) { entry.status = TableStatus::kLoading; });
  settings.timeout = std::chrono::milliseconds(5);
  const auto pending = Await(ReadyTable(*dataset, "orders", context));
  ASSERT_THAT(pending, FailsWith("table_pending"));
  EXPECT_TRUE(pending.error().retryable);
}

TEST_F(TableAccess, ExplainsARefusalThatNamesAnUnreadableTable) {
  Error refusal{.code = ErrorCode::kNotFound, .reason = "unknown_table", .message = "m"};
  refusal.data = R"("token":"bad","position":null)";
  const Error better = ExplainSqlError(refusal, *dataset);
  EXPECT_EQ(better.reason, "table_unreadable");
  EXPECT_EQ(better.data, refusal.data);
  refusal.data = R"("token":"orders")";
  EXPECT_EQ(ExplainSqlError(refusal, *dataset).reason, "unknown_table");
  refusal.data = "";
  EXPECT_EQ(ExplainSqlError(refusal, *dataset).reason, "unknown_table");
  refusal.data = R"("token":"main.bad")";
  EXPECT_EQ(ExplainSqlError(refusal, *dataset).reason, "table_unreadable");
  refusal.reason = "system_catalog_access";
  EXPECT_EQ(ExplainSqlError(refusal, *dataset).reason, "table_unreadable");
}

TEST_F(TableAccess, ExplainsARefusalThatNamesAnEmptyTable) {
  catalog.Update("orders", [](TableEntry& entry) {
    entry.status = TableStatus::kEmpty;
    entry.mounted_file.clear();
  });
  Error refusal{.code = ErrorCode::kNotFound, .reason = "unknown_table", .message = "m"};
  refusal.data = R"("token":"orders")";
  const Error better = ExplainSqlError(refusal, *dataset);
  EXPECT_EQ(better.reason, "table_unreadable");
  EXPECT_EQ(better.message, "Table orders (orders.csv) is empty: the file has no content.");
  EXPECT_THAT(better.hint, HasSubstr("status \"empty\""));
}

TEST_F(TableAccess, SaysThatTheDatabaseCannotBeUsed) {
  settings.db_file = "some.db";
  jobs.query = [](const worker::JobRequest&) -> Result<worker::JobResult> {
    return Fail(ErrorCode::kFailedPrecondition, "database_locked", "A writer holds it.", "Wait.");
  };
  Open();
  LoadAll();
  Error refusal{
      .code = ErrorCode::kNotFound, .reason = "unknown_table", .hint = "Call list_tables."};
  refusal.data = R"("token":"sales")";
  const Error typo = ExplainSqlError(refusal, *dataset);
  EXPECT_EQ(typo.reason, "unknown_table");
  EXPECT_EQ(typo.hint, "A writer holds it. Call list_tables.");
  refusal.data = R"("token":"DB.main.sales")";
  const Error held = ExplainSqlError(refusal, *dataset);
  EXPECT_EQ(held.reason, "database_locked");
  EXPECT_EQ(held.data, refusal.data);
  const auto described = Await(ReadyTable(*dataset, "sales", context));
  ASSERT_THAT(described, FailsWith("unknown_table"));
  EXPECT_THAT(described.error().hint, HasSubstr("A writer holds it."));
}

TEST_F(TableAccess, CutsAJobsTimeToWhatTheCallHasLeft) {
  jobs.query = [](const worker::JobRequest&) { return worker::JobResult{}; };
  const auto timeout_of = [&](std::chrono::milliseconds wanted) {
    EXPECT_THAT(Await(RunTableJob(*dataset, {.name = "query", .timeout = wanted}, context)),
                IsOk());
    return jobs.requests.back().timeout;
  };
  using std::chrono::milliseconds;
  EXPECT_EQ(timeout_of(milliseconds(0)), settings.timeout);
  EXPECT_EQ(timeout_of(milliseconds(700)), milliseconds(700));
  EXPECT_EQ(timeout_of(std::chrono::hours(1)), settings.timeout);
  context.deadline = clock.Now() + milliseconds(1'650);
  EXPECT_LE(timeout_of(milliseconds(0)), milliseconds(1'000));
  context.deadline = clock.Now();
  EXPECT_EQ(timeout_of(milliseconds(0)), milliseconds(1));
}

TEST_F(TableAccess, FindsColumnsByTheirOwnSpellingFirst) {
  TableEntry entry;
  entry.name = "t";
  for (const char* name : {"a", "A", "Unit Price"})
    entry.columns.push_back({.name = name, .type = "DATE"});
  EXPECT_THAT(*FindColumns(entry, {"A", "a", "\"unit price\"", "A"}),
              ElementsAre("A", "a", "Unit Price"));
  const auto unknown = FindColumns(entry, {"Unit Prices"});
  ASSERT_THAT(unknown, FailsWith("unknown_column"));
  EXPECT_THAT(unknown.error().hint, HasSubstr("Unit Price"));
}

TEST(PageCursor, IsBoundToItsListAndVersion) {
  const std::string cursor = EncodeCursor("tables", 3, "0orders\nx");
  EXPECT_EQ(DecodeCursor("tables", 3, cursor).value(), "0orders\nx");
  EXPECT_THAT(DecodeCursor("tables", 4, cursor), FailsWith("bad_cursor"));
  EXPECT_THAT(DecodeCursor("columns", 3, cursor), FailsWith("bad_cursor"));
  EXPECT_THAT(DecodeCursor("tables", 3, "%%"), FailsWith("bad_cursor"));
  EXPECT_THAT(DecodeCursor("tables", 3, ""), FailsWith("bad_cursor"));
}

}  // namespace
}  // namespace ducat::analyst
