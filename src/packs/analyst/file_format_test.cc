#include "packs/analyst/file_format.h"

#include <gtest/gtest.h>

namespace ducat::analyst {
namespace {

TEST(ParseFileName, KnowsFormatsInAnyCase) {
  EXPECT_EQ(ParseFileName("a.csv")->format, FileFormat::kCsv);
  EXPECT_EQ(ParseFileName("A.CSV.GZ")->format, FileFormat::kCsv);
  EXPECT_EQ(ParseFileName("A.CSV.GZ")->extension_bytes, 7U);
  EXPECT_EQ(ParseFileName("a.b.tsv")->format, FileFormat::kTsv);
  EXPECT_EQ(ParseFileName("a.json.zst")->format, FileFormat::kJson);
  EXPECT_EQ(ParseFileName("a.jsonl")->format, FileFormat::kJsonl);
  EXPECT_EQ(ParseFileName("a.ndjson")->format, FileFormat::kNdjson);
  EXPECT_EQ(ParseFileName("a.parquet")->format, FileFormat::kParquet);
}

TEST(ParseFileName, KnowsNothingElse) {
  for (const char* name :
       {"", "csv", "a.gz", "a.parquet.gz", "a.csv.bz2", "a.csv.gz.gz", "a.xls"}) {
    EXPECT_FALSE(ParseFileName(name).has_value()) << name;
  }
}

}  // namespace
}  // namespace ducat::analyst
