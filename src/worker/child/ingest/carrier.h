#pragma once
// Carriers: Parquet does not give every type of the engine back (HUGEINT returns as DOUBLE,
// INTERVAL loses its microseconds, UNION returns as STRUCT, ...; analyst.md 3.6). Such columns are
// stored in a carrying type and restored when the table is mounted, exactly, at every depth. Pure
// but for MountSql; job thread.

#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/catalog.h"
#include "worker/child/engine/connection.h"
#include "worker/child/engine/types.h"

namespace ducat::ingest {

// The type in the file; empty when the column is stored as it is.
[[nodiscard]] std::string CarrierOf(const engine::Type& type);
// SQL: `value` of `type` as it is stored, and a stored value as `type` again.
[[nodiscard]] std::string StoreSql(const engine::Type& type, std::string_view value);
[[nodiscard]] std::string RestoreSql(const engine::Type& type, std::string_view value);

// SELECT that reads a table's file as its columns say: the body of its view. Reason
// table_unreadable when a column's type is not one of the engine's.
[[nodiscard]] Result<std::string> MountSql(const worker::CatalogTable& table,
                                           engine::Connection& connection);

}  // namespace ducat::ingest
