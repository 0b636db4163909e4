#pragma once
// First distinct non-NULL values of columns in row order: from the table's first rows for most
// columns, by one grouping query for each that has too few there. Job thread.

#include <cstddef>
#include <string>
#include <vector>

#include "packs/analyst/jobs/table_scope.h"
#include "worker/child/engine/connection.h"

namespace ducat::analyst {

// Rows looked at before a column is searched on its own.
inline constexpr size_t kFirstRows = 10'240;

// SQL of the first `count` distinct values of a column.
[[nodiscard]] std::string FirstValuesSql(const TableScope& scope, const ScopedColumn& column,
                                         size_t count);

// Per column of the scope: at most `count` values as JSON, cut to `characters_max`.
[[nodiscard]] engine::EngineResult<std::vector<std::vector<std::string>>> FirstValues(
    engine::Connection& connection, const TableScope& scope, size_t count, size_t characters_max);

}  // namespace ducat::analyst
