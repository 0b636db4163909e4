// Runs every suggested expression against the column that it is for: the exact value of each row,
// NULL only where a value has no one reading (analyst.md 3.4).
#include <string>
#include <vector>

#include "worker/child/ingest/ingest_fixture.h"

namespace ducat::ingest {
namespace {

struct Case {
  std::string name, text, findings;
  std::vector<std::string> readings;  // the rows under each expression of the suggestion
};

class TypeAdviceTest : public IngestFixture {
 protected:
  std::string Read(const std::string& expression) {
    auto rows = connection().Run("SELECT (" + expression + ")::VARCHAR FROM t");
    if (!rows.has_value()) return expression + ": " + rows.error().message;
    auto table = rows->AllText();
    if (!table.has_value()) return expression + ": " + table.error().message;
    std::string text;
    for (const auto& row : *table) {
      text += (text.empty() ? "" : ";") + row[0].value_or("NULL");
    }
    return text;
  }

  void CheckAll(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
      SCOPED_TRACE(one.name);
      EXPECT_NE(LoadCsv(one.text).find("x VARCHAR"), std::string::npos);
      EXPECT_EQ(Findings(), one.findings);
      if (!table_.has_value() || table_->findings.empty()) continue;
      std::string rest = table_->findings.front().suggestion;
      for (size_t i = 0; i < one.readings.size(); ++i) {
        const size_t end = rest.find(" or ");
        EXPECT_EQ(end == std::string::npos, i + 1 == one.readings.size()) << rest;
        EXPECT_EQ(Read(rest.substr(0, end)), one.readings[i]);
        rest = end == std::string::npos ? "" : rest.substr(end + 4);
      }
    }
  }
};

TEST_F(TypeAdviceTest, OneCommaAndThreeDigitsAreTwoNumbers) {
  const std::vector<std::string> both{"1234.0;5678.0", "1.234;5.678"};
  CheckAll({
      {"alone, quoted", "x\n\"1,234\"\n\"5,678\"\n", "number_format(x)=2", both},
      {"alone", "x\n1,234\n5,678\n", "number_format(x)=2", both},
      {"with whole numbers",
       "x\n\"1,234\"\n\"12\"\n",
       "number_format(x)=1",
       {"1234.0;12.0", "1.234;12.0"}},
      {"comma", "n,x\na,\"1,234\"\nb,\"5,678\"\n", "number_format(x)=2", both},
      {"semicolon", "n;x\na;1,234\nb;5,678\n", "number_format(x)=2", both},
      {"tab", "n\tx\na\t1,234\nb\t5,678\n", "number_format(x)=2", both},
      {"negative, with a unit",
       "n;x\na;-1,234\nb;$5,678\n",
       "number_format(x)=2",
       {"-1234.0;5678.0", "-1.234;5.678"}},
      {"point and unit",
       "n;x\na;€1.234\nb;€5.678\n",
       "number_format(x)=2",
       {"1.234;5.678", "1234.0;5678.0"}},
      {"a point elsewhere proves nothing of commas", "x;y\n1,234;2.5\n5,678;3.5\n",
       "number_format(x)=2", both},
  });
}

TEST_F(TypeAdviceTest, CommasThatSomeColumnProvesDecimal) {
  for (const char* text : {"n;x\na;1,234\nb;5,67\n", "x\n1,234\n5,67\n", "x\n0,234\n5,678\n",
                           "x;y\n1,234;2,5\n5,678;3,5\n", "x\n1234,567\n5,678\n"}) {
    EXPECT_NE(LoadCsv(text).find("x DOUBLE"), std::string::npos) << text;
    EXPECT_EQ(Findings(), "") << text;
  }
}

TEST_F(TypeAdviceTest, SeparatorsAndUnits) {
  CheckAll({
      {"commas in groups",
       "n,x\na,\"1,234.50\"\nb,2.000\nc,$5\nd,10 %\ne,-2.25\nf,\"1,234\"\n",
       "number_format(x)=4",
       {"1234.5;2.0;5.0;10.0;-2.25;1234.0"}},
      {"groups only",
       "n,x\na,\"1,234,567\"\nb,\"1,234\"\nc,7 %\n",
       "number_format(x)=3",
       {"1234567.0;1234.0;7.0"}},
      {"points in groups",
       "n;x\na;1.234,56\nb;2.000,00\nc;3.000\nd;7\ne;1.234.567\n",
       "number_format(x)=3",
       {"1234.56;2000.0;3000.0;7.0;1234567.0"}},
      {"point that must be a group", "n;x\na;1.234\nb;2,5\n", "number_format(x)=1", {"1234.0;2.5"}},
      {"spaces and apostrophes",
       "n;x\na;1 234,5\nb;1'234'567\nc;12 €\n",
       "number_format(x)=3",
       {"1234.5;1234567.0;12.0"}},
      {"exponents and no numbers",
       "n;x\na;$5\nb;1e5\nc;NaN\nd;-inf\n",
       "number_format(x)=1",
       {"5.0;100000.0;nan;-inf"}},
      {"more digits than a double",
       "n,x\na,\"1,234,567,890,123,456.78\"\nb,$5\n",
       "number_format(x)=2",
       {"1234567890123456.78;5.00"}},
      {"both ways",
       "n;x\na;5.25\nb;12,5\nc;1.234\nd;1,234\ne;1,234.5\nf;1.234,5\ng;1.234.567\n",
       "number_format(x)=5",
       {"5.25;12.5;NULL;NULL;1234.5;1234.5;1234567.0"}},
      {"spaces and empty values",
       "n;x\na; 1.234,5 \nb;\"\"\nc;\n",
       "number_format(x)=1",
       {"1234.5;NULL;NULL"}},
      {"no number in any reading", "n;x\na;012 345\nb;1,234 567\n", "", {}},
  });
}

TEST_F(TypeAdviceTest, CodesAndWords) {
  std::string words = "x\n";
  std::string values;
  for (int i = 0; i < 20; ++i) {
    words += "9007199254740993\n";
    values += "9007199254740993;";
  }
  CheckAll({
      {"whole", "x\n007\n+12\n-0\n", "code_like(x)=3", {"7;12;0"}},
      {"fractions with signs", "x\n+1.5\n2.5\n", "code_like(x)=1", {"1.5;2.5"}},
      {"fractions and zeros", "x\n007\n1.25\n", "code_like(x)=1", {"7.0;1.25"}},
      {"exponents", "x\n+1e3\n2\n", "code_like(x)=1", {"1000.0;2.0"}},
      {"twenty digits",
       "x\n00000000000000000012\n12345678901234567890\n",
       "code_like(x)=1",
       {"12;12345678901234567890"}},
      {"many digits and a fraction",
       "x\n+1.5\n12345678901234567\n",
       "code_like(x)=1",
       {"1.5;12345678901234567.0"}},
      {"whole numbers beyond a double", words + "N/A\n", "null_words(x)=1", {values + "NULL"}},
  });
}

TEST_F(TypeAdviceTest, Dates) {
  const std::vector<std::string> both{"2024-02-01;2024-04-03", "2024-01-02;2024-03-04"};
  CheckAll({
      {"slashes", "x\n01/02/2024\n03/04/2024\n", "ambiguous_date(x)=2", both},
      {"points", "x\n01.02.2024\n03.04.2024\n", "ambiguous_date(x)=2", both},
      {"dashes", "x\n01-02-2024\n3-4-2024\n", "ambiguous_date(x)=2", both},
      {"one of each", "x\n01-02-2024\n3.4.2024\n", "ambiguous_date(x)=2", both},
      {"with spaces", "n;x\na; 01/02/2024\nb;03/04/2024 \n", "ambiguous_date(x)=2", both},
      {"mixed with points",
       "x\n31.12.2024\n12.31.2024\n",
       "mixed_dates(x)=2",
       {"2024-12-31;2024-12-31"}},
      {"mixed with all",
       "x\n31/12/2024\n12-31-2024\n1.1.2024\n01.02.2024\n",
       "mixed_dates(x)=3",
       {"2024-12-31;2024-12-31;2024-01-01;NULL"}},
  });
}

}  // namespace
}  // namespace ducat::ingest
