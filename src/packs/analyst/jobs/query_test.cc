#include "packs/analyst/jobs/query.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Not;

class QueryTest : public JobsFixture {
 protected:
  void SetUp() override {
    JobsFixture::SetUp();
    MountSelect("orders",
                "SELECT * FROM (VALUES (1, 'paid', 10.50::DECIMAL(10,2)), (2, 'open', 2.25), "
                "(3, 'paid', NULL)) t(id, status, amount)");
  }

  Result<QueryCounters> Query(const QueryIn& in) {
    TRY_ASSIGN(const std::string counters, RunText("query", json::Encode(in)));
    json::Document document;
    TRY_ASSIGN(const json::View meta, document.Parse(output_.meta));
    TRY_ASSIGN(meta_, json::Decode<QueryMeta>(meta));
    TRY_ASSIGN(const json::View view, document.Parse(counters));
    return json::Decode<QueryCounters>(view);
  }
  Result<QueryCounters> Query(const std::string& sql) { return Query(QueryIn{.sql = sql}); }

  QueryMeta meta_;
};

TEST_F(QueryTest, AnswersWithColumnsRowsTextAndCounters) {
  const std::string sql =
      "SELECT status, count(*) AS n FROM orders GROUP BY 1 ORDER BY n DESC LIMIT 2";
  const auto counters = Query(sql);
  ASSERT_THAT(counters, IsOk());
  EXPECT_EQ(meta_.sql, sql);
  ASSERT_EQ(meta_.columns.size(), 2U);
  EXPECT_EQ(meta_.columns[0].name, "status");
  EXPECT_EQ(meta_.columns[0].type, "VARCHAR");
  EXPECT_EQ(meta_.columns[1].type, "BIGINT");
  EXPECT_THAT(meta_.tables, ElementsAre("orders"));
  EXPECT_EQ(meta_.row_limit, 500);
  EXPECT_EQ(output_.rows, R"(["paid",2],["open",1])");
  EXPECT_EQ(json::Unescape(output_.text), "|status|n|\n|---|---|\n|paid|2|\n|open|1|\n");
  EXPECT_EQ(counters->row_count, 2);
  EXPECT_FALSE(counters->truncated);
  EXPECT_EQ(counters->bytes, static_cast<int64_t>(output_.rows.size()));
  EXPECT_THAT(counters->json, ElementsAre("string", "number"));
  EXPECT_THAT(counters->notes, IsEmpty());
  EXPECT_GT(counters->elapsed_ms, 0);
}

// analyst.md 11, rows 51 to 55.
TEST_F(QueryTest, ValuesAreExact) {
  ASSERT_THAT(Query("SELECT 9007199254740991 a, 9007199254740992 b, sum(x) s "
                    "FROM (VALUES (1),(2)) t(x)"),
              IsOk());
  EXPECT_EQ(output_.rows, R"([9007199254740991,"9007199254740992",3])");
  ASSERT_THAT(Query("SELECT 418.80::DECIMAL(10,2) a, 1234567890123456.7::DECIMAL(18,1) b, "
                    "0.1::FLOAT c, 1e0 d"),
              IsOk());
  EXPECT_EQ(output_.rows, R"([418.8,"1234567890123456.7",0.1,1])");
  ASSERT_THAT(Query(R"(SELECT 'NaN'::DOUBLE, MAP {1: 'a'}, {'k': [NULL, 1]}, '\xAA'::BLOB)"),
              IsOk());
  EXPECT_EQ(output_.rows, R"(["NaN",[{"key":1,"value":"a"}],{"k":[null,1]},"\\xAA"])");
}

TEST_F(QueryTest, DuplicateNamesAndLongCells) {
  ASSERT_THAT(Query("SELECT 1 AS a, 2 AS a"), IsOk());
  EXPECT_EQ(meta_.columns[0].name, "a");
  EXPECT_EQ(meta_.columns[1].name, "a_1");
  const auto clipped = Query("SELECT repeat('x', 5000)");
  ASSERT_THAT(clipped, IsOk());
  EXPECT_EQ(output_.rows, "[\"" + std::string(1000, 'x') + "…(+4000 chars)\"]");
  EXPECT_EQ(clipped->clipped_cells, 1);
  EXPECT_THAT(clipped->notes, ElementsAre(HasSubstr("cell_offset")));
}

