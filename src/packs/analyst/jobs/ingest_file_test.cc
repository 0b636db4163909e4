#include "packs/analyst/jobs/ingest_file.h"

#include <string>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "packs/analyst/jobs/meta.h"
#include "support/result_matchers.h"
#include "worker/child/ingest/packed_text.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using testing::IsOk;

class IngestFileTest : public JobsFixture {
 protected:
  Result<IngestFileOut> Ingest(const std::string& file, FileFormat format) {
    return Run<IngestFileOut>("ingest_file", IngestFileIn{.path = file, .format = format});
  }
};

TEST_F(IngestFileTest, AHeaderThatNoAnswerCarriesIsTheFilesFault) {
  Put("wide.csv", std::string(kMetaBytesMax, 'x') + ",b\n1,2\n");
  EXPECT_THAT(Ingest("wide.csv", FileFormat::kCsv), FailsWith("line_too_long"));
  Put("wide.json", "[{\"" + std::string(kMetaBytesMax, 'x') + "\":1}]");
  EXPECT_THAT(Ingest("wide.json", FileFormat::kJson), FailsWith("too_large"));
}

TEST_F(IngestFileTest, AHeaderBelowTheLimitIsRead) {
  Put("wide.csv", std::string(900'000, 'x') + "\n1\n");
  const auto out = Ingest("wide.csv", FileFormat::kCsv);
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->columns.front().name.size(), 900'000U);
}

TEST_F(IngestFileTest, ANameThatIsNoUtf8ComesEscaped) {
  Put("caf\xE9.csv", "a\n1\n");
  Put("caf\\xE9.csv", "b\n1\n2\n");
  const auto out = Run<IngestFileOut>(
      "ingest_file",
      IngestFileIn{.path = "caf\\xE9.csv", .escaped = true, .format = FileFormat::kCsv});
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->columns.front().name, "a");
  EXPECT_EQ(Ingest("caf\\xE9.csv", FileFormat::kCsv)->columns.front().name, "b");
  const auto gone = Run<IngestFileOut>(
      "ingest_file",
      IngestFileIn{.path = "b\\xE9.csv", .escaped = true, .format = FileFormat::kCsv});
  EXPECT_THAT(gone, FailsWith("not_found"));
  EXPECT_EQ(gone.error().message, "\"b\\xE9.csv\" does not exist (any more)");
}

TEST_F(IngestFileTest, TheLimitsOfUnpackingAreTheCallers) {
  hello_.file_bytes_max = 100;
  Put("x.csv.gz", ingest::Gzip("a\n" + std::string(98, '1')));
  EXPECT_THAT(Ingest("x.csv.gz", FileFormat::kCsv), IsOk());
  Put("x.csv.gz", ingest::Gzip("a\n" + std::string(99, '1')));
  EXPECT_THAT(Ingest("x.csv.gz", FileFormat::kCsv), FailsWith("too_large"));
}

TEST_F(IngestFileTest, TellsHowAFileWasRead) {
  Put("de.csv", "n;p;p;\r\nJos\xE9;1,5;2;3\r\nx;2,25;3;4\r\nTotal\r\n");
  const auto csv = Ingest("de.csv", FileFormat::kCsv);
  ASSERT_THAT(csv, IsOk());
  EXPECT_EQ(csv->facts.encoding, "cp1252");
  ASSERT_TRUE(csv->facts.dialect.has_value());
  EXPECT_EQ(json::Encode(*csv->facts.dialect),
            R"({"delimiter":";","quote":"\"","escape":"\"","newline":"\r\n","header":true,)"
            R"("decimal_separator":","})");
  EXPECT_EQ(csv->facts.rejected, 1);
  ASSERT_EQ(csv->facts.original_names.size(), 2U);
  EXPECT_EQ(csv->facts.original_names[0].column, "p_1");
  EXPECT_EQ(csv->facts.original_names[0].written, "p");
  EXPECT_EQ(csv->facts.original_names[1].written, "");

  Put("x.json", "{\"a\":1}\n{\"a\":2 \"b\"}\n{\"a\":3}\n");
  const auto json = Ingest("x.json", FileFormat::kJson);
  ASSERT_THAT(json, IsOk());
  EXPECT_EQ(json->facts.encoding, "utf-8");
  EXPECT_FALSE(json->facts.dialect.has_value());
  EXPECT_EQ(json->facts.rejected, 1);
}

// A finding for every column of a wide file is more than one frame.
TEST_F(IngestFileTest, WarningsThatDoNotFitAreCounted) {
  constexpr int kColumns = 2'500;
  std::string header, codes;
  for (int i = 0; i < kColumns; ++i) {
    header += (i == 0 ? "" : ",") + std::string(90, 'c') + std::to_string(i);
    codes += i == 0 ? "007" : ",007";
  }
  Put("codes.csv", header + "\n" + codes + "\n" + codes + "\n");
  const auto out = Ingest("codes.csv", FileFormat::kCsv);
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->columns.size(), static_cast<size_t>(kColumns));
  ASSERT_FALSE(out->warnings.empty());
  const LoadWarning& last = out->warnings.back();
  EXPECT_EQ(last.code, "more_warnings");
  EXPECT_EQ(static_cast<int64_t>(out->warnings.size()) - 1 + last.count, kColumns);
}

}  // namespace
}  // namespace ducat::analyst
