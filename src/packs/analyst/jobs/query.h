#pragma once
// Job "query": one guarded statement, its rows and what can be said about them (analyst.md 5.5).
// QueryIn -> META QueryMeta, ROWS, TEXT, counters QueryCounters. Job thread. Fails with the reasons
// of guard.md 7 and 8, table_pending, table_unreadable, database_locked, invalid_arguments.

#include <string>

#include "worker/child/job.h"

namespace ducat::analyst {

[[nodiscard]] Result<std::string> RunQuery(worker::child::JobContext& context,
                                           json::View arguments);

}  // namespace ducat::analyst