TEST_F(QueryTest, TheLimitIsExact) {
  const auto all = Query("SELECT i FROM range(500) t(i)");
  ASSERT_THAT(all, IsOk());
  EXPECT_FALSE(all->truncated);
  EXPECT_THAT(all->notes, IsEmpty());
  const auto more = Query("SELECT i FROM range(501) t(i)");
  ASSERT_THAT(more, IsOk());
  EXPECT_EQ(more->row_count, 500);
  EXPECT_TRUE(more->truncated);
  EXPECT_THAT(more->notes, ElementsAre(HasSubstr("500 rows, the row limit")));
}

TEST_F(QueryTest, CellsLowerTheRowLimit) {
  const auto counters =
      Query({.sql = "SELECT i, i AS j, i AS k FROM range(10) t(i)", .limits = {.max_cells = 10}});
  ASSERT_THAT(counters, IsOk());
  EXPECT_EQ(meta_.row_limit, 3);
  EXPECT_EQ(counters->row_count, 3);
  EXPECT_TRUE(counters->truncated);
  EXPECT_THAT(counters->notes, ElementsAre(HasSubstr("10 cells")));
  ASSERT_THAT(Query({.sql = "SELECT 1, 2, 3", .limits = {.max_cells = 2}}), IsOk());
  EXPECT_EQ(meta_.row_limit, 1);
  EXPECT_EQ(output_.rows, "[1,2,3]");
}

