#include "packs/analyst/jobs/first_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "packs/analyst/jobs/json_rows.h"
#include "worker/child/rows/cells.h"

namespace ducat::analyst {
namespace {

using engine::EngineResult;

struct FirstRows {
  std::vector<std::vector<std::string>> values;  // by column, distinct, whole
  bool whole_table = false;                      // nothing comes after them
};

void Collect(const rows::Cells& cells, uint64_t row_count, size_t count,
             std::vector<std::string>& values) {
  std::string value;
  for (uint64_t row = 0; row < row_count && values.size() < count; ++row) {
    if (cells.vector.IsNull(row)) continue;
    value.clear();
    rows::AppendJson(cells, row, rows::kAnalystStyle, value);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
}

EngineResult<FirstRows> ReadFirstRows(engine::Connection& connection, const TableScope& scope,
                                      size_t count) {
  std::string items;
  for (const ScopedColumn& column : scope.columns) {
    items += (items.empty() ? "" : ", ") + column.Sql();
  }
  auto rows = connection.RunReadable(
      fmt::format("SELECT {} FROM {} LIMIT {}", items, scope.Sql(), kFirstRows));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  FirstRows first{.values = std::vector<std::vector<std::string>>(scope.columns.size())};
  size_t seen = 0;
  while (true) {
    auto next = rows->Next();
    if (!next.has_value()) return tl::unexpected(std::move(next).error());
    const engine::Chunk* chunk = *next;
    if (chunk == nullptr) break;
    seen += chunk->row_count();
    for (size_t i = 0; i < first.values.size(); ++i) {
      if (first.values[i].size() == count) continue;
      Collect(rows::Cells(rows->types()[i], chunk->column(i)), chunk->row_count(), count,
              first.values[i]);
    }
  }
  first.whole_table = seen < kFirstRows;
  return first;
}

}  // namespace

std::string FirstValuesSql(const TableScope& scope, const ScopedColumn& column, size_t count) {
  return fmt::format(
      "SELECT v FROM (SELECT v, min(i) AS first FROM"
      " (SELECT {} AS v, row_number() OVER () AS i FROM {})"
      " WHERE v IS NOT NULL GROUP BY v ORDER BY first LIMIT {})",
      column.Sql(), scope.Sql(), count);
}

EngineResult<std::vector<std::vector<std::string>>> FirstValues(engine::Connection& connection,
                                                                const TableScope& scope,
                                                                size_t count,
                                                                size_t characters_max) {
  if (count == 0 || scope.columns.empty()) {
    return std::vector<std::vector<std::string>>(scope.columns.size());
  }
  auto first = ReadFirstRows(connection, scope, count);
  if (!first.has_value()) return tl::unexpected(std::move(first).error());
  for (size_t i = 0; i < first->values.size(); ++i) {
    std::vector<std::string>& values = first->values[i];
    if (values.size() < count && !first->whole_table) {
      auto found = FetchJson(connection, FirstValuesSql(scope, scope.columns[i], count));
      if (!found.has_value()) return tl::unexpected(std::move(found).error());
      values.clear();
      for (JsonRow& row : *found) {
        values.push_back(std::move(row.front()));
      }
    }
    for (std::string& value : values) {
      value = ClipJson(std::move(value), characters_max);
    }
  }
  return std::move(first->values);
}

}  // namespace ducat::analyst
