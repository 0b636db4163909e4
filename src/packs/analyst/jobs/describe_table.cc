#include "packs/analyst/jobs/describe_table.h"

#include <cmath>

#include <fmt/format.h>

#include "json/decode.h"
#include "packs/analyst/jobs/first_values.h"
#include "packs/analyst/jobs/json_rows.h"
#include "packs/analyst/jobs/meta.h"
#include "packs/analyst/jobs/run_failure.h"
#include "packs/analyst/jobs/table_scope.h"
#include "packs/analyst/messages/describe.h"

namespace ducat::analyst {
namespace {

using worker::child::JobContext;

struct Counts {
  int64_t rows = 0;
  std::vector<int64_t> values;  // not NULL, by column of the scope
};

std::string CountsSql(const TableScope& scope) {
  std::string items = "count(*)";
  for (const ScopedColumn& column : scope.columns) {
    items += ", count(" + column.Sql() + ")";
  }
  return "SELECT " + items + " FROM " + scope.Sql();
}

Result<Counts> ReadCounts(JobContext& context, const TableScope& scope) {
  auto rows = FetchJson(context.connection, CountsSql(scope));
  if (!rows.has_value()) return Failure(RunFailure(rows.error(), *scope.table));
  Counts counts{.rows = AsInteger(rows->front().front())};
  for (size_t i = 0; i < scope.columns.size(); ++i) {
    counts.values.push_back(AsInteger(rows->front()[1 + i]));
  }
  return counts;
}

// NOT NULL columns of a database object, by position.
Result<std::vector<bool>> ReadNullable(JobContext& context, const TableScope& scope) {
  std::vector<bool> nullable(scope.column_count, true);
  if (!scope.is_database_object()) return nullable;
  auto rows =
      FetchJson(context.connection,
                fmt::format("SELECT column_index FROM duckdb_columns() WHERE database_name = 'db'"
                            " AND schema_name = {} AND table_name = {} AND NOT is_nullable",
                            engine::QuoteText(scope.table->db_schema),
                            engine::QuoteText(scope.table->db_name)));
  if (!rows.has_value()) return Failure(RunFailure(rows.error(), *scope.table));
  for (const JsonRow& row : *rows) {
    const auto index = static_cast<size_t>(AsInteger(row.front()));
    if (index >= 1 && index <= nullable.size()) nullable[index - 1] = false;
  }
  return nullable;
}

double Percent(int64_t part, int64_t whole) {
  if (whole == 0) return 0.0;
  return std::round(10'000.0 * static_cast<double>(part) / static_cast<double>(whole)) / 100.0;
}

}  // namespace

Result<std::string> RunDescribeTable(JobContext& context, json::View arguments) {
  TRY_ASSIGN(const DescribeTableIn in, json::Decode<DescribeTableIn>(arguments));
  TRY_ASSIGN(TableScope scope, FindScope(context, in.name, in.columns));
  if (scope.columns.size() > kColumnsPerCallMax) scope.columns.resize(kColumnsPerCallMax);
  TRY_ASSIGN(const Counts counts, ReadCounts(context, scope));
  TRY_ASSIGN(const std::vector<bool> nullable, ReadNullable(context, scope));
  auto samples = FirstValues(context.connection, scope, static_cast<size_t>(in.samples),
                             static_cast<size_t>(kSampleCharactersMax));
  if (!samples.has_value()) return Failure(RunFailure(samples.error(), *scope.table));
  DescribeTableOut out{.name = scope.name,
                       .row_count = counts.rows,
                       .column_count = static_cast<int64_t>(scope.column_count),
                       .columns = {}};
  for (size_t i = 0; i < scope.columns.size(); ++i) {
    const ScopedColumn& column = scope.columns[i];
    DescribedColumn described{.name = column.name,
                              .type = column.type,
                              .nullable = nullable[column.position],
                              .null_count = counts.rows - counts.values[i],
                              .sample_values = {}};
    for (std::string& value : (*samples)[i]) {
      described.sample_values.push_back(json::AnyValue{std::move(value)});
    }
    out.columns.push_back(std::move(described));
  }
  return SendMeta(context, out);
}

Result<std::string> RunColumnNulls(JobContext& context, json::View arguments) {
  TRY_ASSIGN(const ColumnNullsIn in, json::Decode<ColumnNullsIn>(arguments));
  ColumnNullsOut out;
  for (const ColumnNullsTable& table : in.tables) {
    const Result<TableScope> scope = FindScope(context, table.name, table.columns);
    if (!scope.has_value()) continue;  // the search goes on without its figures
    const Result<Counts> counts = ReadCounts(context, *scope);
    if (!counts.has_value()) {
      if (counts.error().reason == "table_unreadable") continue;
      return Failure(counts.error());
    }
    for (size_t i = 0; i < scope->columns.size(); ++i) {
      out.columns.push_back({.table = scope->name,
                             .column = scope->columns[i].name,
                             .null_pct = Percent(counts->rows - counts->values[i], counts->rows)});
    }
  }
  return SendMeta(context, out);
}

}  // namespace ducat::analyst
