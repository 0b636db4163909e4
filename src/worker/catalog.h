#pragma once
// The catalog as a worker knows it: tables it mounts, visible files that literal paths may name.
// Sent as CATALOG frames, each a delta from the version the worker has. Plain values.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "json/shape.h"

namespace ducat::worker {

// A column that Parquet cannot hold is stored as `carrier` and cast back to `type` when mounted.
struct CatalogColumn {
  std::string name;
  std::string type;     // the engine's type text, e.g. "DECIMAL(10,2)"
  std::string carrier;  // empty: stored as it is

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&CatalogColumn::name>("name", "column name"),
                      Describe<&CatalogColumn::type>("type", "type in SQL"),
                      Describe<&CatalogColumn::carrier>("carrier", "type in the file")};
  }
};

struct CatalogTable {
  std::string name;    // name in SQL, lower case
  std::string source;  // "articles/2025.csv", "db:main.orders"
  // Absolute path of the Parquet file to read; empty for database objects and for tables that are
  // not loaded yet (a query on one fails with table_pending before it reaches the worker).
  std::string file;
  std::string db_schema, db_name;  // database objects
  std::vector<CatalogColumn> columns;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&CatalogTable::name>("name", "table name"),
                      Describe<&CatalogTable::source>("source", "where it comes from"),
                      Describe<&CatalogTable::file>("file", "Parquet file"),
                      Describe<&CatalogTable::db_schema>("db_schema", "schema in the database"),
                      Describe<&CatalogTable::db_name>("db_name", "name in the database"),
                      Describe<&CatalogTable::columns>("columns", "columns, in order")};
  }
};

struct CatalogDelta {
  uint64_t from_version = 0;  // 0: replaces everything
  uint64_t version = 0;
  std::vector<CatalogTable> tables;  // added or changed
  std::vector<std::string> removed;  // table names
  std::vector<std::string> files;    // visible files added, relative to the data directory
  // Visible names that lead out of the data directory: known so that SQL that names one is refused
  // as such, never read. Removed through removed_files.
  std::vector<std::string> outside_files;
  std::vector<std::string> removed_files;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&CatalogDelta::from_version>("from_version", "version it applies to"),
        Describe<&CatalogDelta::version>("version", "version after it"),
        Describe<&CatalogDelta::tables>("tables", "added or changed tables"),
        Describe<&CatalogDelta::removed>("removed", "removed tables"),
        Describe<&CatalogDelta::files>("files", "added files"),
        Describe<&CatalogDelta::outside_files>("outside_files", "visible names that lead out"),
        Describe<&CatalogDelta::removed_files>("removed_files", "removed files")};
  }
};

}  // namespace ducat::worker
