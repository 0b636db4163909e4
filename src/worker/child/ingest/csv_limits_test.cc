// Lines, headers and packed forms of delimited files at their limits and beyond.
#include <string>

#include "worker/child/ingest/csv_record.h"
#include "worker/child/ingest/ingest_fixture.h"

namespace ducat::ingest {
namespace {

using CsvLimitsTest = IngestFixture;

TEST_F(CsvLimitsTest, LinesBeyondTheLimitAreRejected) {
  const std::string most(static_cast<size_t>(kLineBytesMax), 'y');
  EXPECT_EQ(LoadCsv("x\n1\n" + most + "\n2\n"), "x VARCHAR");
  EXPECT_EQ(Findings(), "");
  EXPECT_EQ(LoadCsv("x\n1\n" + most + "y\n2"), "x BIGINT");
  EXPECT_EQ(Values(), "1;2");
  EXPECT_EQ(Findings(), "line_too_long=1");
  EXPECT_EQ(table_->findings[0].message.substr(0, 75),
            "Rejected, longer than the 16,777,216 bytes of a line: line 3: \"yyyyyyyyyyyy");
  EXPECT_EQ(LoadCsv("x\n1\n" + most + most + most + "\n2\n"), "x BIGINT");
  EXPECT_EQ(Values(), "1;2") << "longer than what is held at once";
}

TEST_F(CsvLimitsTest, LongLinesInTheHeadersPlaceAreTheFilesFault) {
  const std::string line(static_cast<size_t>(kLineBytesMax) + 1, 'y');
  for (const std::string& text : {"x\n" + line + "\n", line + "\nx\n1\n", "x\n" + line, line}) {
    EXPECT_EQ(LoadCsv(text), "line_too_long");
  }
  EXPECT_EQ(table_.error().message, "Line 1 is longer than 16,777,216 bytes, the limit of a line");
}

TEST_F(CsvLimitsTest, WideHeaders) {
  std::string header, row;
  for (int i = 0; i < 600; ++i) {
    header += (i == 0 ? "" : ",") + std::string(600, 'c') + std::to_string(i);
    row += i == 0 ? "1" : ",1";
  }
  ASSERT_GT(header.size(), size_t{300} << 10);
  LoadCsv(header + "\n" + row + "\n");
  ASSERT_TRUE(table_.has_value());
  EXPECT_EQ(table_->columns.size(), 600U);
  EXPECT_EQ(table_->row_count, 1);
  EXPECT_EQ(LoadCsv(std::string(kColumnsMax, ',') + "x\n" + std::string(kColumnsMax, ',') + "1\n"),
            "too_many_columns");
}

TEST_F(CsvLimitsTest, PackedFilesOfAnyEncoding) {
  for (const Packing packing : {Packing::kGzip, Packing::kZstd}) {
    Put("x.csv.gz", Packed("n,c\nJos\xE9,\x93q\x94 \x80\n", packing));
    EXPECT_EQ(Load("x.csv.gz"), "n VARCHAR, c VARCHAR");
    EXPECT_EQ(Values(), "José|“q” €");
    Put("x.csv.gz", Packed(std::string("\xFF\xFE"
                                       "a\0\n\0"
                                       "1\0",
                                       8),
                           packing));
    EXPECT_EQ(Load("x.csv.gz"), "a BIGINT");
    Put("x.csv.gz", Packed("", packing));
    EXPECT_EQ(Load("x.csv.gz"), "empty");
  }
}

TEST_F(CsvLimitsTest, NamesThatPromiseACompression) {
  Put("x.csv.gz", "a\n1\n");
  EXPECT_EQ(Load("x.csv.gz"), "a BIGINT");
  EXPECT_EQ(Findings(), "compression_name=1");
  Put("x.csv.GZ", Packed("a\n1\n", Packing::kZstd));
  EXPECT_EQ(Load("x.csv.GZ"), "a BIGINT");
  EXPECT_EQ(table_->findings[0].message, "The name says gzip, the bytes are zstd: read so");
  Put("x.csv", Packed("a\n1\n", Packing::kGzip));
  EXPECT_EQ(Load("x.csv"), "a BIGINT");
  EXPECT_EQ(Findings(), "");
}

}  // namespace
}  // namespace ducat::ingest
