#include "packs/analyst/jobs/sample_rows.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "json/decode.h"
#include "json/encode.h"
#include "packs/analyst/jobs/json_rows.h"
#include "packs/analyst/jobs/row_answer.h"
#include "packs/analyst/jobs/run_failure.h"
#include "packs/analyst/messages/query.h"
#include "worker/child/engine/connection.h"

namespace ducat::analyst {
namespace {

using worker::child::JobContext;

// "a" AS c0, ... and c0 AS "a", ...: no name of the table meets one of ours.
struct Lists {
  std::string inner, outer;
};

Lists ListsOf(const TableScope& scope) {
  Lists lists;
  for (size_t i = 0; i < scope.columns.size(); ++i) {
    const std::string_view comma = i == 0 ? "" : ", ";
    lists.inner += fmt::format("{}{} AS c{}", comma, scope.columns[i].Sql(), i);
    lists.outer += fmt::format("{}c{} AS {}", comma, i, scope.columns[i].Sql());
  }
  return lists;
}

Result<bool> IsDatabaseView(JobContext& context, const TableScope& scope) {
  if (!scope.is_database_object()) return false;
  auto rows = FetchJson(context.connection,
                        fmt::format("SELECT count(*) FROM duckdb_views() WHERE database_name = 'db'"
                                    " AND schema_name = {} AND view_name = {}",
                                    engine::QuoteText(scope.table->db_schema),
                                    engine::QuoteText(scope.table->db_name)));
  if (!rows.has_value()) return Failure(RunFailure(rows.error(), *scope.table));
  return AsInteger(rows->front().front()) > 0;
}

// Fewer rows than asked for, and why.
std::string LoweredNote(const SampleRowsIn& in, int64_t row_limit, size_t columns) {
  const bool by_cells = row_limit < std::min(in.n, in.limits.max_rows);
  return fmt::format(
      "n was lowered from {} to {}, {}.", in.n, row_limit,
      by_cells ? fmt::format("the cap of {} cells over {} columns", in.limits.max_cells, columns)
               : std::string("the most rows of one answer"));
}

}  // namespace

std::string SampleSql(const TableScope& scope, int64_t n, int64_t seed) {
  const Lists lists = ListsOf(scope);
  return fmt::format(
      "SELECT {} FROM (SELECT {}, row_number() OVER () - 1 AS i FROM {}) WHERE i IN"
      " (SELECT range FROM range((SELECT count(*) FROM {})) ORDER BY hash(range, {}::BIGINT), range"
      " LIMIT {}) ORDER BY i",
      lists.outer, lists.inner, scope.Sql(), scope.Sql(), seed, n);
}

std::string SampleByTextSql(const TableScope& scope, int64_t n, int64_t seed) {
  const Lists lists = ListsOf(scope);
  return fmt::format(
      "SELECT {} FROM (SELECT {}, CAST(t AS VARCHAR) AS i FROM {} AS t)"
      " ORDER BY hash(i, {}::BIGINT), i LIMIT {}",
      lists.outer, lists.inner, scope.Sql(), seed, n);
}

Result<std::string> RunSampleRows(JobContext& context, json::View arguments) {
  const auto start = std::chrono::steady_clock::now();
  TRY_ASSIGN(const SampleRowsIn in, json::Decode<SampleRowsIn>(arguments));
  TRY_ASSIGN(const TableScope scope, FindScope(context, in.name, in.columns));
  TRY_ASSIGN(const bool is_view, IsDatabaseView(context, scope));
  RowLimits limits = in.limits;
  limits.max_rows = std::min(in.n, in.limits.max_rows);
  const int64_t row_limit = RowLimit(limits, scope.columns.size());
  const std::string sql =
      is_view ? SampleByTextSql(scope, row_limit, in.seed) : SampleSql(scope, row_limit, in.seed);
  auto rows = context.connection.RunReadable(sql);
  if (!rows.has_value()) return Failure(RunFailure(rows.error(), *scope.table));
  auto answer =
      AnswerWithRows(context, *rows, {.sql = sql, .tables = {scope.name}, .limits = limits});
  if (!answer.has_value()) {
    if (!answer.error().is_engine) return Failure(std::move(answer).error().output);
    return Failure(RunFailure(answer.error().engine, *scope.table));
  }
  if (row_limit < in.n) {
    answer->counters.notes.push_back(LoweredNote(in, row_limit, scope.columns.size()));
  }
  answer->counters.elapsed_ms = ElapsedMs(start);
  return json::Encode(answer->counters);
}

}  // namespace ducat::analyst
