// Nothing that a caller sees names a folder of the machine: rows, plans, prompts, refusals, errors.

#include <string>

#include <gtest/gtest.h>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

class PathLeakTest : public JobsFixture {
 protected:
  void SetUp() override {
    JobsFixture::SetUp();
    MountCsv("people", "id,name\n1,ann\n2,bob\n");  // a copy in the tables folder
    MountSelect("orders", "SELECT range AS id, 5 AS n FROM range(9)");  // read in place
    Put("year=2024/part.csv", "a,b\n1,x\n");
    Put("~home.csv", "a\n7\n");
    Put("s3:x.csv", "a\n8\n");
    Put("torn.parquet", "PAR1 nothing PAR1");
    Put("words.csv", "a,b\n1,2\nx,3\n");
    Put("bad.json", "{\"a\": [}");
    for (const char* file : {"people.csv", "orders.parquet", "year=2024/part.csv", "~home.csv",
                             "s3:x.csv", "torn.parquet", "words.csv", "bad.json"}) {
      files_.emplace_back(file);
    }
    const uint64_t from = version_++;
    ASSERT_THAT(
        catalog_.Apply({.from_version = from, .version = version_, .files = files_}, connection()),
        IsOk());
  }

  // Everything that the call gives, without the breaks and borders that a plan has inside words.
  std::string Seen(const std::string& sql) {
    const Result<std::string> counters =
        RunText("query", json::Encode(QueryIn{.sql = sql, .limits = {.max_cell = 100'000}}));
    std::string all = output_.meta + output_.rows + output_.text;
    all += counters ? *counters
                    : counters.error().message + counters.error().hint + counters.error().data;
    std::string squeezed;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] == ' ') continue;
      if (all.compare(i, 3, "\u2502") == 0) {
        i += 2;
      } else if (all.compare(i, 2, "\\n") == 0) {
        ++i;
      } else {
        squeezed += all[i];
      }
    }
    return squeezed;
  }
  void ExpectNoFolder(const std::string& sql) {
    const std::string seen = Seen(sql);
    EXPECT_THAT(seen, Not(HasSubstr(root().string()))) << sql;
    EXPECT_THAT(seen, Not(HasSubstr(root().filename().string()))) << sql;
    EXPECT_THAT(seen, Not(HasSubstr("duckdb_temp"))) << sql;
  }

  std::vector<std::string> files_;
};

TEST_F(PathLeakTest, FileNamesInRowsAreRelative) {
  const auto rows = [&](const std::string& sql) {
    EXPECT_THAT(RunText("query", json::Encode(QueryIn{.sql = sql})), IsOk()) << sql;
    return output_.rows;
  };
  EXPECT_EQ(rows("SELECT DISTINCT filename FROM read_csv('people.csv', filename = true)"),
            R"(["people.csv"])");
  EXPECT_EQ(rows("SELECT DISTINCT f FROM read_csv('people.csv', filename = 'f')"),
            R"(["people.csv"])");
  EXPECT_EQ(rows("SELECT filename, year, a FROM read_csv('*/*.csv', hive_partitioning = true)"),
            R"(["year=2024/part.csv",2024,1])");
  EXPECT_EQ(rows("SELECT filename FROM read_text('people.csv')"), R"(["people.csv"])");
  EXPECT_EQ(rows("SELECT filename FROM read_blob(['people.csv'])"), R"(["people.csv"])");
  EXPECT_EQ(rows("SELECT DISTINCT file_name FROM parquet_metadata('orders.parquet')"),
            R"(["orders.parquet"])");
  EXPECT_EQ(rows("SELECT DISTINCT file_name FROM parquet_schema('orders.parquet')"),
            R"(["orders.parquet"])");
  EXPECT_EQ(rows("SELECT file_name FROM parquet_file_metadata('orders.parquet')"),
            R"(["orders.parquet"])");
  EXPECT_EQ(rows("SELECT DISTINCT filename FROM read_parquet('orders.parquet')"),
            R"(["orders.parquet"])");
  EXPECT_THAT(rows("SELECT Prompt FROM sniff_csv('people.csv')"),
              HasSubstr("FROM read_csv('people.csv'"));
}

TEST_F(PathLeakTest, OddNamesOpenTheirFileAndNoOther) {
  for (const auto& [sql, row] : {std::pair{"SELECT a FROM '~home.csv'", "[7]"},
                                 {"SELECT a FROM '*home.csv'", "[7]"},
                                 {"SELECT a FROM './s3*.csv'", "[8]"}}) {
    const auto counters = RunText("query", json::Encode(QueryIn{.sql = sql}));
    // A name that begins with ~ is refused when it is written out, and found by a pattern.
    if (!counters) {
      EXPECT_EQ(counters.error().reason, "path_outside_data_dir") << sql;
      continue;
    }
    EXPECT_EQ(output_.rows, row) << sql;
  }
}

TEST_F(PathLeakTest, PlansNameNoFolder) {
  for (const char* format : {"text", "json", "html", "graphviz", "yaml", "mermaid"}) {
    for (const char* source :
         {"people", "orders", "people, orders", "read_csv('people.csv')", "'orders.parquet'",
          "read_parquet('orders.parquet', filename = true)"}) {
      const std::string from = std::string(" FROM ") + source;
      ExpectNoFolder("EXPLAIN (FORMAT " + std::string(format) + ") SELECT *" + from);
      ExpectNoFolder("EXPLAIN (ANALYZE, FORMAT " + std::string(format) + ") SELECT *" + from);
    }
  }
  EXPECT_THAT(Seen("EXPLAIN ANALYZE SELECT * FROM people"), HasSubstr("TotalTime"));
}

TEST_F(PathLeakTest, ErrorsNameNoFolder) {
  for (const char* sql :
       {"SELECT * FROM 'torn.parquet'", "SELECT * FROM parquet_metadata('torn.parquet')",
        "SELECT * FROM read_csv('words.csv', types = {'a': 'INTEGER'})",
        "SELECT sum(a) FROM read_csv('words.csv', columns = {'a': 'INTEGER', 'b': 'INTEGER'})",
        "SELECT * FROM 'bad.json'", "SELECT * FROM read_json('words.csv')",
        "SELECT * FROM read_csv('people.csv', columns = {'z': 'DATE'})",
        "SELECT * FROM read_csv('people.csv', types = {'nope': 'DATE'})",
        "SELECT * FROM read_parquet('people.csv')", "SELECT * FROM 'nofile.csv'",
        "SELECT * FROM '../x.csv'", "SELECT people.nope FROM people",
        "SELECT * FROM read_csv(['people.csv', 'words.csv'])",
        "SELECT CAST(name AS INTEGER) FROM people", "SELECT nope(1) FROM people"}) {
    ExpectNoFolder(sql);
  }
  // A file that goes away or is replaced after it was mounted.
  Put("orders.parquet", "PAR1 other PAR1");
  ExpectNoFolder("SELECT * FROM orders");
  std::filesystem::remove(root() / "tables" / "people.parquet");
  std::filesystem::remove(data_dir() / "orders.parquet");
  for (const char* sql : {"SELECT * FROM people", "SELECT * FROM orders", "DESCRIBE people",
                          "SUMMARIZE orders", "SELECT * FROM 'orders.parquet'"}) {
    ExpectNoFolder(sql);
  }
}

}  // namespace
}  // namespace ducat::analyst
