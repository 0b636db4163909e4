#include "packs/analyst/jobs/sample_rows.h"

#include <string>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using testing::IsOk;

class SampleRowsTest : public JobsFixture {
 protected:
  std::string Sample(SampleRowsIn in) {
    auto counters = RunText("sample_rows", json::Encode(in));
    if (!counters.has_value()) return counters.error().reason;
    json::Document document;
    counters_ = *json::Decode<QueryCounters>(*document.Parse(*counters));
    return output_.rows;
  }
  QueryCounters counters_;
};

TEST_F(SampleRowsTest, SmallestHashesInRowOrder) {
  MountSelect("t", "SELECT range * 10 AS v FROM range(300000)");
  const std::string rows = Sample({.name = "t", .n = 5});
  const std::string expected = OneText(
      "SELECT string_agg('[' || i * 10 || ']', ',' ORDER BY i) FROM (SELECT range AS i FROM"
      " range(300000) ORDER BY hash(range, 42::BIGINT), range LIMIT 5)");
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(counters_.row_count, 5);
  EXPECT_FALSE(counters_.truncated);
  EXPECT_NE(Sample({.name = "t", .n = 5, .seed = 43}), rows);
  EXPECT_EQ(Sample({.name = "t", .n = 5}), rows);
}

// Position in the table decides, whoever reads it: a table read in parts by one thread or four,
// from a file in place, a loaded text file, or a database.
class SampleRowsByThreads : public SampleRowsTest, public ::testing::WithParamInterface<int> {
 protected:
  static constexpr const char* kMany = "SELECT range * 10 AS v FROM range(400000)";

  void Configure(engine::EngineSettings& settings) override {
    settings.threads = GetParam();
    settings.db_file = (root() / "d.duckdb").string();
    engine::EngineSettings writer = settings;
    writer.db_file.clear();
    writer.data_dir = root().string();
    auto database = engine::Database::Open(writer);
    auto writing = database->Connect();
    for (const std::string& sql : {"ATTACH " + engine::QuoteText(settings.db_file) + " AS w",
                                   std::string("USE w"), std::string("CREATE TABLE d AS ") + kMany,
                                   std::string("CREATE VIEW shown AS SELECT v, v % 7 AS m FROM d"),
                                   std::string("USE memory"), std::string("DETACH w")}) {
      auto ran = writing->Run(sql);
      ASSERT_TRUE(ran.has_value()) << sql << ": " << ran.error().message;
    }
  }
};

TEST_P(SampleRowsByThreads, GiveTheSameRows) {
  MountSelect("p", kMany);
  std::string text = "v\n";
  for (int i = 0; i < 400'000; ++i)
    text += std::to_string(i * 10) + "\n";
  MountCsv("c", text);
  Add({.name = "d", .source = "db:main.d", .db_schema = "main", .db_name = "d"});
  const std::string expected = OneText(
      "SELECT string_agg('[' || i * 10 || ']', ',' ORDER BY i) FROM (SELECT range AS i FROM"
      " range(400000) ORDER BY hash(range, 42::BIGINT), range LIMIT 40)");
  for (const char* const name : {"p", "c", "d"})
    EXPECT_EQ(Sample({.name = name, .n = 40}), expected) << name;
}

// A view has no positions: the text of its rows decides, and equal texts are equal rows.
TEST_P(SampleRowsByThreads, GiveTheSameRowsOfADatabaseView) {
  Add({.name = "s", .source = "db:main.shown", .db_schema = "main", .db_name = "shown"});
  EXPECT_EQ(Sample({.name = "s", .n = 3}),
            OneText("SELECT string_agg('[' || v || ',' || m || ']', ',' ORDER BY h, t) FROM (SELECT"
                    " *, hash(t, 42::BIGINT) AS h FROM (SELECT v, m, CAST(x AS VARCHAR) AS t FROM"
                    " (SELECT range * 10 AS v, (range * 10) % 7 AS m FROM range(400000)) AS x)"
                    " ORDER BY h, t LIMIT 3)"));
}

INSTANTIATE_TEST_SUITE_P(Threads, SampleRowsByThreads, ::testing::Values(1, 2, 4));

TEST_F(SampleRowsTest, ColumnsAndSmallTables) {
  MountCsv("t", "c0,i,\"x\"\"y\"\n1,2,a\n3,4,b\n");
  EXPECT_EQ(Sample({.name = "t", .n = 10}), R"([1,2,"a"],[3,4,"b"])");
  EXPECT_EQ(Sample({.name = "t", .n = 10, .columns = {"x\"y", "c0"}}), R"(["a",1],["b",3])");
  EXPECT_THAT(output_.meta, ::testing::HasSubstr(R"("name":"x\"y")"));
  EXPECT_EQ(output_.text, "|x\\\"y|c0|\\n|---|---|\\n|a|1|\\n|b|3|\\n") << output_.text;
}

TEST_F(SampleRowsTest, LoweredWithANote) {
  MountSelect("t", "SELECT range AS a, range AS b FROM range(100)");
  SampleRowsIn in{.name = "t", .n = 50};
  in.limits.max_rows = 20;
  Sample(in);
  EXPECT_EQ(counters_.row_count, 20);
  ASSERT_EQ(counters_.notes.size(), 1U);
  EXPECT_THAT(counters_.notes[0], ::testing::HasSubstr("from 50 to 20"));
  in.limits = {.max_rows = 500, .max_cells = 14};
  Sample(in);
  EXPECT_EQ(counters_.row_count, 7);
  EXPECT_THAT(counters_.notes.back(), ::testing::HasSubstr("14 cells"));
}

TEST_F(SampleRowsTest, Refusals) {
  EXPECT_EQ(Sample({.name = "nope"}), "unknown_table");
  MountCsv("t", "a\n");
  EXPECT_EQ(Sample({.name = "t", .columns = {"b"}}), "unknown_column");
  EXPECT_EQ(Sample({.name = "t"}), "");
}

}  // namespace
}  // namespace ducat::analyst
