#pragma once
// Job "database_objects": tables and views of the attached --db with their columns and row counts.
// DatabaseObjectsIn -> META DatabaseObjectsOut, in pages that fit. Job thread.

#include <string>

#include "worker/child/job.h"

namespace ducat::analyst {

// Reasons: database_locked, database_invalid.
[[nodiscard]] Result<std::string> RunDatabaseObjects(worker::child::JobContext& context,
                                                     json::View arguments);

}  // namespace ducat::analyst
