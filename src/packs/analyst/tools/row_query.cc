#include "packs/analyst/tools/row_query.h"

#include <algorithm>
#include <utility>

#include "json/encode.h"
#include "json/writer.h"
#include "packs/analyst/tools/load_notes.h"
#include "packs/analyst/tools/table_access.h"

namespace ducat::analyst {
namespace {

std::string Seconds(std::chrono::milliseconds time) {
  std::string text;
  json::AppendShortest(text, static_cast<double>(time.count()) / 1000);
  return text;
}

}  // namespace

Task<RowResult> RunRowQuery(Dataset& dataset, RowQuery query, mcp::CallContext& context) {
  CO_TRY(co_await LoadTablesNamedIn(dataset, query.sql, context));
  const AnalystSettings& settings = dataset.settings();
  const RowFormat format = query.format.value_or(settings.result_format);
  QueryIn arguments{.sql = query.sql,
                    .limits = settings.limits,
                    .params = std::move(query.params),
                    .param_types = std::move(query.param_types),
                    .format = format,
                    .cell_offset = query.cell_offset};
  const int64_t wanted = query.limit.value_or(settings.limits.max_rows);
  arguments.limits.max_rows = std::min(wanted, settings.limits.max_rows);
  TableJob job{.name = "query",
               .arguments = json::Encode(arguments),
               .timeout = query.timeout,
               .rows_bytes_max = static_cast<uint64_t>(settings.limits.max_bytes),
               .text_bytes_max = TextBytesMax(settings.limits),
               .statement = query.sql};
  Result<worker::JobResult> result = co_await RunTableJob(dataset, std::move(job), context);
  if (!result) {
    co_return Failure(ExplainSqlError(std::move(result).error(), dataset));
  }
  CO_TRY_ASSIGN(RowResult rows, ToRowResult(std::move(*result), format));
  if (wanted > settings.limits.max_rows) {
    rows.notes.push_back("limit " + std::to_string(wanted) + " was lowered to the server's " +
                         std::to_string(settings.limits.max_rows) + ".");
  }
  if (query.timeout > settings.timeout) {
    rows.notes.push_back("timeout_s was lowered to the server's " + Seconds(settings.timeout) +
                         ".");
  }
  AddLoadNotes(dataset.catalog(), query.sql, rows);
  co_return rows;
}

}  // namespace ducat::analyst
