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
    return std::array{Describe<&RowColumn::name>("name", "Name, unique in the result."),
                      Describe<&RowColumn::type>("type", "Type in SQL."),
                      Describe<&RowColumn::json>(
                          "json",
                          "How values are written: number, string, boolean, array, object or "
                          "mixed (numbers too long to be exact are strings).")};
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

  static constexpr auto Fields() {
    using json::Describe;
    using R = RowResult;
    return std::array{
        Describe<&R::sql>("sql", "The statement that ran."),
        Describe<&R::columns>("columns", "Columns, in order."),
        Describe<&R::rows>("rows", "One array per row, values in column order.",
                           {.element_doc = "A row."}),
        Describe<&R::markdown>("markdown",
                               "The rows as a Markdown table; empty with format \"rows\"."),
        Describe<&R::row_count>("row_count", "Rows returned."),
        Describe<&R::row_limit>("row_limit", "Most rows that the limits allowed."),
        Describe<&R::truncated>("truncated", "More rows exist than were returned."),
        Describe<&R::elapsed_ms>("elapsed_ms", "Milliseconds in the engine."),
        Describe<&R::notes>("notes", "What to know before relying on the rows.",
                            {.element_doc = "A sentence."}),
        Describe<&R::bytes>("bytes", "Size of rows in bytes."),
        Describe<&R::clipped_cells>("clipped_cells",
                                    "Cells cut at the cell limit; they end in ...(+N chars)."),
        Describe<&R::tables>("tables", "Tables that were read.", {.element_doc = "Table name."})};
  }
};

// From what the worker sent. `format` decides where the rows go.
[[nodiscard]] Result<RowResult> ToRowResult(worker::JobResult result, RowFormat format);
void RenderRows(const RowResult& result, mcp::Text& text);

// Bounds of a job's ROWS and TEXT for the given limits: text may grow sixfold when it is escaped.
[[nodiscard]] uint64_t TextBytesMax(const RowLimits& limits);

}  // namespace ducat::analyst
