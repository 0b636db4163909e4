#include "worker/child/guard/table_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "worker/child/engine/connection.h"
#include "worker/child/guard/functions.h"

namespace ducat::guard {
namespace {

// The views that the engine makes itself in `main` and `pg_catalog`, in byte order; a test compares
// them with the engine's.
constexpr std::array<std::string_view, 36> kEngineViews{"duckdb_columns",
                                                        "duckdb_constraints",
                                                        "duckdb_databases",
                                                        "duckdb_indexes",
                                                        "duckdb_logs",
                                                        "duckdb_schemas",
                                                        "duckdb_tables",
                                                        "duckdb_types",
                                                        "duckdb_views",
                                                        "pg_am",
                                                        "pg_attrdef",
                                                        "pg_attribute",
                                                        "pg_class",
                                                        "pg_collation",
                                                        "pg_constraint",
                                                        "pg_database",
                                                        "pg_depend",
                                                        "pg_description",
                                                        "pg_enum",
                                                        "pg_index",
                                                        "pg_indexes",
                                                        "pg_namespace",
                                                        "pg_prepared_statements",
                                                        "pg_proc",
                                                        "pg_sequence",
                                                        "pg_sequences",
                                                        "pg_settings",
                                                        "pg_tables",
                                                        "pg_tablespace",
                                                        "pg_type",
                                                        "pg_views",
                                                        "pragma_database_list",
                                                        "sqlite_master",
                                                        "sqlite_schema",
                                                        "sqlite_temp_master",
                                                        "sqlite_temp_schema"};

}  // namespace

bool IsSystemName(std::string_view name) {
  const std::string lower = AsciiLower(name);
  if (std::ranges::binary_search(kEngineViews, lower)) return true;
  static constexpr std::array<std::string_view, 3> kPrefixes{"duckdb_", "pg_", "pragma_"};
  const bool has_prefix = std::ranges::any_of(
      kPrefixes, [&](std::string_view prefix) { return lower.starts_with(prefix); });
  return has_prefix &&
         JudgeFunction(lower, FunctionPlace::kTable, worker::Profile::kAnalyst).answer !=
             FunctionAnswer::kUnknown;
}

bool IsSystemSchema(std::string_view schema) {
  static constexpr std::array<std::string_view, 4> kSchemas{"information_schema", "pg_catalog",
                                                            "system", "temp"};
  return std::ranges::any_of(
      kSchemas, [&](std::string_view system) { return EqualsIgnoringCase(schema, system); });
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && !IsAsciiDigit(name[0]) && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || IsAsciiDigit(c) || c == '_';
  });
}

std::string SqlName(std::string_view name) {
  return IsPlainName(name) ? std::string(name) : engine::QuoteIdentifier(name);
}

TableNames::TableNames(const worker::child::MountedCatalog& catalog)
    : catalog_(catalog), has_database_(std::ranges::any_of(catalog.tables(), [](const auto& entry) {
        return !entry.second.db_schema.empty();
      })) {}

void TableNames::Forget(size_t mark) {
  ctes_.erase(ctes_.begin() + static_cast<std::ptrdiff_t>(mark), ctes_.end());
}

void TableNames::AddCte(std::string_view name, bool recursive) {
  ctes_.push_back({.name = AsciiLower(name), .recursive = recursive});
  if (!recursive) ++ctes_seen_;
}

bool TableNames::HasCte(std::string_view name, bool recursive_only) const {
  return std::ranges::any_of(ctes_, [&](const Cte& cte) {
    return (cte.recursive || !recursive_only) && EqualsIgnoringCase(cte.name, name);
  });
}

TableVerdict TableNames::ResolveDatabase(std::string_view schema, std::string_view name) const {
  for (const auto& [key, table] : catalog_.tables()) {
    if (!table.db_schema.empty() && EqualsIgnoringCase(table.db_schema, schema) &&
        EqualsIgnoringCase(table.db_name, name)) {
      return {TableAnswer::kTable, &table};
    }
  }
  return {IsSystemSchema(schema) ? TableAnswer::kSystem : TableAnswer::kUnknown};
}

TableVerdict TableNames::Resolve(const TableName& name) const {
  const bool qualified = !name.schema.empty() || !name.catalog.empty();
  if (!qualified) {
    if (HasCte(name.name, false)) return {TableAnswer::kCte};
    if (const auto* table = catalog_.Find(name.name)) return {TableAnswer::kTable, table};
    return {IsSystemName(name.name) ? TableAnswer::kSystem : TableAnswer::kMaybePath};
  }
  if (name.catalog.empty() && EqualsIgnoringCase(name.schema, "recurring") &&
      HasCte(name.name, true)) {
    return {TableAnswer::kCte};
  }
  if (IsSystemSchema(name.schema) || IsSystemSchema(name.catalog)) return {TableAnswer::kSystem};
  if (EqualsIgnoringCase(name.catalog, "db")) return ResolveDatabase(name.schema, name.name);
  if (name.catalog.empty() && EqualsIgnoringCase(name.schema, "db")) {
    return ResolveDatabase("main", name.name);
  }
  const bool own = EqualsIgnoringCase(name.schema, "main") &&
                   (name.catalog.empty() || EqualsIgnoringCase(name.catalog, "memory"));
  if (!own) return {TableAnswer::kUnknown};
  if (const auto* table = catalog_.Find(name.name)) return {TableAnswer::kTable, table};
  return {IsSystemName(name.name) ? TableAnswer::kSystem : TableAnswer::kUnknown};
}

TableVerdict TableNames::ResolveSchema(std::string_view catalog, std::string_view schema) const {
  if (IsSystemSchema(schema) || IsSystemSchema(catalog)) return {TableAnswer::kSystem};
  const bool own = EqualsIgnoringCase(schema, "main") &&
                   (catalog.empty() || EqualsIgnoringCase(catalog, "memory"));
  if (own) return {TableAnswer::kTable};
  const bool whole = catalog.empty() && EqualsIgnoringCase(schema, "db");
  if (!whole && !EqualsIgnoringCase(catalog, "db")) return {TableAnswer::kUnknown};
  const bool known = std::ranges::any_of(catalog_.tables(), [&](const auto& entry) {
    return EqualsIgnoringCase(entry.second.db_schema, whole ? "main" : schema);
  });
  return {known ? TableAnswer::kTable : TableAnswer::kUnknown};
}

}  // namespace ducat::guard
