// The table of analyst.md 2.2 and the rules behind it.
#include "packs/analyst/table_names.h"

#include <string>

#include <gtest/gtest.h>

#include "base/digest.h"

namespace ducat::analyst {
namespace {

struct NameCase {
  const char* path;
  const char* sheet;
  const char* name;
};

class TableNameTable : public testing::TestWithParam<NameCase> {};

TEST_P(TableNameTable, GivesTheNameOfTheSpecification) {
  EXPECT_EQ(TableName(GetParam().path, GetParam().sheet), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Specification, TableNameTable,
    testing::Values(NameCase{"articles/2025.csv", "", "articles_2025"},
                    NameCase{"2024/jan.csv.gz", "", "t_2024_jan"},
                    NameCase{"order.csv", "", "order_"},
                    NameCase{"Q1 Report (final).CSV", "", "q1_report_final"},
                    NameCase{"o'brien.csv", "", "o_brien"},
                    NameCase{"\xc3\xbc"
                             "bersicht.parquet",
                             "", "ubersicht"},
                    NameCase{"u\xcc\x88"
                             "bersicht.parquet",
                             "", "ubersicht"},
                    NameCase{"web_events.jsonl", "", "web_events"},
                    NameCase{"a.b.ndjson", "", "a_b"}, NameCase{"data[1].csv", "", "data_1"},
                    NameCase{"star*.csv", "", "star"}, NameCase{"__x__.tsv", "", "x"},
                    NameCase{"\xef\xac\x81gures.csv", "", "figures"},    // the ligature fi
                    NameCase{"\xef\xbc\xa1\xef\xbc\x91.csv", "", "a1"},  // full-width A1
                    NameCase{"WITH.json", "", "with_"}, NameCase{"window.csv", "", "window_"},
                    NameCase{"2024.csv", "", "t_2024"}, NameCase{"x.csv.zst", "", "x"},
                    NameCase{"bad\xff\xfe name.csv", "", "bad_name"}));

TEST(TableName, HashesWhatHasNoLatinLetters) {
  const std::string path = "\xe6\x95\xb0\xe6\x8d\xae.csv";
  EXPECT_EQ(TableName(path), "table_" + Hex(Sha256(path)).substr(0, 8));
}

TEST(TableName, AppendsTheSheet) {
  EXPECT_EQ(TableName("book.csv", "A"), "book_a");
  EXPECT_EQ(TableName("book.csv", "B b"), "book_b_b");
}

TEST(TableName, KeepsSixtyThreeCharactersAndShortensSixtyFour) {
  const std::string at_limit(63, 'x');
  EXPECT_EQ(TableName(at_limit + ".csv"), at_limit);
  const std::string path = std::string(64, 'x') + ".csv";
  const std::string name = TableName(path);
  EXPECT_EQ(name, std::string(54, 'x') + "_" + Hex(Sha256(path)).substr(0, 8));
  EXPECT_EQ(name.size(), kTableNameMax);
}

TEST(TableName, KnowsEveryReservedWordByLetterCaseOfTheName) {
  for (const char* word : {"all", "asof", "pivot_longer", "positional", "summarize", "with"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
  for (const char* word : {"orders", "windows", "a", "call", "date", ""}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace ducat::analyst
