// The cases of analyst.md 11 that the engine's layouts and our types answer.
#include <string>
#include <sys/stat.h>

#include <gmock/gmock.h>

#include "worker/child/ingest/ingest_fixture.h"

namespace ducat::ingest {
namespace {

using CsvFileTest = IngestFixture;

std::string Repeated(std::string_view header, std::string_view line, std::string_view last,
                     int times = 30'000) {
  std::string text(header);
  text += "\n";
  for (int i = 0; i < times; ++i)
    text.append(line).append("\n");
  return text.append(last).append("\n");
}

TEST_F(CsvFileTest, PlainFile) {
  EXPECT_EQ(LoadCsv("id,name\n1,a\n2,b\n"), "id BIGINT, name VARCHAR");
  EXPECT_EQ(Values(), "1|a;2|b");
  EXPECT_EQ(Findings(), "");
}

TEST_F(CsvFileTest, LateDecimalIsKept) {
  EXPECT_EQ(LoadCsv(Repeated("x", "1", "12.75")), "x DOUBLE");
  EXPECT_EQ(OneText("SELECT max(x) FROM t"), "12.75");
  EXPECT_EQ(OneText("SELECT count(*) FROM t"), "30001");
}

TEST_F(CsvFileTest, LateCodeKeepsText) {
  EXPECT_EQ(LoadCsv(Repeated("x", "1", "007")), "x VARCHAR");
  EXPECT_EQ(OneText("SELECT max_by(x, length(x)) FROM t"), "007");
  EXPECT_EQ(Findings(), "code_like(x)=1");
  EXPECT_EQ(LoadCsv(Repeated("x", "1", "1_000")), "x VARCHAR");
}

TEST_F(CsvFileTest, LateTimestampKeepsTime) {
  EXPECT_EQ(LoadCsv(Repeated("x", "2024-01-01", "2024-01-02 13:45:00")), "x TIMESTAMP");
  EXPECT_EQ(OneText("SELECT max(x)::VARCHAR FROM t"), "2024-01-02 13:45:00");
}

TEST_F(CsvFileTest, NullWords) {
  EXPECT_EQ(LoadCsv(Repeated("x", "1", "N/A")), "x VARCHAR");
  EXPECT_EQ(Findings(), "null_words(x)=1");
  EXPECT_EQ(LoadCsv("x\n1\nN/A\n"), "x VARCHAR");
  EXPECT_EQ(Findings(), "") << "half of the values are no exception";
}

TEST_F(CsvFileTest, HugeIntegers) {
  EXPECT_EQ(LoadCsv(Repeated("x", "1", "99999999999999999999")), "x HUGEINT");
  EXPECT_EQ(OneText("SELECT max(x)::VARCHAR FROM t"), "99999999999999999999");
  EXPECT_EQ(LoadCsv("x\n99999999999999999999\n99999999999999999998\n"), "x HUGEINT");
  EXPECT_EQ(LoadCsv("x\n" + std::string(39, '9') + "\n1\n"), "x VARCHAR");
  EXPECT_EQ(Findings(), "digits_lost(x)=1");
}

TEST_F(CsvFileTest, PostcodesKeepZeros) {
  EXPECT_EQ(LoadCsv("zip,n\n01234,1\n99999,2\n"), "zip VARCHAR, n BIGINT");
  EXPECT_EQ(Values(), "01234|1;99999|2");
}

TEST_F(CsvFileTest, DateOrders) {
  EXPECT_EQ(LoadCsv("d\n01/02/2024\n03/04/2024\n"), "d VARCHAR");
  EXPECT_EQ(Findings(), "ambiguous_date(d)=2");
  EXPECT_EQ(LoadCsv("d\n01/02/2024\n12/31/2024\n"), "d DATE");
  EXPECT_EQ(Values(), "2024-01-02;2024-12-31");
  EXPECT_EQ(LoadCsv("d\n01/02/2024\n31/12/2024\n"), "d DATE");
  EXPECT_EQ(Values(), "2024-02-01;2024-12-31");
  EXPECT_EQ(LoadCsv("d\n31/12/2024\n12/31/2024\n"), "d VARCHAR");
  EXPECT_EQ(Findings(), "mixed_dates(d)=2");
}

TEST_F(CsvFileTest, DecimalCommas) {
  EXPECT_EQ(LoadCsv("n;p\nx;1,5\ny;2,25\n"), "n VARCHAR, p DOUBLE");
  EXPECT_EQ(Values(), "x|1.5;y|2.25");
  EXPECT_EQ(LoadCsv("n;p\nx;1.234,56\ny;2.000,00\n"), "n VARCHAR, p VARCHAR");
  EXPECT_EQ(Findings(), "number_format(p)=2");
  EXPECT_EQ(LoadCsv("a,b\n10%,$1.50\n"), "a VARCHAR, b VARCHAR");
  EXPECT_EQ(Findings(), "number_format(a)=1 number_format(b)=1");
}

TEST_F(CsvFileTest, Encodings) {
  EXPECT_EQ(LoadCsv("n,c\nJos\xE9,M\xFCnchen\n"), "n VARCHAR, c VARCHAR");
  EXPECT_EQ(Values(), "José|München");
  EXPECT_EQ(LoadCsv("n,c\nA\x93q\x94,\x80 5\n"), "n VARCHAR, c VARCHAR");
  EXPECT_EQ(Values(), "A“q”|€ 5");
  const std::string little{
      "\xFF\xFE"
      "a\0,\0b\0\n\0"
      "1\0,\0\xE9\0\n\0",
      18};
  EXPECT_EQ(LoadCsv(little), "a BIGINT, b VARCHAR");
  EXPECT_EQ(Values(), "1|é");
  const std::string big{
      "\xFE\xFF\0a\0,\0b\0\n\0"
      "1\0,\0\xE9\0\n",
      18};
  EXPECT_EQ(LoadCsv(big), "a BIGINT, b VARCHAR");
  EXPECT_EQ(LoadCsv("\xEF\xBB\xBF"
                    "a,b\n1,2\n"),
            "a BIGINT, b BIGINT");
  std::string mixed = "w\n";
  for (int i = 0; i < 40; ++i)
    mixed += "Übung\n";
  EXPECT_EQ(LoadCsv(mixed + "it\x92s\n"), "w VARCHAR");
  EXPECT_EQ(OneText("SELECT max_by(w, w = 'it’s') FROM t"), "it’s");
  EXPECT_EQ(Findings(), "encoding_guess=1");
  EXPECT_NE(table_->findings[0].message.find("first in line 42"), std::string::npos)
      << table_->findings[0].message;
}

TEST_F(CsvFileTest, LeadLines) {
  EXPECT_EQ(LoadCsv("Sales report 2024\n\nid,name,amount\n1,a,5\n"),
            "id BIGINT, name VARCHAR, amount BIGINT");
  EXPECT_EQ(Values(), "1|a|5");
  EXPECT_EQ(LoadCsv("# made by x\n# v2\nid,name\n1,a\n"), "id BIGINT, name VARCHAR");
  EXPECT_EQ(Values(), "1|a");
}

TEST_F(CsvFileTest, LineEnds) {
  EXPECT_EQ(LoadCsv("a,b\r\n1,2\n3,4\r\n"), "a BIGINT, b BIGINT");
  EXPECT_EQ(Values(), "1|2;3|4");
  EXPECT_EQ(LoadCsv("a,b\r1,2\r3,4\r"), "a BIGINT, b BIGINT");
  EXPECT_EQ(Values(), "1|2;3|4");
}

TEST_F(CsvFileTest, Quotes) {
  EXPECT_EQ(LoadCsv("a,b\n1,\"x\ny\"\n2,\"say \"\"hi\"\"\"\n"), "a BIGINT, b VARCHAR");
  EXPECT_EQ(Values(), "1|x\ny;2|say \"hi\"");
  EXPECT_EQ(LoadCsv("a,b\n1,\"say \\\"hi\\\"\"\n"), "a BIGINT, b VARCHAR");
  EXPECT_EQ(Values(), "1|say \"hi\"");
  EXPECT_EQ(LoadCsv("a,b\n1,\"\"\n2,\n3,x\n"), "a BIGINT, b VARCHAR");
  EXPECT_EQ(Values(), "1|;2|NULL;3|x");
}

TEST_F(CsvFileTest, LateQuotesAreQuotes) {
  std::string text = "a,b\n";
  for (int i = 0; i < 30'000; ++i)
    text += "1,x\n";
  EXPECT_EQ(LoadCsv(text + "2,\"p,q\"\n"), "a BIGINT, b VARCHAR");
  EXPECT_EQ(OneText("SELECT b FROM t WHERE a = 2"), "p,q");
}

TEST_F(CsvFileTest, HeaderNames) {
  EXPECT_EQ(LoadCsv("a,a,,A\n1,2,3,4\n"), "a BIGINT, a_1 BIGINT, column2 BIGINT, A_2 BIGINT");
  EXPECT_EQ(LoadCsv("1,2,x\n3,4,y\n"), "column0 BIGINT, column1 BIGINT, column2 VARCHAR");
  EXPECT_EQ(Values(), "1|2|x;3|4|y");
  EXPECT_EQ(Findings(), "header_missing=1");
  EXPECT_EQ(LoadCsv("name,city\nann,bonn\nbob,kiel\n"), "name VARCHAR, city VARCHAR");
  EXPECT_EQ(LoadCsv("country,2019,2020\nDE,1,2\nFR,3,4\n"),
            "country VARCHAR, 2019 BIGINT, 2020 BIGINT");
  EXPECT_EQ(Findings(), "header_years=1");
}

TEST_F(CsvFileTest, HeaderByForm) {
  EXPECT_EQ(LoadCsv(",,\n1,x,2\n3,y,4\n"), "column0 BIGINT, column1 VARCHAR, column2 BIGINT");
  EXPECT_EQ(Values(), "1|x|2;3|y|4");
  EXPECT_EQ(LoadCsv("1/1/2020\n1/1/2020\n5/7/1995\n"), "column0 VARCHAR");
  EXPECT_EQ(OneText("SELECT count(*) FROM t"), "3") << "dates are data, clear or not";
  EXPECT_EQ(LoadCsv("01234,a\n05678,b\n"), "column0 VARCHAR, column1 VARCHAR");
}

TEST_F(CsvFileTest, Words) {
  EXPECT_EQ(LoadCsv("t\ntrue\nFALSE\n"), "t BOOLEAN");
  EXPECT_EQ(Values(), "true;false");
  EXPECT_EQ(LoadCsv("t\nyes\nno\n"), "t VARCHAR");
  EXPECT_EQ(LoadCsv("x\n-0\n+1\n"), "x VARCHAR");
  EXPECT_EQ(Findings(), "code_like(x)=2");
  EXPECT_EQ(LoadCsv("x\n1.5\nNaN\ninf\n"), "x DOUBLE");
  EXPECT_EQ(Values(), "1.5;nan;inf");
}

TEST_F(CsvFileTest, Digits) {
  EXPECT_EQ(LoadCsv("x\n0.1\n1e400\n"), "x VARCHAR");
  EXPECT_EQ(Findings(), "digits_lost(x)=1");
  EXPECT_EQ(LoadCsv("x\n1.23456789012345678901\n"), "x DECIMAL(21,20)");
  EXPECT_EQ(Values(), "1.23456789012345678901");
  EXPECT_EQ(LoadCsv("x\n9007199254740993\n0.5\n"), "x DECIMAL(17,1)");
  EXPECT_EQ(Values(), "9007199254740993.0;0.5");
}

TEST_F(CsvFileTest, TrailingDelimiterAndBlanks) {
  EXPECT_EQ(LoadCsv("a, b\n1, 2\n"), "a BIGINT, b BIGINT");
  EXPECT_EQ(Values(), "1|2");
}

TEST_F(CsvFileTest, Zones) {
  EXPECT_EQ(LoadCsv("t\n2024-01-01T00:00:00Z\n2024-06-01T00:00:00+02:00\n"),
            "t TIMESTAMP WITH TIME ZONE");
  EXPECT_EQ(Values(), "2024-01-01 00:00:00+00;2024-05-31 22:00:00+00");
}

TEST_F(CsvFileTest, EmptyFiles) {
  EXPECT_EQ(LoadCsv("a,b\n"), "a VARCHAR, b VARCHAR");
  EXPECT_EQ(Values(), "");
  EXPECT_EQ(LoadCsv(""), "empty");
  EXPECT_EQ(LoadCsv(" \n\n"), "no_records");
}

TEST_F(CsvFileTest, OriginalNames) {
  EXPECT_EQ(LoadCsv("a,a,,b\n1,2,3,4\n"), "a BIGINT, a_1 BIGINT, column2 BIGINT, b BIGINT");
  EXPECT_EQ(Findings(), "original_name(a_1)=1 original_name(column2)=1");
  EXPECT_EQ(table_->findings[0].message, "The header calls the column \"a\"");
  LoadCsv("a, b \n1,2\n");
  EXPECT_EQ(Findings(), "") << "outer blanks are no part of a name";
}

TEST_F(CsvFileTest, NumbersThatAreDates) {
  EXPECT_EQ(LoadCsv("d\n20240101\n20241231\n"), "d BIGINT");
  EXPECT_EQ(Findings(), "date_like(d)=2");
  EXPECT_EQ(OneText("SELECT max(" + table_->findings[0].suggestion + ")::VARCHAR FROM t"),
            "2024-12-31");
  for (const char* other : {"20241331", "20230229", "2024010", "202401011", "-20240101"}) {
    EXPECT_EQ(LoadCsv(std::string("d\n20240101\n") + other + "\n"), "d BIGINT");
    EXPECT_EQ(Findings(), "") << other;
  }
}

TEST_F(CsvFileTest, NotText) {
  std::string noise;
  for (int i = 0; i < 4000; ++i)
    noise.push_back(static_cast<char>((i * 131 + i / 7) % 256));
  EXPECT_EQ(LoadCsv(noise), "binary");
}

TEST_F(CsvFileTest, CompressedFiles) {
  for (const char* method : {"gzip", "zstd"}) {
    const std::string path = (data_dir() / "packed.csv").string();
    auto packed = connection().Run(
        "COPY (SELECT range AS id, 'say \"hi\",' || range AS t FROM range(3)) TO " +
        engine::QuoteText(path) + " (FORMAT csv, COMPRESSION " + method + ")");
    ASSERT_TRUE(packed.has_value()) << packed.error().message;
    EXPECT_EQ(Load("packed.csv"), "id BIGINT, t VARCHAR") << "by content, not by name";
    EXPECT_EQ(Values(), "0|say \"hi\",0;1|say \"hi\",1;2|say \"hi\",2") << method;
  }
  Put("cut.csv.gz", "\x1F\x8B\x08 and no more");
  EXPECT_EQ(Load("cut.csv.gz"), "corrupt");
}

TEST_F(CsvFileTest, NamesAreTakenLiterally) {
  const std::vector<std::string> odd{"star*.csv",   "q?.csv",       "data[1].csv",
                                     "o'brien.csv", "[!a]x/y*.csv", "back\\slash.csv",
                                     "a\\[1].csv",  "caf\xE9.csv",  "\xFF/caf\xE8.csv"};
  for (const std::string& name : odd)
    Put(name, "x\nodd\n");
  for (const char* name : {"star1.csv", "qa.csv", "data1.csv", "bx/yz.csv"})
    Put(name, "x\nplain\n");
  for (const std::string& name : odd) {
    EXPECT_EQ(Load(name), "x VARCHAR") << name;
    EXPECT_EQ(Values(), "odd") << name;
  }
}

TEST_F(CsvFileTest, SpecialFilesAreNotWaitedFor) {
  ASSERT_EQ(mkfifo((data_dir() / "pipe.csv").c_str(), 0600), 0);
  std::filesystem::create_directory(data_dir() / "folder.csv");
  for (const char* name : {"pipe.csv", "folder.csv"}) {
    for (const SourceFormat format :
         {SourceFormat::kCsv, SourceFormat::kJson, SourceFormat::kParquet}) {
      EXPECT_EQ(Load(name, format), "not_tabular");
    }
    EXPECT_THAT(table_.error().message, ::testing::HasSubstr(name));
  }
}

TEST_F(CsvFileTest, PathsStayInside) {
  std::ofstream(root() / "outside.csv") << "x\n1\n";
  std::filesystem::create_symlink(root() / "outside.csv", data_dir() / "link.csv");
  Put("real.csv", "x\n1\n");
  std::filesystem::create_symlink("real.csv", data_dir() / "inner.csv");
  EXPECT_EQ(Load("link.csv"), "outside_link");
  EXPECT_EQ(Load("../outside.csv"), "outside_link");
  EXPECT_EQ(Load("/etc/passwd"), "outside_link");
  EXPECT_EQ(Load("inner.csv"), "x BIGINT");
  EXPECT_EQ(Load("gone.csv"), "not_found");
}

}  // namespace
}  // namespace ducat::ingest
