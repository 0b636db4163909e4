// `ducat analyst --db FILE`: a real database file, through every tool, beside files and without
// any.
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>

#include "database_file.h"
#include "ducat_process.h"

namespace ducat::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class AnalystDatabase : public ::testing::Test {
 protected:
  void SetUp() override {
    data_.Write("cities.csv", "city_id,city\n1,Bonn\n2,Kiel\n");
    folder_.Write("secret.csv", "key\nhidden\n");
    const std::string secret = (folder_.path() / "secret.csv").string();
    DatabaseFile::Make(
        path(),
        {"CREATE TABLE customers (customer_id INTEGER NOT NULL, name VARCHAR, city_id INTEGER)",
         "INSERT INTO customers SELECT range, 'c' || range, 1 + range % 2 FROM range(40)",
         "CREATE TABLE purchases AS SELECT range AS id, range % 40 AS customer_id,"
         " (range * 1.25)::DECIMAL(10,2) AS amount FROM range(400)",
         "CREATE VIEW big AS SELECT * FROM purchases WHERE amount > 100",
         "CREATE VIEW outside AS SELECT * FROM read_csv('" + secret + "')",
         "CREATE SCHEMA \"Old Shop\"",
         "CREATE TABLE \"Old Shop\".\"Unit \"\"Price\"\"\" AS SELECT 1 AS \"The Id\", 2.5 AS p",
         "CREATE TABLE \"Old Shop\".customers AS SELECT 7 AS customer_id, 'old' AS name"});
  }

  [[nodiscard]] fs::path path() const { return folder_.path() / "shop.duckdb"; }
  [[nodiscard]] std::vector<std::string> Arguments() const {
    return {"analyst", "--data", data_.string(), "--db", path().string()};
  }

  ScratchFolder data_, folder_;
};

TEST_F(AnalystDatabase, ListsObjectsOfEverySchemaBesideFiles) {
  DucatProcess server(Arguments());
  server.Handshake();
  const std::string tables = server.CallTool("1", "list_tables", R"({"wait_ms":30000})");
  EXPECT_THAT(tables, HasSubstr("\"database\":\"" + path().string() + "\""));
  EXPECT_THAT(tables, HasSubstr(R"("name":"cities","kind":"view","source":"cities.csv")"));
  EXPECT_THAT(tables, HasSubstr(R"("name":"purchases","kind":"table","source":"db:main.purchases",)"
                                R"("row_count":400,"column_count":3,"status":"ready")"));
  EXPECT_THAT(tables, HasSubstr(R"("name":"main_customers","kind":"table")"));
  EXPECT_THAT(tables, HasSubstr(R"("name":"old shop_customers","kind":"table")"));
  EXPECT_THAT(tables, HasSubstr(R"("name":"big","kind":"view","source":"db:main.big")"));
  EXPECT_THAT(tables, HasSubstr(R"("source":"db:Old Shop.Unit \"Price\"")"));
}

TEST_F(AnalystDatabase, ServesEveryTool) {
  DucatProcess server(Arguments());
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "describe_table", R"({"name":"main_customers"})"),
              HasSubstr(R"("name":"customer_id","type":"INTEGER","nullable":false,"null_count":0,)"
                        R"("sample_values":[0,1,2])"));
  EXPECT_THAT(server.CallTool("2", "profile_table", R"({"name":"purchases"})"),
              AllOf(HasSubstr(R"("row_count":400)"), HasSubstr(R"("max":498.75)")));
  EXPECT_THAT(server.CallTool("3", "sample_rows", R"({"name":"big","n":3})"),
              HasSubstr("\"row_count\":3"));
  EXPECT_THAT(server.CallTool("4", "query",
                              R"({"sql":"SELECT city, count(*) AS n FROM main_customers )"
                              R"(JOIN cities USING (city_id) GROUP BY 1 ORDER BY 1"})"),
              AllOf(HasSubstr(R"("rows":[["Bonn",20],["Kiel",20]])"),
                    HasSubstr(R"("tables":["cities","main_customers"])")));
  EXPECT_THAT(server.CallTool("5", "explain_query",
                              R"({"sql":"SELECT sum(amount) FROM db.main.purchases"})"),
              HasSubstr("SEQ_SCAN"));
  EXPECT_THAT(server.CallTool("6", "search_columns", R"({"pattern":"customer_id"})"),
              AllOf(HasSubstr(R"("table":"main_customers")"), HasSubstr(R"("table":"purchases")"),
                    HasSubstr(R"("table":"old shop_customers")")));
  EXPECT_THAT(
      server.CallTool("7", "table_relationships", R"({"tables":["purchases","main_customers"]})"),
      HasSubstr(R"("from_table":"purchases","from_column":"customer_id",)"
                R"("to_table":"main_customers","to_column":"customer_id","containment":1)"));
  EXPECT_THAT(server.Ask("8", "resources/read", R"({"uri":"duckdb://schema/purchases"})"),
              HasSubstr("DECIMAL(10,2)"));
}

