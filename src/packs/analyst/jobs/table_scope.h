#pragma once
// TableScope: a table and the columns that a call names, looked up in the mounted catalog and in
// what the engine says about it. Everything that a job puts into SQL about a table comes from here,
// quoted. A value; made and used within one job. Job thread.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "worker/catalog.h"
#include "worker/child/engine/types.h"
#include "worker/child/job.h"

namespace ducat::analyst {

struct ScopedColumn {
  std::string name;
  std::string type;      // as callers see it
  engine::Type read_as;  // as values arrive
  size_t position = 0;   // in the table

  // "name", for SQL.
  [[nodiscard]] std::string Sql() const;
};

struct TableScope {
  std::string name;  // in the catalog's spelling
  const worker::CatalogTable* table = nullptr;
  std::vector<ScopedColumn> columns;  // those asked for, in that order; all when none was
  size_t column_count = 0;            // of the table

  // main."name", for SQL.
  [[nodiscard]] std::string Sql() const;
  [[nodiscard]] bool is_database_object() const { return !table->db_name.empty(); }
};

// Names are compared without ASCII case; an exact match wins. Double quotes around them are
// accepted. Attaches --db when the table is one of its objects. Reasons: unknown_table,
// unknown_column (with near names), table_pending, table_unreadable, database_locked,
// database_invalid.
[[nodiscard]] Result<TableScope> FindScope(worker::child::JobContext& context,
                                           std::string_view table,
                                           const std::vector<std::string>& columns);

}  // namespace ducat::analyst
