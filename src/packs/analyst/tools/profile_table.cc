// profile_table: statistics of every column in one call (analyst.md 5.3).
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "packs/analyst/messages/profile.h"
#include "packs/analyst/tools/analyst_tools.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/table_access.h"
#include "packs/analyst/tools/table_argument.h"

namespace ducat::analyst {
namespace {

using json::Describe;

constexpr std::string_view kDescription =
    "Statistics of a table's columns over all rows: NULLs, distinct values, range, mean, "
    "deviation, quartiles, text lengths, frequent values, warnings. Use it to understand data "
    "before analysing it, instead of such SQL. For types and samples describe_table is "
    "faster; for rows use sample_rows; for keys table_relationships. Changes nothing.\n"
    "Parameters: name from list_tables; columns, at most 200.\n"
    "Returns one entry per column; null where a statistic does not fit the type. "
    "distinct_exact false marks an estimate.";

struct In {
  std::string name;
  std::vector<std::string> columns;

  static constexpr auto Fields() {
    return std::array{
        Describe<&In::name>("name", "Table name.", {.min_length = 1, .trim = true}),
        Describe<&In::columns>("columns", "Only these; default all.",
                               {.max_items = kColumnsPerCallMax, .default_json = "[]"})};
  }
};

Task<ProfileTableOut> ProfileTable(Dataset& dataset, In in, mcp::CallContext& context) {
  CO_TRY_ASSIGN(const std::string name, co_await ReadyTable(dataset, in.name, context));
  const TableEntry& entry = *dataset.catalog().Find(name);
  if (entry.status == TableStatus::kEmpty) {
    ProfileTableOut empty;
    empty.name = name;
    co_return empty;
  }
  CO_TRY_ASSIGN(std::vector<std::string> columns, FindColumns(entry, in.columns));
  ProfileTableIn arguments{.name = name, .columns = std::move(columns)};
  Result<ProfileTableOut> out =
      co_await RunMetaJob<ProfileTableOut>(dataset, "profile_table", std::move(arguments), context);
  if (!out && out.error().reason == kQueryTimeout.reason) {
    out.error().hint = "Profile fewer columns at a time, or look at rows with sample_rows.";
  }
  co_return out;
}

template <class Number>
std::string OrDash(const json::Nullable<Number>& value) {
  if (!value.has_value()) return "-";
  std::string text;
  json::AppendShortest(text, static_cast<double>(*value));
  return text;
}

std::string Shown(const json::AnyValue& value) {
  return value.json == "null" ? "-" : value.json;
}

void RenderColumnTables(const ProfileTableOut& out, mcp::Text& text) {
  MarkdownTable values({"column", "type", "count", "nulls", "null %", "distinct", "unique", "min",
                        "max", "empty", "NaN", "length"});
  MarkdownTable numbers({"column", "numeric", "mean", "stddev", "p25", "median", "p75"});
  for (const ProfiledColumn& column : out.columns) {
    std::string null_pct;
    json::AppendShortest(null_pct, column.null_pct);
    const std::string distinct =
        (column.distinct_exact ? "" : "~") + std::to_string(column.distinct_count);
    const std::string length = column.min_length.has_value()
                                   ? OrDash(column.min_length) + " to " + OrDash(column.max_length)
                                   : "-";
    values.Row({values.Name(column.name), column.type, std::to_string(column.count),
                std::to_string(column.null_count), null_pct, distinct,
                column.is_unique ? "yes" : "no", Shown(column.min), Shown(column.max),
                OrDash(column.empty_count), OrDash(column.nan_count), length});
    const bool ordered = column.is_numeric || column.median.json != "null";
    if (!ordered) continue;
    numbers.Row({column.name, column.is_numeric ? "yes" : "no", OrDash(column.mean),
                 OrDash(column.stddev), Shown(column.p25), Shown(column.median),
                 Shown(column.p75)});
  }
  values.AppendTo(text);
  text.Line("");
  numbers.AppendTo(text);
}

void Render(const ProfileTableOut& out, mcp::Text& text) {
  text.Line(out.name + ": " + Counted(out.row_count, "row") + ", " +
            Counted(static_cast<int64_t>(out.columns.size()), "column"));
  if (out.columns.empty()) return;
  text.Line("");
  RenderColumnTables(out, text);
  text.Line("");
  for (const ProfiledColumn& column : out.columns) {
    if (!column.top_values.has_value()) continue;
    std::string line = column.name + " most often:";
    for (const TopValue& top : *column.top_values) {
      line += " " + top.value.json + " x " + std::to_string(top.count) + ",";
    }
    line.pop_back();
    text.Line(line);
  }
  text.Line("Most frequent values are shown for columns of at most " +
            std::to_string(out.low_cardinality_threshold) + " distinct ones.");
  for (const ProfiledColumn& column : out.columns) {
    for (const ProfileWarning& warning : column.warnings) {
      text.Notice(column.name + ": " + warning.code + ": " + warning.message);
    }
  }
}

}  // namespace

mcp::Tool MakeProfileTable(Dataset& dataset) {
  return mcp::MakeTool<In, ProfileTableOut>(
      {.name = "profile_table",
       .title = "Profile a table",
       .description = std::string(kDescription),
       .errors = TableErrors(),
       .scopes = {std::string(kReadScope)},
       .error_style = mcp::ErrorStyle::kBracketed},
      [&dataset](In in, mcp::CallContext& context) {
        return ProfileTable(dataset, std::move(in), context);
      },
      &Render);
}

}  // namespace ducat::analyst