TEST_F(AnalystDatabase, KnowsQuotedNamesInToolsAndInSql) {
  DucatProcess server(Arguments());
  server.Handshake();
  EXPECT_THAT(
      server.CallTool("1", "query",
                      R"({"sql":"SELECT \"The Id\" FROM db.\"Old Shop\".\"Unit \"\"Price\"\"\""})"),
      HasSubstr("\"rows\":[[1]]"));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT p FROM \"unit \"\"price\"\"\""})"),
              HasSubstr("\"rows\":[[2.5]]"));
  EXPECT_THAT(server.CallTool("3", "describe_table", R"({"name":"unit \"price\""})"),
              HasSubstr(R"("name":"The Id")"));
  EXPECT_THAT(server.CallTool("4", "sample_rows",
                              R"({"name":"\"unit \"\"price\"\"\"","columns":["the id"]})"),
              HasSubstr("\"rows\":[[1]]"));
  EXPECT_THAT(server.CallTool("5", "profile_table", R"({"name":"unit \"price\""})"),
              HasSubstr(R"("name":"The Id")"));
}

// A view of the database may name any file; a worker does not open it.
TEST_F(AnalystDatabase, ReadsNoFileThatAViewNames) {
  DucatProcess server(Arguments());
  server.Handshake();
  for (const char* const sql : {"SELECT * FROM outside", "SELECT * FROM db.outside",
                                "SELECT * FROM db.main.outside LIMIT 1"}) {
    const std::string refused =
        server.CallTool("1", "query", R"({"sql":")" + std::string(sql) + "\"}");
    EXPECT_THAT(refused, AllOf(HasSubstr("\"isError\":true"), Not(HasSubstr("hidden"))));
  }
  EXPECT_THAT(server.CallTool("2", "describe_table", R"({"name":"outside"})"),
              AllOf(HasSubstr("table_unreadable"), Not(HasSubstr("hidden"))));
  EXPECT_THAT(server.CallTool("3", "query", R"({"sql":"SELECT count(*) FROM big"})"),
              HasSubstr("\"rows\":[[319]]"));
}

// What a view calls is judged as a statement is, by every tool.
TEST_F(AnalystDatabase, RunsNoFunctionThatAViewNames) {
  data_.Write(".hidden.csv", "key\nhidden\n");
  DatabaseFile::Make(
      path(), {"CREATE VIEW leak AS SELECT current_setting('temp_directory') AS t",
               "CREATE VIEW files AS SELECT * FROM glob('" + (folder_.path() / "*").string() + "')",
               "CREATE VIEW \"of leak\" AS SELECT t FROM leak",
               "CREATE TABLE made (a INT,"
               " b VARCHAR AS (current_setting('temp_directory')))"});
  DucatProcess server(Arguments());
  server.Handshake();
  const std::string tables = server.CallTool("1", "list_tables", R"({"wait_ms":30000})");
  EXPECT_THAT(tables, AllOf(HasSubstr("view_not_allowed"), HasSubstr("column_not_allowed")));
  for (const std::string name : {"leak", "files", "of leak", "made"}) {
    for (const char* const tool : {"describe_table", "profile_table", "sample_rows"}) {
      EXPECT_THAT(server.CallTool("2", tool, R"({"name":")" + name + "\"}"),
                  HasSubstr("table_unreadable"))
          << tool << " " << name;
    }
    for (const std::string from : {"", "db.", "db.main."}) {
      const std::string sql = R"({"sql":"SELECT * FROM )" + from + R"(\")" + name + R"(\""})";
      for (const char* const tool : {"query", "explain_query"}) {
        EXPECT_THAT(server.CallTool("3", tool, sql), HasSubstr("\"isError\":true")) << sql;
      }
    }
    EXPECT_THAT(server.Ask("4", "resources/read", R"({"uri":"duckdb://schema/)" + name + "\"}"),
                HasSubstr("\"error\":"))
        << name;
  }
  EXPECT_THAT(server.CallTool("5", "query", R"({"sql":"SELECT count(*) FROM big"})"),
              HasSubstr("\"rows\":[[319]]"));
}

