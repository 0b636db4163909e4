#include "worker/child/ingest/table_file.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "worker/child/ingest/carrier.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;

// The columns of the SELECT, and the SELECT that stores them.
struct Plan {
  std::vector<worker::CatalogColumn> columns;
  std::string sql;
};

// The mounting side gets the type as text; unnamed structs have one that the engine does not read
// back.
bool CanSpell(engine::Connection& connection, const std::string& type) {
  return connection.Run("SELECT CAST(NULL AS " + type + ") LIMIT 0").has_value();
}

EngineResult<Plan> PlanStorage(engine::Connection& connection, std::string_view select_sql) {
  auto rows = connection.Run(fmt::format("SELECT * FROM ({}) LIMIT 0", select_sql));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  Plan plan;
  std::string items;
  for (size_t i = 0; i < rows->columns().size(); ++i) {
    const engine::ResultColumn& column = rows->columns()[i];
    const std::string name = engine::QuoteIdentifier(column.name);
    plan.columns.push_back(
        {.name = column.name, .type = column.type, .carrier = CarrierOf(rows->types()[i])});
    if (!plan.columns.back().carrier.empty() && !CanSpell(connection, column.type)) {
      return tl::unexpected(
          engine::EngineError{.type = "Not implemented",
                              .message = "Column " + name + " of type " + column.type +
                                         " cannot be stored: name the fields of its structs"});
    }
    if (i > 0) items += ", ";
    items += plan.columns.back().carrier.empty() ? name
                                                 : StoreSql(rows->types()[i], name) + " AS " + name;
  }
  plan.sql = fmt::format("SELECT {} FROM ({})", items, select_sql);
  return plan;
}

EngineResult<int64_t> CopyOut(engine::Connection& connection, std::string_view select_sql,
                              const std::string& path) {
  auto rows = connection.Run(
      fmt::format("COPY ({}) TO {} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {})",
                  select_sql, engine::QuoteText(path), kRowGroupRows));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto counts = rows->AllText();
  if (!counts.has_value()) return tl::unexpected(std::move(counts).error());
  int64_t count = 0;
  if (!counts->empty() && !counts->front().empty() && counts->front().front().has_value()) {
    const std::string& text = *counts->front().front();
    std::from_chars(text.data(), text.data() + text.size(), count);
  }
  return count;
}

}  // namespace

EngineResult<TableFile> WriteTable(engine::Connection& connection, std::string_view select_sql,
                                   std::string_view private_dir) {
  auto plan = PlanStorage(connection, select_sql);
  if (!plan.has_value()) return tl::unexpected(std::move(plan).error());
  const std::filesystem::path path = std::filesystem::path(private_dir) / kStagedName;
  std::error_code ignored;
  auto count = CopyOut(connection, plan->sql, path.string());
  if (!count.has_value()) {
    std::filesystem::remove(path, ignored);
    return tl::unexpected(std::move(count).error());
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
  return TableFile{.columns = std::move(plan->columns),
                   .row_count = *count,
                   .bytes = ignored ? 0 : static_cast<int64_t>(bytes)};
}

}  // namespace ducat::ingest
