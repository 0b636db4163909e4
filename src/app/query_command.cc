// `ducat query`: one statement for a person: an aligned table, or JSON, CSV, Markdown for programs.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/aligned_table.h"
#include "app/commands.h"
#include "app/tool_call.h"
#include "base/text.h"
#include "json/view.h"
#include "json/writer.h"
#include "mcp/text.h"

namespace ducat::app {
namespace {

constexpr int kExitSignalled = 128;

// A cell as people read it: text as it is, null as an empty cell, the rest as JSON.
std::string CellText(json::View value) {
  if (value.IsNull()) return "";
  if (const auto text = value.AsString()) return std::string(*text);
  return value.ToJson();
}

std::string CsvField(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.empty()) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

// NULL is nothing, the empty text is "": a reader can tell them apart.
std::string Csv(json::View result) {
  std::string csv;
  size_t column = 0;
  const auto add = [&](std::string field) { csv += (column++ == 0 ? "" : ",") + std::move(field); };
  result.Find("columns")->ForEachElement([&](json::View one) {
    add(CsvField(CellText(*one.Find("name"))));
    return true;
  });
  csv += "\r\n";
  result.Find("rows")->ForEachElement([&](json::View row) {
    column = 0;
    row.ForEachElement([&](json::View cell) {
      add(cell.IsNull() ? "" : CsvField(CellText(cell)));
      return true;
    });
    csv += "\r\n";
    return true;
  });
  return csv;
}

std::string OneLine(const std::string& text) {
  std::string line = mcp::CleanForDisplay(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return line;
}

std::string Aligned(json::View result) {
  std::vector<TableColumn> columns;
  result.Find("columns")->ForEachElement([&](json::View one) {
    const bool number = one.Find("json")->AsString() == "number";
    columns.push_back({.name = OneLine(CellText(*one.Find("name"))),
                       .align = number ? Align::kRight : Align::kLeft});
    return true;
  });
  AlignedTable table(std::move(columns));
  result.Find("rows")->ForEachElement([&](json::View row) {
    std::vector<std::string> cells;
    row.ForEachElement([&](json::View cell) {
      cells.push_back(cell.IsNull() ? "NULL" : OneLine(CellText(cell)));
      return true;
    });
    table.Row(std::move(cells));
    return true;
  });
  return table.Text();
}

// Of EXPLAIN: plans are drawings of many lines, which a table would ruin.
bool IsPlan(std::string_view sql, json::View result) {
  constexpr std::string_view kExplain = "explain";
  size_t columns = 0;
  result.Find("columns")->ForEachElement([&columns](json::View one) {
    if (one.Find("name")->AsString() == "plan") ++columns;
    return true;
  });
  return columns == 1 && EqualsIgnoringCase(Trim(sql).substr(0, kExplain.size()), kExplain);
}

std::string Plan(json::View result) {
  std::string text;
  result.Find("rows")->ForEachElement([&text](json::View row) {
    std::string drawing;
    row.ForEachElement([&drawing](json::View cell) {
      drawing = mcp::CleanForDisplay(CellText(cell));
      return true;
    });
    text += drawing + (drawing.ends_with('\n') ? "" : "\n");
    return true;
  });
  return text;
}

std::string Shown(const CommandLine& line, const ToolOutcome& outcome, json::View result) {
  if (line.json) return outcome.structured + "\n";
  if (line.markdown) return outcome.text + "\n";
  if (line.csv) return Csv(result);
  return IsPlan(line.words.front(), result) ? Plan(result) : Aligned(result);
}

// Fails when rows are missing that nobody asked to leave out: a script must notice.
Status CheckWhole(const analyst::RowLimits& limits, json::View result) {
  if (!result.Find("truncated")->AsBoolean().value_or(false)) return {};
  const int64_t rows = result.Find("row_count")->AsInteger().value_or(0);
  const bool asked =
      limits.max_rows != QueryLimits().max_rows || limits.max_cells != QueryLimits().max_cells;
  if (asked && rows == result.Find("row_limit")->AsInteger()) return {};
  return Fail(ErrorCode::kFailedPrecondition, "result_incomplete",
              "Rows are missing: there are more than the " + WithThousands(rows) +
                  " printed, which is all that --max-rows " + std::to_string(limits.max_rows) +
                  " and --max-bytes " + std::to_string(limits.max_bytes) + " let through.",
              "Give larger ones, or aggregate or LIMIT in the statement.");
}

std::string Summary(json::View result) {
  const int64_t rows = result.Find("row_count")->AsInteger().value_or(0);
  std::string line = WithThousands(rows) + (rows == 1 ? " row, " : " rows, ");
  json::AppendShortest(line, result.Find("elapsed_ms")->AsDouble().value_or(0));
  line += " ms\n";
  result.Find("notes")->ForEachElement([&line](json::View note) {
    line += "note: " + CellText(note) + "\n";
    return true;
  });
  return line;
}

}  // namespace

analyst::RowLimits QueryLimits() {
  return {.max_rows = 1'000'000,
          .max_cells = std::numeric_limits<int32_t>::max(),
          .max_bytes = int64_t{64} << 20,
          .max_cell = std::numeric_limits<int32_t>::max()};
}

Result<int> RunQuery(AnalystHost& host, const CommandLine& line, Terminal& terminal) {
  std::string arguments;
  json::JsonWriter out(arguments);
  out.BeginObject();
  out.Field("sql", line.words.front());
  out.Field("format", "rows");
  out.EndObject();
  TRY_ASSIGN(const ToolOutcome outcome, CallTool(host, "query", arguments, terminal));
  if (outcome.signal != 0) return kExitSignalled + outcome.signal;
  if (outcome.failed) {
    if (line.json) terminal.Out(outcome.structured + "\n");
    if (!line.json) terminal.Err(outcome.text + "\n");
    return kExitToolError;
  }
  json::Document document;
  TRY_ASSIGN(const json::View result,
             document.Parse(outcome.structured,
                            {.nodes_max = size_t{64} << 20, .refuse_duplicate_keys = false}));
  terminal.Out(Shown(line, outcome, result));
  if (!line.json && !line.markdown) terminal.Err(Summary(result));
  TRY(CheckWhole(host.settings().analyst.limits, result));
  return kExitOk;
}

}  // namespace ducat::app