// Bytes, time of change and log of the database are as before, whatever was called.
TEST_F(AnalystDatabase, LeavesTheFileAsItIs) {
  const std::string bytes = folder_.Read("shop.duckdb");
  const fs::file_time_type changed = fs::last_write_time(path());
  DucatProcess server(Arguments());
  server.Handshake();
  for (const char* const sql :
       {"SELECT * FROM purchases", "INSERT INTO db.purchases VALUES (1, 1, 1)",
        "DROP TABLE db.customers", "CHECKPOINT db", "UPDATE purchases SET id = 1",
        "ATTACH 'shop.duckdb' AS again", "COPY purchases TO 'x.csv'", "VACUUM", "DETACH db"}) {
    (void)server.CallTool("1", "query", R"({"sql":")" + std::string(sql) + "\"}");
  }
  for (const char* const tool : {"describe_table", "profile_table", "sample_rows"}) {
    EXPECT_THAT(server.CallTool("2", tool, R"({"name":"purchases"})"),
                Not(HasSubstr("\"isError\":true")));
  }
  EXPECT_EQ(server.WaitForExit(), 0);
  EXPECT_EQ(folder_.Read("shop.duckdb"), bytes);
  EXPECT_EQ(fs::last_write_time(path()), changed);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2) << "a file appeared";
}

// Changes that a writer has not merged into the file yet are seen, and its log is left alone.
TEST_F(AnalystDatabase, ReadsTheLogOfAWriterThatDied) {
  ScratchFolder crashed;
  {
    DatabaseFile writer(path());
    writer.Run({"INSERT INTO purchases VALUES (400, 1, 2)"});
    fs::copy_file(path(), crashed.path() / "shop.duckdb");
    fs::copy_file(path().string() + ".wal", crashed.path() / "shop.duckdb.wal");
  }
  const std::string log = crashed.Read("shop.duckdb.wal");
  ASSERT_FALSE(log.empty());
  DucatProcess server(
      {"analyst", "--data", data_.string(), "--db", (crashed.path() / "shop.duckdb").string()});
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "query", R"({"sql":"SELECT count(*) FROM purchases"})"),
              HasSubstr("\"rows\":[[401]]"));
  EXPECT_EQ(server.WaitForExit(), 0);
  EXPECT_EQ(crashed.Read("shop.duckdb.wal"), log);
}

// A worker may read what was there when it was started: a file put in its place, or a log that a
// writer left meanwhile, needs a new worker, which the next call gets.
TEST_F(AnalystDatabase, ReadsWhatCameAfterItsWorkers) {
  DucatProcess server(Arguments());
  server.Handshake();
  const auto count = [&server] {
    return server.CallTool("1", "query", R"({"sql":"SELECT count(*) FROM purchases"})");
  };
  EXPECT_THAT(count(), HasSubstr("\"rows\":[[400]]"));
  ASSERT_TRUE(DatabaseFile::WaitForLock(path())) << "the server never let go of the file";
  DatabaseFile::Make(folder_.path() / "next.duckdb",
                     {"CREATE TABLE purchases AS SELECT 1 AS id, 2 AS customer_id, 3 AS amount"});
  fs::rename(folder_.path() / "next.duckdb", path());
  std::string last;
  for (int i = 0; i < 3 && last.find("[[1]]") == std::string::npos; ++i)
    last = count();
  EXPECT_THAT(last, HasSubstr("\"rows\":[[1]]"));
}

