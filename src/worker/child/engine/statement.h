#pragma once
// One prepared statement: prepare, bind, run, with errors as values. For the .cc files of this
// folder only (includes duckdb.h). Job thread.

#include <string_view>
#include <utility>

#include "worker/child/engine/connection.h"
#include "worker/child/engine/handles.h"

namespace ducat::engine {

[[nodiscard]] EngineResult<PreparedHandle> PrepareStatement(duckdb_connection connection,
                                                            std::string_view sql);
// Binds every parameter of the statement; one without a value is an error ("Invalid Input").
[[nodiscard]] EngineResult<void> BindParameters(duckdb_prepared_statement statement,
                                                const NamedParameters& parameters);
// Exactly one statement without parameters, planned once and run to its end.
[[nodiscard]] EngineResult<ResultHandle> ExecuteWhole(duckdb_connection connection,
                                                      std::string_view sql);
[[nodiscard]] EngineResult<ResultHandle> ExecuteStreaming(duckdb_prepared_statement statement);
// "SELECT", "EXPLAIN", ...
[[nodiscard]] std::string_view StatementKind(duckdb_prepared_statement statement);

}  // namespace ducat::engine
