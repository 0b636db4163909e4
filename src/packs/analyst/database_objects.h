#pragma once
// Reads the list of tables and views of --db through a worker, page by page: an answer of a worker
// is bounded, a database is not. Control thread only; the runner outlives the coroutine.

#include <chrono>
#include <vector>

#include "base/task.h"
#include "packs/analyst/job_runner.h"
#include "packs/analyst/messages/ingest.h"

namespace ducat::analyst {

// Fails with database_locked, database_invalid or a run-time reason of the workers.
[[nodiscard]] Task<std::vector<DatabaseObject>> ReadDatabaseObjects(
    JobRunner& jobs, std::chrono::milliseconds timeout);

}  // namespace ducat::analyst
