#pragma once
// RowResult: rows of a statement as `query`, `sample_rows` and saved queries answer them. The rows
// and their Markdown come finished from the worker and are spliced into the reply. Plain values and
// pure functions.

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/shape.h"
#include "mcp/text.h"
#include "packs/analyst/messages/query.h"
#include "worker/pool.h"

namespace ducat::analyst {

struct RowColumn {
  std::string name, type, json;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&RowColumn::name>("name", "Unique in the result."),
        Describe<&RowColumn::type>("type", ""),
        Describe<&RowColumn::json>("json", "number, string, boolean, array, object or mixed.")};
  }
};

struct RowResult {
  std::string sql;
  std::vector<RowColumn> columns;
  json::RawElements rows;
  std::string markdown;
  int64_t row_count = 0, row_limit = 0;
  bool truncated = false;
  double elapsed_ms = 0;
  std::vector<std::string> notes;
  int64_t bytes = 0, clipped_cells = 0;
  std::vector<std::string> tables;
  std::string text;  // the Markdown table, escaped; no field of its own

  // Told of each call that has rows (mcp/call_record.h).
  [[nodiscard]] int64_t rows_sent() const { return row_count; }

  static constexpr auto Fields() {
    using json::Describe;
    using R = RowResult;
    return std::array{
        Describe<&R::sql>("sql", "What ran."),
        Describe<&R::columns>("columns", ""),
        Describe<&R::rows>("rows", "Arrays in column order."),
        Describe<&R::markdown>("markdown", "Rows as a table; empty for format rows."),
        Describe<&R::row_count>("row_count", ""),
        Describe<&R::row_limit>("row_limit", "Most rows allowed."),
        Describe<&R::truncated>("truncated", "More rows exist."),
        Describe<&R::elapsed_ms>("elapsed_ms", ""),
        Describe<&R::notes>("notes", "Read before using the rows."),
        Describe<&R::bytes>("bytes", "Size of rows."),
        Describe<&R::clipped_cells>("clipped_cells", "Cells cut, ending in …(+N chars)."),
        Describe<&R::tables>("tables", "Tables read.")};
  }
};

// From what the worker sent. `format` decides where the rows go.
[[nodiscard]] Result<RowResult> ToRowResult(worker::JobResult result, RowFormat format);
void RenderRows(const RowResult& result, mcp::Text& text);

// Bounds of a job's ROWS and TEXT for the given limits: text may grow sixfold when it is escaped.
[[nodiscard]] uint64_t TextBytesMax(const RowLimits& limits);

}  // namespace ducat::analyst
