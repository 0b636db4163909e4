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

TEST_F(SampleRowsTest, ColumnsAndSmallTables) {
  MountCsv("t", "c0,i,\"x\"\"y\"\n1,2,a\n3,4,b\n");
  EXPECT_EQ(Sample({.name = "t", .n = 10}), R"([1,2,"a"],[3,4,"b"])");
  EXPECT_EQ(Sample({.name = "t", .n = 10, .columns = {"x\"y", "c0"}}), R"(["a",1],["b",3])");
  EXPECT_THAT(output_.meta, ::testing::HasSubstr(R"("name":"x\"y")"));
  EXPECT_EQ(output_.text, "| x\\\"y | c0 |\\n| --- | --- |\\n| a | 1 |\\n| b | 3 |\\n")
      << output_.text;
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
