#pragma once
// Notes about a finished query that need the data (analyst.md 5.5): rows without an order, a join
// that counts values more than once, aggregates over columns with many NULLs, no rows because of a
// value that is nearly another. Only what is certain, within a small budget; never fails. Job
// thread.

#include <string>

#include "packs/analyst/messages/query.h"
#include "worker/child/job.h"

namespace ducat::analyst {

// What a note may cost.
struct NoteLimits {
  double statement_ms_max = 2'000;     // a query that took longer gets no note that reads data
  double notes_ms_max = 100;           // no further one after this
  int64_t table_rows_max = 5'000'000;  // larger tables are not looked at
  int64_t distinct_max = 1'000;        // values among which near ones are looked for
  double null_share_min = 0.1;
};

struct FinishedQuery {
  std::string sql;  // as executed, without the wrapper
  double elapsed_ms = 0;
  NoteLimits limits = {};
};

// Appends to counters.notes; reads its row_count and truncated.
void AddDataNotes(worker::child::JobContext& context, const FinishedQuery& query,
                  QueryCounters& counters);

}  // namespace ducat::analyst
