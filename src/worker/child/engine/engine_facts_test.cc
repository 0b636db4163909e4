// Facts about the pinned engine that the guard and the confinement answer (guard.md 2), with the
// guard off. When one of these fails after an update, its answer in the design is to be looked at
// again.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"

namespace ducat::engine {
namespace {

using ::testing::HasSubstr;

class EngineFactsTest : public EngineFixture {
 protected:
  std::string Put(const std::string& name, const std::string& bytes) {
    std::ofstream(data_dir() / name) << bytes;
    return (data_dir() / name).string();
  }
  bool Runs(const std::string& sql) { return connection().Run(sql).has_value(); }
};

TEST_F(EngineFactsTest, F5SelectWritesFilesThroughProfiling) {
  const std::string target = Put("victim.json", "mine");
  ASSERT_TRUE(Runs("SELECT * FROM enable_profiling(format = 'json', save_location = " +
                   QuoteText(target) + ")"));
  EXPECT_EQ(OneText("SELECT 1"), "1");
  EXPECT_NE(std::filesystem::file_size(target), 4U);
}

TEST_F(EngineFactsTest, F6SelectWritesFilesThroughLogging) {
  const auto target = data_dir() / "log";
  ASSERT_TRUE(Runs("SELECT * FROM enable_logging(storage = 'file', storage_path = " +
                   QuoteText(target.string()) + ")"));
  EXPECT_EQ(OneText("SELECT 1"), "1");
  EXPECT_TRUE(Runs("SELECT * FROM disable_logging()"));
  EXPECT_TRUE(std::filesystem::exists(target));
}

TEST_F(EngineFactsTest, F8RejectsShadowATable) {
  ASSERT_TRUE(Runs("CREATE VIEW orders AS SELECT 'mine' AS a"));
  const std::string file = Put("r.csv", "a\n1\nx\n");
  EXPECT_EQ(OneText("SELECT sum(a) FROM read_csv(" + QuoteText(file) +
                    ", store_rejects = true, rejects_table = 'orders', columns = {'a': 'INTEGER'}, "
                    "header = true, auto_detect = false)"),
            "1");
  EXPECT_NE(OneText("SELECT a FROM orders"), "mine");
}

TEST_F(EngineFactsTest, F9GlobsMatchHiddenFiles) {
  Put(".env", "secret");
  EXPECT_EQ(
      OneText("SELECT content FROM read_text(" + QuoteText(data_dir().string() + "/[.]e*") + ")"),
      "secret");
  EXPECT_EQ(
      OneText("SELECT content FROM read_text(" + QuoteText(data_dir().string() + "/?env") + ")"),
      "secret");
}

TEST_F(EngineFactsTest, F10OneLinkThatLeavesFailsAWholeGlob) {
  Put("inside.txt", "in");
  std::ofstream(root() / "outside.txt") << "out";
  // Counting alone opens no file of a glob, so the contents are asked for.
  const std::string glob = "SELECT string_agg(content) FROM read_text(" +
                           QuoteText(data_dir().string() + "/*.txt") + ")";
  EXPECT_EQ(OneText(glob), "in");
  std::filesystem::create_symlink(root() / "outside.txt", data_dir() / "link.txt");
  EXPECT_THAT(OneText(glob), HasSubstr("Permission"));
}

TEST_F(EngineFactsTest, F12TheLockLetsThesePass) {
  EXPECT_TRUE(Runs("PRAGMA disable_optimizer"));
  EXPECT_TRUE(Runs("CREATE MACRO my_sum(x) AS 42"));
  EXPECT_TRUE(Runs("SET VARIABLE p = 'x'"));
  EXPECT_TRUE(Runs("COPY (SELECT 1 AS a) TO " + QuoteText((data_dir() / "o.csv").string())));
  EXPECT_TRUE(Runs("ATTACH " + QuoteText((data_dir() / "new.duckdb").string()) + " AS other"));
}

TEST_F(EngineFactsTest, F13TheTempDirectoryIsReadable) {
  std::ofstream(root() / "private" / "spill.txt") << "spilled";
  EXPECT_EQ(OneText("SELECT content FROM read_text(" +
                    QuoteText((root() / "private" / "spill.txt").string()) + ")"),
            "spilled");
}

TEST_F(EngineFactsTest, F14UnknownTableNamesAreTriedAsFiles) {
  const std::string file = Put("x.csv", "a\n7\n");
  EXPECT_EQ(OneText("SELECT a FROM " + QuoteIdentifier(file)), "7");
  EXPECT_EQ(OneText("SELECT a FROM " + QuoteText(file)), "7");
}

TEST_F(EngineFactsTest, F15WhatSerialisesAndWhatDoesNot) {
  const auto tree = [this](const char* sql) { return connection().SerializeSql(sql).value_or(""); };
  EXPECT_THAT(tree("DESCRIBE t"), HasSubstr("SHOW_REF"));
  EXPECT_THAT(tree("SUMMARIZE t"), HasSubstr("SHOW_REF"));
  EXPECT_THAT(tree("UNPIVOT t ON a, b INTO NAME n VALUE v"), HasSubstr("\"PIVOT\""));
  EXPECT_THAT(tree("PIVOT t ON a IN ('x') USING sum(b)"), HasSubstr("\"PIVOT\""));
  EXPECT_THAT(tree("PIVOT t ON a USING sum(b)"), HasSubstr("\"error\":true"));
  EXPECT_THAT(tree("EXPLAIN SELECT 1"), HasSubstr("\"error\":true"));
  EXPECT_THAT(tree("INSERT INTO t VALUES (1)"), HasSubstr("Only SELECT statements"));
}

TEST_F(EngineFactsTest, F16PositionsCountBytesOrCharacters) {
  const auto binder = connection().Run("SELECT 'é', nope");
  ASSERT_FALSE(binder.has_value());
  EXPECT_EQ(binder.error().position, 13U);  // bytes
  const auto parser = connection().Run("SELECT 'é', nope nope nope");
  ASSERT_FALSE(parser.has_value());
  EXPECT_EQ(parser.error().type, "Parser");
  EXPECT_EQ(parser.error().position, 22U);  // characters
}

TEST_F(EngineFactsTest, F18TheWrapKeepsOrderAndNames) {
  auto rows = connection().Run(
      "SELECT * FROM (\nSELECT i AS a, -i AS a, i AS \"A\" FROM range(10) t(i) ORDER BY i DESC -- "
      "end\n) AS _q LIMIT 3");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ(rows->columns()[1].name, "a_1");
  EXPECT_EQ(rows->columns()[2].name, "A_2");
  EXPECT_EQ(rows->AllText()->at(0)[0], "9");
  EXPECT_FALSE(Runs("SELECT * FROM (SELECT 1 -- end) AS _q LIMIT 3"));
  const auto plan = connection().ExplainJson(
      "SELECT * FROM (\nSELECT i FROM range(1000) t(i) ORDER BY i DESC\n) AS _q LIMIT 3");
  EXPECT_THAT(plan.value_or(""), HasSubstr("TOP_N"));
}

}  // namespace
}  // namespace ducat::engine
