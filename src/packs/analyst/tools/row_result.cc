#include "packs/analyst/tools/row_result.h"

#include <utility>

#include "json/writer.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/table_access.h"

namespace ducat::analyst {
namespace {

constexpr uint64_t kEscapedGrowth = 6;       // "\u0000" for one byte
constexpr uint64_t kTableFrame = 64 * 1024;  // header lines and rules of wide tables

}  // namespace

uint64_t TextBytesMax(const RowLimits& limits) {
  return static_cast<uint64_t>(limits.max_bytes) * kEscapedGrowth + kTableFrame;
}

Result<RowResult> ToRowResult(worker::JobResult result, RowFormat format) {
  TRY_ASSIGN(QueryMeta meta, DecodeMessage<QueryMeta>(result.meta));
  TRY_ASSIGN(QueryCounters counters, DecodeMessage<QueryCounters>(result.counters));
  if (counters.json.size() != meta.columns.size()) {
    return Internal("a worker described " + std::to_string(counters.json.size()) + " of " +
                    std::to_string(meta.columns.size()) + " columns");
  }
  RowResult rows;
  rows.sql = std::move(meta.sql);
  for (size_t i = 0; i < meta.columns.size(); ++i) {
    rows.columns.push_back({.name = std::move(meta.columns[i].name),
                            .type = std::move(meta.columns[i].type),
                            .json = std::move(counters.json[i])});
  }
  if (format != RowFormat::kMarkdown) rows.rows.json = std::move(result.rows);
  if (format != RowFormat::kRows) rows.markdown = json::Unescape(result.text);
  rows.row_count = counters.row_count;
  rows.row_limit = meta.row_limit;
  rows.truncated = counters.truncated;
  rows.elapsed_ms = counters.elapsed_ms;
  rows.notes = std::move(counters.notes);
  rows.bytes = counters.bytes;
  rows.clipped_cells = counters.clipped_cells;
  rows.tables = std::move(meta.tables);
  rows.text = std::move(result.text);
  return rows;
}

void RenderRows(const RowResult& result, mcp::Text& text) {
  text.AddEscaped(result.text);
  if (!result.text.ends_with("\\n")) text.Line("");
  text.Line("");
  std::string types;
  for (const RowColumn& column : result.columns) {
    types += (types.empty() ? "" : ", ") + Verbatim(column.name) + " " + column.type;
  }
  text.Line("types: " + types);
  std::string line = Counted(result.row_count, "row");
  if (result.truncated) line += " (more exist, limit " + std::to_string(result.row_limit) + ")";
  line += ", " + Milliseconds(result.elapsed_ms);
  if (result.clipped_cells > 0) line += ", " + Counted(result.clipped_cells, "cell") + " cut";
  for (size_t i = 0; i < result.tables.size(); ++i) {
    line += (i == 0 ? ", from " : ", ") + result.tables[i];
  }
  text.Line(line);
  for (const std::string& note : result.notes) {
    text.Notice(note);
  }
}

}  // namespace ducat::analyst
