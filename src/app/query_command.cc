// `ducat query`: one statement for a person: an aligned table, or JSON, CSV, Markdown for programs.
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
  if (line.json) {
    terminal.Out(outcome.structured + "\n");
    return kExitOk;
  }
  if (line.markdown) {
    terminal.Out(outcome.text + "\n");
    return kExitOk;
  }
  json::Document document;
  TRY_ASSIGN(const json::View result,
             document.Parse(outcome.structured,
                            {.nodes_max = size_t{64} << 20, .refuse_duplicate_keys = false}));
  terminal.Out(line.csv ? Csv(result) : Aligned(result));
  terminal.Err(Summary(result));
  return kExitOk;
}

}  // namespace ducat::app
