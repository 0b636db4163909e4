#pragma once
// Job "sample_rows" (analyst.md 5.4): the same rows for every thread count and run. SampleRowsIn ->
// META QueryMeta, ROWS, TEXT, counters QueryCounters. Job thread.

#include <cstdint>
#include <string>

#include "packs/analyst/jobs/table_scope.h"
#include "worker/child/job.h"

namespace ducat::analyst {

// The n rows whose position has the smallest hash(position, seed), in row order.
[[nodiscard]] std::string SampleSql(const TableScope& scope, int64_t n, int64_t seed);
// For rows without a position (views of --db): by the hash of the row's text, in that order.
[[nodiscard]] std::string SampleByTextSql(const TableScope& scope, int64_t n, int64_t seed);

[[nodiscard]] Result<std::string> RunSampleRows(worker::child::JobContext& context,
                                                json::View arguments);

}  // namespace ducat::analyst
