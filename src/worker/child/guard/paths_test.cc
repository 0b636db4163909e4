#include "worker/child/guard/paths.h"

#include <gmock/gmock.h>

#include "worker/child/engine/engine_fixture.h"

namespace ducat::guard {
namespace {

using ::testing::ElementsAre;

TEST(Glob, FollowsTheRulesOfTheEngine) {
  EXPECT_TRUE(MatchesGlob("*.csv", "a.csv"));
  EXPECT_FALSE(MatchesGlob("*.csv", "b/a.csv"));
  EXPECT_TRUE(MatchesGlob("**/*.csv", "a.csv"));
  EXPECT_TRUE(MatchesGlob("**/*.csv", "b/c/a.csv"));
  EXPECT_TRUE(MatchesGlob("a?c", "aöc"));
  EXPECT_TRUE(MatchesGlob("[a-c]x", "bx"));
  EXPECT_FALSE(MatchesGlob("[!a-c]x", "bx"));
  EXPECT_TRUE(MatchesGlob("[[]1]", "[1]"));
  EXPECT_FALSE(MatchesGlob("[ab", "a"));
  EXPECT_TRUE(MatchesGlob("a*b*c", "aXbYbZc"));
}

TEST(PathText, EscapesGlobCharacters) {
  EXPECT_EQ(LiteralPath("s/a[1]*?.csv"), "s/a[[]1][*][?].csv");
  EXPECT_EQ(LiteralPath("plain.csv"), "plain.csv");
  EXPECT_EQ(LiteralPath("~x/a.csv"), "./~x/a.csv");
  EXPECT_EQ(LiteralPath("file:/etc/passwd"), "./file:/etc/passwd");
  EXPECT_EQ(LiteralPath("s3:x.csv"), "./s3:x.csv");
  EXPECT_EQ(LiteralPath("a/b:c.csv"), "a/b:c.csv");
}

TEST(PathText, ReaderByEnding) {
  EXPECT_EQ(ReaderOf("A.CSV"), "read_csv_auto");
  EXPECT_EQ(ReaderOf("a.tsv.gz"), "read_csv_auto");
  EXPECT_EQ(ReaderOf("a.ndjson.zst"), "read_json_auto");
  EXPECT_EQ(ReaderOf("a.parquet"), "parquet_scan");
  EXPECT_EQ(ReaderOf("a.parquet.gz"), "");
  EXPECT_EQ(ReaderOf("a.xlsx"), "");
}

class PathRules : public engine::EngineFixture {
 protected:
  void SetUp() override {
    EngineFixture::SetUp();
    worker::CatalogDelta delta{.version = 1,
                               .files = {"a.csv", "odd[1].csv", "s/b.csv"},
                               .outside_files = {"link.csv", "s/link.csv"}};
    for (size_t i = 0; i <= kFilesPerLiteralMax; ++i) {
      delta.files.push_back("many/" + std::to_string(i));
    }
    ASSERT_TRUE(catalog_.Apply(delta, connection()).has_value());
  }
  PathVerdict Judge(std::string_view path) { return JudgePath(path, "/data/dir", catalog_); }

  worker::child::MountedCatalog catalog_;
};

TEST_F(PathRules, JudgesByText) {
  EXPECT_EQ(Judge("s3://x/a.csv").code, "path_remote");
  EXPECT_EQ(Judge("file:a.csv").code, "path_remote");
  EXPECT_EQ(Judge("~/a.csv").code, "path_outside_data_dir");
  EXPECT_EQ(Judge("../dir2/a.csv").code, "path_outside_data_dir");
  EXPECT_EQ(Judge("/data/dirx/a.csv").code, "path_outside_data_dir");
  EXPECT_EQ(Judge("/data/dir/../../data/dir/.x").code, "path_hidden");
  EXPECT_EQ(Judge("s/.h/../b.csv").code, "");  // normalised before it is judged
  EXPECT_EQ(Judge("a\x01.csv").code, "path_invalid");
  EXPECT_EQ(Judge("nothing.csv").code, "path_not_found");
  EXPECT_EQ(Judge("link.csv").code, "path_outside_data_dir");
}

TEST_F(PathRules, AnExistingNameWinsOverAGlob) {
  EXPECT_THAT(Judge("odd[1].csv").files, ElementsAre("odd[1].csv"));
  EXPECT_THAT(Judge("/data/dir/s//b.csv").files, ElementsAre("s/b.csv"));
}

TEST_F(PathRules, GlobsLeaveOutWhatLeadsOutAndSayHowMany) {
  const PathVerdict verdict = Judge("**/*.csv");
  EXPECT_THAT(verdict.files, ElementsAre("a.csv", "odd[1].csv", "s/b.csv"));
  EXPECT_EQ(verdict.left_out, 2U);
}

TEST_F(PathRules, BoundTheNumberOfFiles) {
  EXPECT_EQ(Judge("many/*").code, "too_many_files");
  EXPECT_EQ(Judge("many/?*").code, "too_many_files");
  EXPECT_EQ(Judge("many/[1-9]*").files.size(), kFilesPerLiteralMax);
}

TEST_F(PathRules, MessagesNameThePathAsWritten) {
  const PathVerdict verdict = Judge("../x.csv");
  EXPECT_NE(verdict.message.find("'../x.csv'"), std::string::npos);
  EXPECT_EQ(verdict.message.find("/data/dir"), std::string::npos);
}

}  // namespace
}  // namespace ducat::guard
