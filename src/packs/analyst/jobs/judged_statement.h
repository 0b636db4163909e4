#pragma once
// From a caller's SQL to a statement that may run: parameters from JSON, the guard's verdict,
// tables that can be read, the database attached when it is needed. Shared by the jobs that run
// SQL. Job thread.

#include <map>
#include <string>

#include "json/shape.h"
#include "packs/analyst/messages/query.h"
#include "worker/child/engine/connection.h"
#include "worker/child/guard/guard.h"
#include "worker/child/job.h"

namespace ducat::analyst {

// Scalars only, of the declared type where `types` has one (reason invalid_arguments, names the
// parameter).
[[nodiscard]] Result<engine::NamedParameters> ToParameters(
    const std::map<std::string, json::AnyValue>& params,
    const std::map<std::string, ParameterType>& types);

// Before the engine opens the file of a table: reason table_unreadable when it is no regular file.
[[nodiscard]] Status CheckFile(const worker::CatalogTable& table);

// Reasons: all of guard.md 7, table_pending, table_unreadable, database_locked, database_invalid.
[[nodiscard]] Result<guard::Verdict> JudgeStatement(worker::child::JobContext& context,
                                                    std::string_view sql,
                                                    const engine::NamedParameters& parameters,
                                                    uint64_t row_limit);

}  // namespace ducat::analyst