TEST_F(QueryTest, BytesEndThePage) {
  const auto counters =
      Query({.sql = "SELECT repeat('x', 90) AS s FROM range(100)", .limits = {.max_bytes = 1'000}});
  ASSERT_THAT(counters, IsOk());
  EXPECT_TRUE(counters->truncated);
  EXPECT_LE(counters->bytes, 1'000);
  EXPECT_LE(output_.text.size(), 1'000U);
  EXPECT_THAT(counters->notes, ElementsAre(HasSubstr("byte cap of 1,000")));
}

TEST_F(QueryTest, OffsetReadsOnInALongCell) {
  const std::string sql = "SELECT 'abcdefghij' AS s";
  ASSERT_THAT(Query({.sql = sql, .limits = {.max_cell = 4}, .cell_offset = 4}), IsOk());
  EXPECT_EQ(output_.rows, "[\"efgh…(+2 chars)\"]");
  const auto two =
      Query({.sql = sql + " UNION ALL SELECT 'b'", .limits = {.max_cell = 4}, .cell_offset = 4});
  ASSERT_THAT(two, IsOk());
  EXPECT_THAT(two->notes, Contains(HasSubstr("cell_offset was not used")));
}

TEST_F(QueryTest, ParametersAreBound) {
  const QueryIn in{.sql = "SELECT $s AS s, $n + 1 AS n, $b AS b, $z IS NULL AS z, $d * 2 AS d",
                   .params = {{"s", {"\"it's; DROP\""}},
                              {"n", {"41"}},
                              {"b", {"true"}},
                              {"z", {"null"}},
                              {"d", {"0.5"}}}};
  ASSERT_THAT(Query(in), IsOk());
  EXPECT_EQ(output_.rows, R"(["it's; DROP",42,true,true,1])");
  ASSERT_THAT(Query({.sql = "SELECT id FROM orders WHERE status = ? AND id > ?",
                     .params = {{"1", {"\"paid\""}}, {"2", {"1"}}}}),
              IsOk());
  EXPECT_EQ(output_.rows, "[3]");
}

TEST_F(QueryTest, BadParametersAreNamed) {
  const auto list = Query({.sql = "SELECT $a", .params = {{"a", {"[1]"}}}});
  EXPECT_THAT(list, FailsWith("invalid_arguments"));
  EXPECT_THAT(list.error().message, HasSubstr("params.a"));
  EXPECT_THAT(Query("SELECT $a"), FailsWith("missing_parameter"));
  EXPECT_THAT(Query({.sql = "SELECT 1", .params = {{"a", {"1"}}}}), FailsWith("unused_parameter"));
}

TEST_F(QueryTest, RefusalsAndEngineErrorsAreTheCallers) {
  EXPECT_THAT(Query("COPY orders TO '/tmp/x.csv'"), FailsWith("denied_keyword"));
  EXPECT_THAT(Query("SELECT nope FROM orders"), FailsWith("unknown_column"));
  EXPECT_THAT(Query("SELECT * FROM nope"), FailsWith("unknown_table"));
  EXPECT_THAT(Query("SELECT CAST(status AS INTEGER) FROM orders"),
              FailsWith("sql_execution_error"));
  EXPECT_TRUE(output_.rows.empty());
}

TEST_F(QueryTest, ExplainGivesTheColumnPlan) {
  const auto counters = Query("EXPLAIN SELECT status FROM orders WHERE id > 1");
  ASSERT_THAT(counters, IsOk());
  ASSERT_EQ(meta_.columns.size(), 1U);
  EXPECT_EQ(meta_.columns[0].name, "plan");
  EXPECT_EQ(counters->row_count, 1);
  EXPECT_EQ(counters->clipped_cells, 0);
  EXPECT_THAT(output_.rows, HasSubstr("PARQUET"));
  EXPECT_THAT(output_.rows, Not(HasSubstr(data_dir().string())));
}

TEST_F(QueryTest, DescribeAndSummarizeAreRows) {
  ASSERT_THAT(Query("DESCRIBE orders"), IsOk());
  EXPECT_THAT(output_.rows, HasSubstr(R"(["status","VARCHAR")"));
  ASSERT_THAT(Query({.sql = "SUMMARIZE orders", .limits = {.max_rows = 2}}), IsOk());
  EXPECT_EQ(meta_.row_limit, 2);
}

// Reading a text file in place guesses where its table knows.
TEST_F(QueryTest, AFileThatIsATableIsNamedAsSuch) {
  MountCsv("codes", "code,day\n007,01/02/2024\n008,03/04/2024\n");
  const uint64_t from = version_++;
  ASSERT_TRUE(catalog_
                  .Apply({.from_version = from,
                          .version = version_,
                          .files = {"codes.csv", "orders.parquet", "free.csv"}},
                         connection())
                  .has_value());
  Put("free.csv", "a\n1\n");
  const auto counters = Query("SELECT * FROM 'codes.csv' AS a, 'codes.csv' AS b");
  ASSERT_THAT(counters, IsOk());
  EXPECT_THAT(counters->notes, Contains(HasSubstr("codes.csv is the table codes")).Times(1));
  for (const std::string sql : {"SELECT * FROM 'orders.parquet'", "SELECT * FROM 'free.csv'"}) {
    const auto other = Query(sql);
    ASSERT_THAT(other, IsOk()) << sql;
    EXPECT_THAT(other->notes, IsEmpty()) << sql;
  }
  const auto failed =
      Query("SELECT * FROM read_csv('codes.csv', columns = {'code': 'DATE', 'day': 'DATE'})");
  ASSERT_THAT(failed, FailsWith("sql_execution_error"));
  EXPECT_THAT(failed.error().hint, HasSubstr("codes.csv is the table codes"));
}

TEST_F(QueryTest, UnreadableAndPendingTablesSaySo) {
  Put("torn.parquet", "PAR1 nothing PAR1");
  worker::CatalogTable torn{
      .name = "torn", .source = "torn.parquet", .file = (data_dir() / "torn.parquet").string()};
  torn.columns.push_back({.name = "a", .type = "INTEGER"});
  Add(torn);
  Add({.name = "later", .source = "later.csv"});
  const auto unreadable = Query("SELECT * FROM torn");
  EXPECT_THAT(unreadable, FailsWith("table_unreadable"));
  EXPECT_THAT(unreadable.error().message, HasSubstr("torn.parquet"));
  EXPECT_THAT(unreadable.error().message, Not(HasSubstr(data_dir().string())));
  EXPECT_THAT(Query("SELECT count(*) FROM later"), FailsWith("table_pending"));
  EXPECT_THAT(Query("SELECT count(*) FROM orders"), IsOk());
}

class DatabaseQueryTest : public QueryTest {
 protected:
  void Configure(engine::EngineSettings& settings) override {
    settings.db_file = data_dir() / "shop.duckdb";
    engine::EngineSettings writer = settings;
    writer.db_file.clear();
    auto database = engine::Database::Open(writer);
    auto writing = database->Connect();
    const std::string file = engine::QuoteText(settings.db_file);
    ASSERT_TRUE(writing->Run("ATTACH " + file + " AS w").has_value());
    ASSERT_TRUE(writing->Run("CREATE TABLE w.stock AS SELECT 7 AS n").has_value());
    ASSERT_TRUE(writing->Run("DETACH w").has_value());
  }
  void SetUp() override {
    QueryTest::SetUp();
    worker::CatalogTable stock{.name = "stock", .source = "db:main.stock"};
    stock.db_schema = "main";
    stock.db_name = "stock";
    stock.columns.push_back({.name = "n", .type = "INTEGER"});
    Add(stock);
  }
};

TEST_F(DatabaseQueryTest, TheDatabaseIsAttachedAtFirstUse) {
  ASSERT_THAT(Query("SELECT count(*) FROM orders"), IsOk());
  EXPECT_FALSE(connection().database_attached());
  ASSERT_THAT(Query("SELECT n FROM stock"), IsOk());
  EXPECT_EQ(output_.rows, "[7]");
  EXPECT_TRUE(connection().database_attached());
  connection().DetachDatabase();
  ASSERT_THAT(Query("SELECT n, id FROM db.main.stock, orders ORDER BY id"), IsOk());
  EXPECT_EQ(output_.rows, "[7,1],[7,2],[7,3]");
  connection().DetachDatabase();
  ASSERT_THAT(Query("SELECT n FROM stock"), IsOk());
}

// Whatever became of a file since it was listed.
TEST_F(QueryTest, FilesThatAreNoneAnyMoreHoldNoWorker) {
  MountSelect("p", "SELECT 1 AS a");
  Put("x.csv", "a\n1\n");
  version_ = catalog_.version();
  ASSERT_THAT(catalog_.Apply(
                  {.from_version = version_, .version = version_ + 1, .files = {"x.csv", "f.json"}},
                  connection()),
              IsOk());
  for (const char* file : {"p.parquet", "x.csv", "f.json"}) {
    std::filesystem::remove(data_dir() / file);
    ASSERT_EQ(mkfifo((data_dir() / file).c_str(), 0600), 0);
  }
  for (const char* sql :
       {"SELECT * FROM p", "SELECT * FROM 'x.csv'", "SELECT * FROM read_json('f.json')",
        "SELECT * FROM read_text('*')", "EXPLAIN SELECT * FROM p"}) {
    const auto answer = RunText("query", json::Encode(QueryIn{.sql = sql}));
    EXPECT_THAT(answer, FailsWith("table_unreadable")) << sql;
    EXPECT_THAT(answer.error().message, HasSubstr("is no regular file")) << sql;
  }
  EXPECT_THAT(RunText("sample_rows", json::Encode(SampleRowsIn{.name = "p"})),
              FailsWith("table_unreadable"));
}

// The engine's reader would end the worker, once for each new text.
TEST_F(QueryTest, JsonThatIsTooDeepForTheEngineIsRefused) {
  Put("deep.json", std::string(60'000, '[') + std::string(60'000, ']'));
  Put("deep.txt", std::string(60'000, '[') + std::string(60'000, ']'));
  version_ = catalog_.version();
  ASSERT_THAT(
      catalog_.Apply(
          {.from_version = version_, .version = version_ + 1, .files = {"deep.json", "deep.txt"}},
          connection()),
      IsOk());
  for (const char* sql : {"SELECT * FROM 'deep.json'", "SELECT count(*) FROM '*.json'",
                          "SELECT 1 FROM read_json('deep.txt')"}) {
    const auto answer = RunText("query", json::Encode(QueryIn{.sql = sql}));
    EXPECT_THAT(answer, FailsWith("table_unreadable")) << sql;
    EXPECT_THAT(answer.error().message, HasSubstr("1,000 levels")) << sql;
  }
}

}  // namespace
}  // namespace ducat::analyst
