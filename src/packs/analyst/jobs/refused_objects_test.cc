#include "packs/analyst/jobs/refused_objects.h"

#include <string>
#include <vector>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

class RefusedObjectsTest : public JobsFixture {
 protected:
  void Configure(engine::EngineSettings& settings) override {
    settings.db_file = (root() / "shop.duckdb").string();
    Write({"CREATE TABLE orders AS SELECT range AS id, range % 3 AS k FROM range(7)",
           "CREATE TYPE mood AS ENUM ('calm', 'cross')", "CREATE SCHEMA \"Odd Schema\""});
  }

  // Statements in the database, before it is attached.
  void Write(const std::vector<std::string>& statements) {
    engine::EngineSettings writer;
    writer.data_dir = root().string();
    writer.private_dir = (root() / "private").string();
    auto database = engine::Database::Open(writer);
    ASSERT_TRUE(database.has_value()) << database.error().message;
    auto writing = database->Connect();
    std::vector<std::string> all{
        "ATTACH " + engine::QuoteText((root() / "shop.duckdb").string()) + " AS w", "USE w"};
    all.insert(all.end(), statements.begin(), statements.end());
    all.insert(all.end(), {"USE memory", "DETACH w"});
    for (const std::string& sql : all) {
      auto ran = writing->Run(sql);
      ASSERT_TRUE(ran.has_value()) << sql << ": " << ran.error().message;
    }
  }

  // "reason: text" of an object; empty: it can be read.
  std::string ProblemOf(const std::string& name) {
    const auto out = Run<DatabaseObjectsOut>("database_objects", DatabaseObjectsIn{});
    if (!out.has_value()) return out.error().message;
    for (const DatabaseObject& object : out->objects) {
      if (object.name != name) continue;
      if (!object.problem.has_value()) return "";
      EXPECT_TRUE(object.columns.empty());
      return object.reason.value_or("engine_error") + ": " + *object.problem;
    }
    return "not listed";
  }
};

struct Hostile {
  std::string select, names;
};

class HostileViewTest : public RefusedObjectsTest, public ::testing::WithParamInterface<Hostile> {};

TEST_P(HostileViewTest, IsListedWithWhatItUses) {
  Write({"CREATE VIEW \"a AS b\" AS " + GetParam().select,
         "CREATE VIEW \"Odd Schema\".outer_one AS WITH x AS (SELECT * FROM main.\"a AS b\")"
         " SELECT * FROM x",
         "CREATE VIEW outermost AS SELECT 1 AS one WHERE EXISTS"
         " (FROM \"Odd Schema\".outer_one)"});
  EXPECT_THAT(ProblemOf("a AS b"),
              AllOf(HasSubstr("view_not_allowed: "), HasSubstr(GetParam().names)));
  EXPECT_THAT(ProblemOf("outer_one"), AllOf(HasSubstr("view_not_allowed: "), HasSubstr("a as b")));
  EXPECT_THAT(ProblemOf("outermost"),
              AllOf(HasSubstr("view_not_allowed: "), HasSubstr("outer_one")));
  EXPECT_EQ(ProblemOf("orders"), "");
}

INSTANTIATE_TEST_SUITE_P(
    Views, HostileViewTest,
    ::testing::Values(Hostile{"SELECT current_setting('temp_directory')", "current_setting"},
                      Hostile{"SELECT id FROM orders WHERE setseed(0.5) IS NULL", "setseed"},
                      Hostile{"SELECT * FROM query('select 7')", "query"},
                      Hostile{"SELECT * FROM query_table('orders')", "query_table"},
                      Hostile{"SELECT * FROM duckdb_databases()", "duckdb_databases"},
                      Hostile{"SELECT * FROM duckdb_settings()", "duckdb_settings"},
                      Hostile{"SELECT * FROM duckdb_tables", "duckdb_tables"},
                      Hostile{"SELECT * FROM pg_catalog.pg_class", "pg_class"},
                      Hostile{"SELECT * FROM information_schema.tables", "information_schema"},
                      Hostile{"SELECT * FROM (SHOW DATABASES)", "SHOW"},
                      Hostile{"SELECT * FROM glob('*')", "glob"},
                      Hostile{"SELECT * FROM read_text('*.duckdb')", "read_text"},
                      Hostile{
                          "SELECT id, (SELECT max(content) FROM read_text('*.none')) FROM orders",
                          "read_text"}));

