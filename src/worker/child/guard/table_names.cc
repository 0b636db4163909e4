#include "worker/child/guard/table_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "worker/child/engine/connection.h"

namespace ducat::guard {
namespace {

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower_prefix) {
  return text.size() >= lower_prefix.size() &&
         EqualsIgnoringCase(text.substr(0, lower_prefix.size()), lower_prefix);
}

}  // namespace

bool IsSystemName(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kPrefixes{"duckdb_", "pg_", "sqlite_",
                                                             "pragma_"};
  return std::ranges::any_of(
      kPrefixes, [&](std::string_view prefix) { return StartsWithIgnoringCase(name, prefix); });
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
