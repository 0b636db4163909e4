#include "packs/analyst/jobs/row_answer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "json/encode.h"

namespace ducat::analyst {
namespace {

// A statement may be as long as a megabyte, and an unnamed column has its text for a name.
constexpr size_t kSqlBytesShown = size_t{64} << 10;
constexpr size_t kNameBytesShown = 1'000;

std::string Shown(std::string_view text, size_t bytes_max) {
  std::string shown(ClipUtf8(text, bytes_max));
  if (shown.size() < text.size()) {
    shown += "…(+" + std::to_string(text.size() - shown.size()) + " bytes)";
  }
  return shown;
}

QueryMeta MetaOf(const RowRequest& request, const std::vector<engine::ResultColumn>& columns,
                 const std::vector<std::string>& names, int64_t row_limit) {
  QueryMeta meta{
      .sql = Shown(request.sql, kSqlBytesShown), .row_limit = row_limit, .tables = request.tables};
  for (size_t i = 0; i < columns.size(); ++i) {
    meta.columns.push_back({.name = names[i], .type = columns[i].type});
  }
  return meta;
}

std::vector<std::string> CapNotes(const rows::ResultSummary& summary, const RowRequest& request,
                                  size_t columns, int64_t row_limit) {
  const RowLimits& limits = request.limits;
  std::vector<std::string> notes;
  const std::string shown = WithThousands(summary.row_count);
  if (summary.bytes_max_reached) {
    notes.push_back("Stopped after " + shown + " rows at the byte cap of " +
                    WithThousands(limits.max_bytes) +
                    "; more rows exist. Select fewer or shorter columns, or go on with OFFSET " +
                    std::to_string(summary.row_count) + ".");
  } else if (summary.truncated && row_limit < limits.max_rows) {
    notes.push_back("Stopped after " + shown + " rows: " + WithThousands(limits.max_cells) +
                    " cells are the cap and the result has " + std::to_string(columns) +
                    " columns; more rows exist. Select fewer columns, aggregate or filter.");
  } else if (summary.truncated) {
    notes.push_back(
        "Stopped after " + shown +
        " rows, the row limit; more rows exist. Aggregate, filter, or go on with OFFSET " +
        std::to_string(summary.row_count) + ".");
  }
  if (summary.clipped_cells > 0) {
    std::string note = WithThousands(summary.clipped_cells) +
                       (summary.clipped_cells == 1 ? " cell was cut at " : " cells were cut at ") +
                       WithThousands(summary.cell_characters) +
                       " characters; the marker tells how many are missing.";
    if (summary.cell_characters < static_cast<uint64_t>(limits.max_cell)) {
      note += " They were cut shorter than usual because one row alone exceeds the byte cap.";
    }
    note += " Select one row and use cell_offset to read on.";
    notes.push_back(std::move(note));
  }
  if (request.cell_offset > 0 && !summary.cell_offset_used && summary.row_count > 0) {
    notes.push_back("cell_offset was not used: it applies to results of one row.");
  }
  return notes;
}

}  // namespace

int64_t RowLimit(const RowLimits& limits, size_t columns) {
  const int64_t by_cells = limits.max_cells / std::max<int64_t>(1, static_cast<int64_t>(columns));
  return std::max<int64_t>(1, std::min(limits.max_rows, by_cells));
}

tl::expected<RowAnswer, rows::WriteFailure> AnswerWithRows(worker::child::JobContext& context,
                                                           engine::Rows& rows,
                                                           const RowRequest& request) {
  std::vector<std::string> names;
  for (const engine::ResultColumn& column : rows.columns()) {
    names.push_back(Shown(column.name, kNameBytesShown));
  }
  names = rows::UniqueNames(names);
  const int64_t row_limit = RowLimit(request.limits, names.size());
  const QueryMeta meta = MetaOf(request, rows.columns(), names, row_limit);
  if (Status sent = context.output.Meta(json::Encode(meta)); !sent.has_value()) {
    return tl::unexpected(rows::WriteFailure{.output = std::move(sent).error()});
  }
  const rows::ResultLimits limits{
      .rows_max = static_cast<uint64_t>(row_limit),
      .bytes_max = static_cast<uint64_t>(request.limits.max_bytes),
      .cell_characters_max = static_cast<uint64_t>(request.limits.max_cell),
      .cell_offset = static_cast<uint64_t>(request.cell_offset)};
  auto summary = rows::WriteResult(rows, names, limits, rows::kAnalystStyle, context.output);
  if (!summary.has_value()) return tl::unexpected(std::move(summary).error());
  return RowAnswer{.counters = {.row_count = static_cast<int64_t>(summary->row_count),
                                .truncated = summary->truncated,
                                .bytes = static_cast<int64_t>(summary->bytes),
                                .clipped_cells = static_cast<int64_t>(summary->clipped_cells),
                                .json = summary->forms,
                                .notes = CapNotes(*summary, request, names.size(), row_limit)},
                   .row_limit = row_limit};
}

double ElapsedMs(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  return std::round(elapsed.count() * 1000) / 1000;
}

}  // namespace ducat::analyst
