#include <string>

#include <gmock/gmock.h>

#include "json/view.h"
#include "json/writer.h"
#include "packs/analyst/messages/describe.h"
#include "packs/analyst/tools/analyst_tools.h"
#include "support/dataset_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;

struct DescribeFixture : DatasetFixture {
  DescribeFixture() {
    data.Write("t.csv", "id\n1\n2\n");
    jobs.ingest = [this](const worker::JobRequest&) { return IngestedWithFindings(); };
    jobs.query = [this](const worker::JobRequest&) -> Result<worker::JobResult> {
      return worker::JobResult{
          .meta = json::Encode(described), .rows = {}, .text = {}, .counters = "{}"};
    };
    Open();
  }

  Result<worker::JobResult> IngestedWithFindings() {
    TRY_ASSIGN(worker::JobResult result, Ingested());
    IngestFileOut out;
    out.row_count = 2;
    out.warnings = warnings;
    out.facts = facts;
    for (const DescribedColumn& column : described.columns) {
      out.columns.push_back({.name = column.name, .type = column.type, .carrier = {}});
    }
    result.meta = json::Encode(out);
    return result;
  }

  void Column(const std::string& name, const std::string& type) {
    described.columns.push_back(
        {.name = name, .type = type, .null_count = 0, .sample_values = {{"\"a|b\\\\c\""}}});
    described.column_count = static_cast<int64_t>(described.columns.size());
  }
  void Finding(const std::string& column, const std::string& suggestion) {
    warnings.push_back({.code = "number_format",
                        .column = column,
                        .count = 1,
                        .message = "numbers carry units",
                        .suggestion = suggestion});
  }

  mcp::Answer Describe() {
    const mcp::Tool tool = MakeDescribeTable(*dataset);
    json::Document arguments;
    Result<mcp::Answer> answer = Await(tool.call(*arguments.Parse(R"({"name":"t"})"), context));
    CHECK(answer.has_value());
    return *std::move(answer);
  }

  DescribeTableOut described{.name = "t", .row_count = 2, .column_count = 0, .columns = {}};
  std::vector<LoadWarning> warnings;
  FileFacts facts;
};

// Of a cell, where | is \|, a reader would paste another expression.
TEST(DescribeTable, TextHasEveryExpressionAsItIs) {
  DescribeFixture fixture;
  fixture.Column("a|b", "VARCHAR");
  fixture.Column("p", "VARCHAR");
  fixture.Column("j|k", "JSON");
  fixture.Finding("a|b", R"("a|b" || '\' || regexp_replace("a|b", '[,|\s]', ''))");
  fixture.Finding("p", "TRY_CAST(p AS DOUBLE) or TRY_CAST(replace(p, ',', '.') AS DOUBLE)");
  fixture.Finding("p", "CASE WHEN regexp_full_match(p, 'a|b') THEN 1 END");
  const mcp::Answer answer = fixture.Describe();
  const std::string text = json::Unescape(answer.text.escaped());
  json::Document document;
  const auto structured = document.Parse(answer.structured);
  ASSERT_THAT(structured, IsOk());
  size_t expressions = 0;
  const auto expect_shown = [&](json::View finding) {
    const auto suggestion = finding.Find("suggestion");
    if (!suggestion.has_value()) return true;
    ++expressions;
    EXPECT_THAT(text,
                HasSubstr(" To compute with it: " + std::string(*suggestion->AsString()) + "\n"));
    return true;
  };
  structured->Find("columns")->ForEachElement(expect_shown);
  structured->Find("load")->Find("warnings")->ForEachElement(expect_shown);
  EXPECT_EQ(expressions, 6U);
  EXPECT_THAT(text, HasSubstr("as it is: a|b\nas it is: j|k\n"));
}

TEST(DescribeTable, SaysWhenAnExpressionHoldsWhatCannotBeShown) {
  DescribeFixture fixture;
  fixture.Column("a", "VARCHAR");
  fixture.Finding("a", "trim(\"x\ny\xE2\x80\x8B\")");
  EXPECT_THAT(json::Unescape(fixture.Describe().text.escaped()),
              HasSubstr(R"t( To compute with it: (as a JSON string) "trim(\"x\ny\u200b\")")t"));
}

TEST(DescribeTable, TellsHowTheFileWasReadInBothForms) {
  DescribeFixture fixture;
  fixture.Column("p_1", "VARCHAR");
  fixture.facts = {.encoding = "cp1252",
                   .dialect = FileDialect{.delimiter = ";",
                                          .quote = "\"",
                                          .escape = "\"",
                                          .newline = "\r\n",
                                          .header = true,
                                          .decimal_separator = ","},
                   .rejected = 2,
                   .original_names = {{.column = "p_1", .written = "P"}}};
  const mcp::Answer answer = fixture.Describe();
  EXPECT_THAT(answer.structured, HasSubstr(R"("original_name":"P")"));
  EXPECT_THAT(answer.structured,
              HasSubstr(R"("load":{"status":"ready","encoding":"cp1252","dialect":{)"
                        R"("decimal_separator":",","delimiter":";","escape":"\"","header":true,)"
                        R"("newline":"\r\n","quote":"\""},"rejected":2,)"));
  const std::string text = json::Unescape(answer.text.escaped());
  EXPECT_THAT(text,
              HasSubstr(R"(read as cp1252, decimal_separator ",", delimiter ";", escape "\"", )"
                        R"(header true, newline "\r\n", quote "\"", )"
                        "2 records rejected\n"));
  EXPECT_THAT(text, HasSubstr(R"(- p_1: in the file "P")"));
}

}  // namespace
}  // namespace ducat::analyst
