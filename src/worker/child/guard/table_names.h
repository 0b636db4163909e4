#pragma once
// Names in FROM (guard.md 6.6): CTEs visible at that place, tables of the catalog, and which names
// belong to the engine's own catalogs. One object per walk.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/mounted_catalog.h"

namespace ducat::guard {

struct TableName {
  std::string_view catalog, schema, name;
};

enum class TableAnswer : uint8_t {
  kCte,
  kTable,
  kSystem,     // a catalog of the engine
  kMaybePath,  // unknown and unqualified: may be a file
  kUnknown,
};

struct TableVerdict {
  TableAnswer answer = TableAnswer::kUnknown;
  const worker::CatalogTable* table = nullptr;  // kTable
};

class TableNames {
 public:
  explicit TableNames(const worker::child::MountedCatalog& catalog);

  // CTE scope: names added since a mark are forgotten when it is given back.
  [[nodiscard]] size_t Mark() const { return ctes_.size(); }
  void Forget(size_t mark);
  void AddCte(std::string_view name, bool recursive);

  [[nodiscard]] TableVerdict Resolve(const TableName& name) const;
  // A schema in SHOW TABLES FROM: kTable when its tables can be listed.
  [[nodiscard]] TableVerdict ResolveSchema(std::string_view catalog, std::string_view schema) const;
  // Whether the catalog has objects of a database file, whose macros a qualified call could reach.
  [[nodiscard]] bool has_database() const { return has_database_; }
  [[nodiscard]] size_t ctes_seen() const { return ctes_seen_; }

 private:
  struct Cte {
    std::string name;  // lower case
    bool recursive;    // open: recurring.<name> reads it
  };
  [[nodiscard]] bool HasCte(std::string_view name, bool recursive_only) const;
  [[nodiscard]] TableVerdict ResolveDatabase(std::string_view schema, std::string_view name) const;

  const worker::child::MountedCatalog& catalog_;
  std::vector<Cte> ctes_;
  size_t ctes_seen_ = 0;
  bool has_database_ = false;
};

// A name as it can stand in SQL: quoted only where it must be, as far as its characters tell.
[[nodiscard]] std::string SqlName(std::string_view name);
[[nodiscard]] bool IsPlainName(std::string_view name);
// A view or table function of the engine's own, by its exact name: a table of the user may begin
// with duckdb_ or pg_ too, and is then unknown or unreadable like any other.
[[nodiscard]] bool IsSystemName(std::string_view name);
[[nodiscard]] bool IsSystemSchema(std::string_view schema);

}  // namespace ducat::guard
