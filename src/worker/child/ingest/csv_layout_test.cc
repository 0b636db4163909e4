// Layouts of delimited files, as people and programs write them: each small file has one right
// reading, and what is left out is counted (analyst.md 3.1, 3.3).
#include <string>
#include <vector>

#include "worker/child/ingest/ingest_fixture.h"

namespace ducat::ingest {
namespace {

struct Case {
  std::string name, text, columns, values, findings;
};

class CsvLayoutTest : public IngestFixture {
 protected:
  void CheckAll(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
      SCOPED_TRACE(one.name);
      EXPECT_EQ(LoadCsv(one.text), one.columns);
      if (table_.has_value()) {
        EXPECT_EQ(Values(), one.values);
        EXPECT_EQ(Findings(), one.findings);
      }
    }
  }
};

TEST_F(CsvLayoutTest, Delimiters) {
  CheckAll({
      {"comma", "a,b\n1,x\n", "a BIGINT, b VARCHAR", "1|x", ""},
      {"semicolon", "a;b\n1;x\n", "a BIGINT, b VARCHAR", "1|x", ""},
      {"tab", "a\tb\n1\tx\n", "a BIGINT, b VARCHAR", "1|x", ""},
      {"pipe", "a|b\n1|x\n", "a BIGINT, b VARCHAR", "1|x", ""},
      {"semicolon with decimal commas in every column", "a;b\n1,5;2,5\n3,5;4,5\n",
       "a DOUBLE, b DOUBLE", "1.5|2.5;3.5|4.5", ""},
      {"tab with commas in texts", "t\tu\na, b, c\t1\nd\t2\n", "t VARCHAR, u BIGINT",
       "a, b, c|1;d|2", ""},
      {"comma with semicolons in texts", "t,u\na;b,1\nc;d,2\n", "t VARCHAR, u BIGINT",
       "a;b|1;c;d|2", ""},
      {"pipe with times", "t|n\n2024-01-01 10:00|1\n2024-01-02 11:30|2\n", "t TIMESTAMP, n BIGINT",
       "2024-01-01 10:00:00|1;2024-01-02 11:30:00|2", ""},
      {"last line holds another delimiter", "a,b\n1,x\n2,y\nsum;3\n", "a VARCHAR, b VARCHAR",
       "1|x;2|y;sum;3|NULL", "short_rows=1"},
      {"last line holds many of another", "a,b,c\n1,x,y\n2,y,z\nTotal;;;;;;3\n",
       "a BIGINT, b VARCHAR, c VARCHAR", "1|x|y;2|y|z", "footer=1"},
      {"delimiter inside quotes", "a,b\n\"1;2;3\",\"x,y\"\n\"4;5\",\"z\"\n", "a VARCHAR, b VARCHAR",
       "1;2;3|x,y;4;5|z", ""},
  });
}

TEST_F(CsvLayoutTest, LinesThatAreNoRecords) {
  CheckAll({
      {"title and blank", "Sales report 2024\n\nid,name,amount\n1,a,5\n",
       "id BIGINT, name VARCHAR, amount BIGINT", "1|a|5", "title_lines=1 blank_lines=1"},
      {"several titles", "Report\nby me\n2024;x\nid;name;n\n1;a;5\n2;b;6\n",
       "id BIGINT, name VARCHAR, n BIGINT", "1|a|5;2|b|6", "title_lines=3"},
      {"remarks", "# made by x\n# v2, final\nid,name,n\n1,a,2\n",
       "id BIGINT, name VARCHAR, n BIGINT", "1|a|2", "comment_lines=2"},
      {"footer", "id,name,amount\n1,a,5\n2,b,6\n-- end of report --\n",
       "id BIGINT, name VARCHAR, amount BIGINT", "1|a|5;2|b|6", "footer=1"},
      {"title and footer", "Report\nid;name;n\n1;a;5\n2;b;6\nEnde\nder Liste\n",
       "id BIGINT, name VARCHAR, n BIGINT", "1|a|5;2|b|6", "title_lines=1 footer=2"},
      {"blank lines inside", "a,b\n1,x\n\n\n2,y\n\n", "a BIGINT, b VARCHAR", "1|x;2|y",
       "blank_lines=2"},
      {"blank lines of spaces", "a,b\n1,x\n   \n2,y\n", "a BIGINT, b VARCHAR", "1|x;2|y",
       "blank_lines=1"},
      {"total line of full width", "a,b\n1,x\nTotal,1\n", "a VARCHAR, b VARCHAR", "1|x;Total|1",
       ""},
  });
}

TEST_F(CsvLayoutTest, RaggedRecords) {
  CheckAll({
      {"short and long", "a,b,c\n1,2,3\n4,5\n6,7,8,9\n", "a BIGINT, b BIGINT, c BIGINT",
       "1|2|3;4|5|NULL", "short_rows=1 long_row=1"},
      {"short", "a,b,c\n1,2,3\n4,5\n6,7,8\n", "a BIGINT, b BIGINT, c BIGINT",
       "1|2|3;4|5|NULL;6|7|8", "short_rows=1"},
      {"trailing delimiter everywhere", "a,b,\n1,2,\n3,4,\n", "a BIGINT, b BIGINT", "1|2;3|4",
       "trailing_delimiter=3"},
      {"trailing delimiter in rows", "a,b\n1,2,\n3,4,\n", "a BIGINT, b BIGINT", "1|2;3|4",
       "trailing_delimiter=2"},
      {"trailing delimiter in one row", "a,b\n1,2\n3,4,\n5,6\n", "a BIGINT, b BIGINT",
       "1|2;3|4;5|6", "trailing_delimiter=1"},
      {"empty last values", "a,b,c\n1,2,\n3,4,\n5,6,x\n", "a BIGINT, b BIGINT, c VARCHAR",
       "1|2|NULL;3|4|NULL;5|6|x", ""},
      {"header and a short row", "a,b\n1\n", "a BIGINT, b VARCHAR", "1|NULL", "short_rows=1"},
  });
}

TEST_F(CsvLayoutTest, Quotes) {
  CheckAll({
      {"line ends inside", "a,b\n1,\"x\ny\"\n2,\"z\r\nw\"\n", "a BIGINT, b VARCHAR",
       "1|x\ny;2|z\r\nw", ""},
      {"doubled", "a,b\n1,\"say \"\"hi\"\"\"\n", "a BIGINT, b VARCHAR", "1|say \"hi\"", ""},
      {"backslash", "a,b\n1,\"say \\\"hi\\\", he\"\n2,\"c\"\n", "a BIGINT, b VARCHAR",
       "1|say \"hi\", he;2|c", ""},
      {"backslash at the end of a path", "a,b\n\"C:\\dir\\\",1\n\"D:\\\",2\n",
       "a VARCHAR, b BIGINT", "C:\\dir\\|1;D:\\|2", ""},
      {"single", "'a','b'\n'1','x,y'\n'2','z'\n", "a BIGINT, b VARCHAR", "1|x,y;2|z", ""},
      {"backslash and single", "1|a|'t\\'2\\'t'\n'2'|b|t\n",
       "column0 BIGINT, column1 VARCHAR, column2 VARCHAR", "1|a|t'2't;2|b|t", "header_missing=1"},
      {"not quoted at all", "n\tt\n0\t\"\n0\t\"!\"\n0\t\"a\"_b\n0\t\"\"c\n0\tx\"\n",
       "n BIGINT, t VARCHAR", "0|\";0|\"!\";0|\"a\"_b;0|\"\"c;0|x\"", ""},
      {"apostrophes are no quotes", "a,b\n'tis,1\nit's,2\n", "a VARCHAR, b BIGINT", "'tis|1;it's|2",
       ""},
      {"not escaped inside", "a,b\n\"say \"hi\" there\",1\n\"x\",2\n", "a VARCHAR, b BIGINT",
       "say \"hi\" there|1;x|2", ""},
      {"inside a plain value", "a,b\n5\" pipe,1\n6\" pipe,2\n", "a VARCHAR, b BIGINT",
       "5\" pipe|1;6\" pipe|2", ""},
      {"never closed", "a,b\n1,\"x\n2,y\n3,z\n", "a BIGINT, b VARCHAR", "1|\"x;2|y;3|z",
       "unterminated_quote=1"},
      {"blanks around", "a, b\n1, \"x, y\" \n2, z\n", "a BIGINT, b VARCHAR", "1|x, y;2| z", ""},
      {"empty in quotes", "a,b\n1,\"\"\n2,\n3,x\n", "a BIGINT, b VARCHAR", "1|;2|NULL;3|x", ""},
      {"empty in quotes among numbers", "a,b\n1,\"\"\n2,\n3,\"5\"\n", "a BIGINT, b BIGINT",
       "1|NULL;2|NULL;3|5", ""},
  });
}

TEST_F(CsvLayoutTest, Remarks) {
  CheckAll({
      {"between records", "# made by x\na;b\n1;2\n# more\n3;4\n", "a BIGINT, b BIGINT", "1|2;3|4",
       "comment_lines=2"},
      {"behind values", "# made by x\na;b\n1;2# note; this\n3;4\n5;6#7;8;9\n", "a BIGINT, b BIGINT",
       "1|2;3|4;5|6", "comment_lines=1"},
      {"inside values", "a,b\nC#,1\nF#,2\n#3,4\n", "a VARCHAR, b BIGINT", "C#|1;F#|2;#3|4", ""},
  });
}

TEST_F(CsvLayoutTest, NumbersThatLookLikeRecords) {
  CheckAll({
      {"decimal commas in one column", "foo\n12,5\n145,00\n5.25\n", "foo VARCHAR",
       "12,5;145,00;5.25", "number_format(foo)=2"},
      {"header wider than the records", "one,two,three,four\n1,a,x\n2,b,y\n3,c,z\n",
       "one BIGINT, two VARCHAR, three VARCHAR, four VARCHAR", "1|a|x|NULL;2|b|y|NULL;3|c|z|NULL",
       "short_rows=3"},
  });
}

TEST_F(CsvLayoutTest, LineEndsAndMarks) {
  CheckAll({
      {"crlf", "a,b\r\n1,2\r\n3,4\r\n", "a BIGINT, b BIGINT", "1|2;3|4", ""},
      {"cr", "a,b\r1,2\r3,4\r", "a BIGINT, b BIGINT", "1|2;3|4", ""},
      {"mixed", "a,b\r\n1,2\n3,4\r\n", "a BIGINT, b BIGINT", "1|2;3|4", "mixed_newlines=1"},
      {"no end", "a,b\n1,2", "a BIGINT, b BIGINT", "1|2", ""},
      {"byte order mark", "\xEF\xBB\xBF\"a\",b\n1,2\n", "a BIGINT, b BIGINT", "1|2", ""},
      {"mark and title", "\xEF\xBB\xBFTitle\na,b,c\n1,2,3\n4,5,6\n", "a BIGINT, b BIGINT, c BIGINT",
       "1|2|3;4|5|6", "title_lines=1"},
      {"NUL", std::string("a,b\n1,x\0y\n", 10), "a BIGINT, b VARCHAR", std::string("1|x\0y", 5),
       ""},
  });
}

TEST_F(CsvLayoutTest, SmallFiles) {
  CheckAll({
      {"header only", "a,b\n", "a VARCHAR, b VARCHAR", "", ""},
      {"one word", "a", "a VARCHAR", "", ""},
      {"one number", "5\n", "5 VARCHAR", "", ""},
      {"numbers only", "5\n6\n", "column0 BIGINT", "5;6", "header_missing=1"},
      {"one column with gaps", "x\n1\n\n3\n\n", "x BIGINT", "1;NULL;3", ""},
      {"one column", "x\n1\n2\n", "x BIGINT", "1;2", ""},
      {"one column of prose", "note\nHello, world\nno more\nand, so, on\nend\n", "note VARCHAR",
       "Hello, world;no more;and, so, on;end", ""},
      {"texts without a header", "ann,bonn\nbob,kiel\n", "ann VARCHAR, bonn VARCHAR", "bob|kiel",
       ""},
      {"values without a header", "1,2,x\n3,4,y\n",
       "column0 BIGINT, column1 BIGINT, column2 VARCHAR", "1|2|x;3|4|y", "header_missing=1"},
      {"doubtful", "a;b\n1\n2\n3\n4\n5\n", "a;b BIGINT", "1;2;3;4;5", "delimiter_doubt=1"},
      {"blanks only", " \n\n", "no_records", "", ""},
      {"no bytes", "", "empty", "", ""},
  });
}

TEST_F(CsvLayoutTest, LargeFiles) {
  std::string text = "Title\nid;amount;note\n";
  for (int i = 0; i < 100'000; ++i)
    text += std::to_string(i) + ";" + std::to_string(i) + ",25;n\n";
  EXPECT_EQ(LoadCsv(text + "Ende\n"), "id BIGINT, amount DOUBLE, note VARCHAR");
  EXPECT_EQ(OneText("SELECT count(*) FROM t"), "100000");
  EXPECT_EQ(OneText("SELECT sum(amount) FROM t"), "4999975000.0");
  EXPECT_EQ(Findings(), "title_lines=1 footer=1");
  EXPECT_NE(table_->findings.back().message.find("line 100003: \"Ende\""), std::string::npos)
      << table_->findings.back().message;
}

TEST_F(CsvLayoutTest, TheSampleIsNotTheFile) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "x;y\n";
  for (int i = 0; i < 200'000; ++i)
    text += "1;2;3\n";
  EXPECT_EQ(LoadCsv(text), "column0 BIGINT, column1 BIGINT, column2 BIGINT");
  EXPECT_EQ(OneText("SELECT count(*) FROM t"), "200000");
  EXPECT_EQ(Findings(), "title_lines=100 header_missing=1");
}

TEST_F(CsvLayoutTest, WideFiles) {
  const auto row = [](int columns, std::string_view value) {
    std::string text;
    for (int i = 0; i < columns; ++i)
      text.append(i == 0 ? "" : ",").append(value).append(std::to_string(i));
    return text + "\n";
  };
  Put("wide.csv", row(2'000, "c") + row(2'000, ""));
  auto table = Ingest("wide.csv");
  ASSERT_TRUE(table.has_value()) << table.error().message;
  EXPECT_EQ(table->columns.size(), 2'000U);
  EXPECT_EQ(table->row_count, 1);
  EXPECT_EQ(LoadCsv(row(16'385, "c") + row(16'385, "")), "too_many_columns");
}

TEST_F(CsvLayoutTest, ManyOpenQuotesCostOneReading) {
  std::string text = "a,b\n";
  for (int i = 0; i < 100'000; ++i)
    text += "1,\"x\n";
  EXPECT_EQ(LoadCsv(text), "a BIGINT, b VARCHAR");
  EXPECT_EQ(OneText("SELECT count(*) FROM t WHERE b = '\"x'"), "100000");
}

}  // namespace
}  // namespace ducat::ingest