TEST_F(RefusedObjectsTest, HarmlessViewsStayReadable) {
  const std::vector<std::string> selects{
      "SELECT o.id, p.k FROM orders AS o JOIN orders AS p USING (id)",
      "WITH q AS (SELECT k, count(*) AS n FROM orders GROUP BY k) SELECT * FROM q ORDER BY n",
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) FROM r",
      "SELECT id, row_number() OVER (PARTITION BY k ORDER BY id) AS r FROM orders",
      "SELECT list_transform([1, 2], lambda x: x + 1) AS l, {'a': 1}.a AS s, [1, 2][1:1] AS t",
      "SELECT 'calm'::mood AS m",
      "SELECT * FROM range(5) AS t(i)",
      "SELECT k, 'read_text(''x'')' AS t FROM orders UNION ALL SELECT 1, 'y'",
      "PIVOT orders ON k IN (0, 1) USING sum(id)",
      "SELECT * FROM orders USING SAMPLE 3"};
  std::vector<std::string> statements{"CREATE TABLE \"x.csv\" AS SELECT 1 AS \"select\"",
                                      "CREATE VIEW \"of \"\"x\" AS SELECT * FROM \"x.csv\""};
  for (size_t i = 0; i < selects.size(); ++i) {
    statements.push_back("CREATE VIEW v" + std::to_string(i) + " AS " + selects[i]);
  }
  Write(statements);
  for (size_t i = 0; i < selects.size(); ++i) {
    EXPECT_EQ(ProblemOf("v" + std::to_string(i)), "") << selects[i];
  }
  EXPECT_EQ(ProblemOf("of \"x"), "");
  Add({.name = "v6", .source = "db:main.v6", .db_schema = "main", .db_name = "v6"});
  EXPECT_THAT(RunText("sample_rows", json::Encode(SampleRowsIn{.name = "v6"})), IsOk());
}

TEST_F(RefusedObjectsTest, GeneratedColumns) {
  Write({"CREATE TABLE bad (a INT, b VARCHAR AS (current_setting('temp_directory')))",
         "CREATE TABLE good (a INT, b INT AS (a + 1), c INT DEFAULT 5)",
         "CREATE VIEW of_bad AS SELECT a FROM bad"});
  EXPECT_THAT(ProblemOf("bad"), HasSubstr("column_not_allowed: The function current_setting"));
  EXPECT_THAT(ProblemOf("of_bad"), HasSubstr("view_not_allowed: "));
  EXPECT_EQ(ProblemOf("good"), "");
}

TEST_F(RefusedObjectsTest, MacrosOfTheDatabase) {
  Write({"CREATE MACRO own(x) AS x + 1", "CREATE VIEW of_own AS SELECT own(id) AS i FROM orders",
         "CREATE VIEW plain AS SELECT id FROM orders"});
  EXPECT_THAT(ProblemOf("of_own"), HasSubstr("There is no function own"));
  EXPECT_EQ(ProblemOf("plain"), "");
}

TEST_F(RefusedObjectsTest, MacrosInThePlaceOfTheEnginesFunctions) {
  Write({"CREATE VIEW plain AS SELECT id FROM orders",
         "CREATE MACRO \"+\"(a, b) AS current_setting('temp_directory')"});
  EXPECT_THAT(ProblemOf("plain"), HasSubstr("The macro + of the database"));
  EXPECT_EQ(ProblemOf("orders"), "");
}

// The second line: whatever the listing said, jobs look at the plan before they read.
TEST_F(RefusedObjectsTest, JobsCheckThePlanOfViews) {
  Write({"CREATE VIEW files AS SELECT * FROM glob('*')",
         "CREATE VIEW settings AS SELECT * FROM duckdb_settings()"});
  for (const std::string name : {"files", "settings"}) {
    Add({.name = name, .source = "db:main." + name, .db_schema = "main", .db_name = name});
    const std::string named = R"({"name":")" + name + "\"}";
    EXPECT_THAT(RunText("describe_table", named), FailsWith("table_unreadable")) << name;
    EXPECT_THAT(RunText("profile_table", named), FailsWith("table_unreadable")) << name;
    EXPECT_THAT(RunText("sample_rows", json::Encode(SampleRowsIn{.name = name})),
                FailsWith("table_unreadable"))
        << name;
  }
}

}  // namespace
}  // namespace ducat::analyst