TEST_F(AnalystDatabase, NamesTheHolderOfALockAndComesBack) {
  auto writer = std::make_unique<DatabaseFile>(path());
  DucatProcess server(Arguments());
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "list_tables", R"({"wait_ms":10000})"),
              AllOf(HasSubstr("database_locked"), HasSubstr(R"("name":"cities")")));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT count(*) FROM db.purchases"})"),
              AllOf(HasSubstr(R"("reason":"database_locked")"),
                    HasSubstr("pid " + std::to_string(getpid()))));
  EXPECT_THAT(server.CallTool("3", "query", R"({"sql":"SELECT count(*) FROM cities"})"),
              HasSubstr("\"rows\":[[2]]"));
  writer.reset();
  std::string tables;
  for (int i = 0; i < 20 && tables.find("purchases") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    tables = server.CallTool("4", "list_tables", R"({"wait_ms":10000})");
  }
  EXPECT_THAT(tables, HasSubstr(R"("name":"purchases")"));
  EXPECT_THAT(server.CallTool("5", "query", R"({"sql":"SELECT count(*) FROM purchases"})"),
              HasSubstr("\"rows\":[[400]]"));
}

// A writer gets its lock while the server is idle, and the server sees what was written.
TEST_F(AnalystDatabase, LetsWritersInBetween) {
  DucatProcess server(Arguments());
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "query", R"({"sql":"SELECT count(*) FROM purchases"})"),
              HasSubstr("\"rows\":[[400]]"));
  ASSERT_TRUE(DatabaseFile::WaitForLock(path())) << "the server never let go of the file";
  DatabaseFile::Make(path(), {"INSERT INTO purchases VALUES (400, 1, 2)"});
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT count(*) FROM purchases"})"),
              HasSubstr("\"rows\":[[401]]"));
}

struct BadFile {
  const char* name;
  std::string (*content)(const std::string& good);
};

class BadDatabase : public AnalystDatabase, public ::testing::WithParamInterface<BadFile> {};

TEST_P(BadDatabase, IsSaidSoWhileFilesWork) {
  const std::string content = GetParam().content(folder_.Read("shop.duckdb"));
  folder_.Write("shop.duckdb", content);
  DucatProcess server(Arguments());
  server.Handshake();
  EXPECT_THAT(server.CallTool("1", "list_tables", R"({"wait_ms":30000})"),
              AllOf(HasSubstr("database_invalid"), HasSubstr(R"("name":"cities")")));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT * FROM db.purchases"})"),
              AllOf(HasSubstr(R"("reason":"database_invalid")"), HasSubstr("--db FILE")));
  EXPECT_THAT(server.CallTool("3", "query", R"({"sql":"SELECT count(*) FROM cities"})"),
              HasSubstr("\"rows\":[[2]]"));
  EXPECT_EQ(server.WaitForExit(), 0);
  EXPECT_EQ(folder_.Read("shop.duckdb"), content);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadDatabase,
    ::testing::Values(
        BadFile{"Empty", [](const std::string&) { return std::string(); }},
        BadFile{"Text", [](const std::string&) { return std::string("id,name\n1,a\n"); }},
        BadFile{"Sqlite",
                [](const std::string&) { return "SQLite format 3" + std::string(5'000, '\0'); }},
        BadFile{"Truncated", [](const std::string& good) { return good.substr(0, 5'000); }}),
    [](const auto& test) { return std::string(test.param.name); });

// Its headers are sound, its rows are not there: found when they are read.
TEST_F(AnalystDatabase, SaysWhichTableIsDamaged) {
  folder_.Write("shop.duckdb", folder_.Read("shop.duckdb").substr(0, 300'000));
  DucatProcess server(Arguments());
  server.Handshake();
  EXPECT_THAT(
      server.CallTool("1", "query", R"({"sql":"SELECT sum(amount) FROM purchases"})"),
      AllOf(HasSubstr("\"isError\":true"), HasSubstr("purchases"), HasSubstr("table_unreadable")));
  EXPECT_THAT(server.CallTool("2", "query", R"({"sql":"SELECT count(*) FROM cities"})"),
              HasSubstr("\"rows\":[[2]]"));
}

}  // namespace
}  // namespace ducat::testing
