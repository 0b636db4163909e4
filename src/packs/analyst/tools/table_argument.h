#pragma once
// Table and column arguments: looked up in the catalog, never spliced. Unknown names are refused
// with near ones. Pure functions of the catalog.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "packs/analyst/catalog.h"

namespace ducat::analyst {

// Fails with unknown_table.
[[nodiscard]] Result<const TableEntry*> FindTable(const Catalog& catalog, std::string_view name);

// What stands against reading the table: table_pending or table_unreadable; nothing for ready and
// empty ones.
[[nodiscard]] Status CheckReadable(const TableEntry& entry);

// As CheckReadable, and an empty file, which has no columns, is refused too.
[[nodiscard]] Status CheckHasColumns(const TableEntry& entry);

// The table's own spelling of each name. Fails with unknown_column.
[[nodiscard]] Result<std::vector<std::string>> FindColumns(const TableEntry& entry,
                                                           const std::vector<std::string>& names);

}  // namespace ducat::analyst
