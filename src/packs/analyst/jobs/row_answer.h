#pragma once
// A running statement as the answer of a job: META, ROWS, TEXT and the counters of DONE, under the
// caps of one reply, with the notes that follow from the caps alone. Shared by "query" and
// "sample_rows".

#include <chrono>
#include <string>
#include <vector>

#include "packs/analyst/messages/query.h"
#include "worker/child/engine/connection.h"
#include "worker/child/job.h"
#include "worker/child/rows/result_writer.h"

namespace ducat::analyst {

struct RowRequest {
  std::string sql;                  // as the caller sees it
  std::vector<std::string> tables;  // catalog tables used
  RowLimits limits;
  int64_t cell_offset = 0;
};

struct RowAnswer {
  QueryCounters counters;  // elapsed_ms is left to the caller
  int64_t row_limit = 0;
};

// rows x columns within max_cells, at least 1 (analyst.md 5.5).
[[nodiscard]] int64_t RowLimit(const RowLimits& limits, size_t columns);

// The statement must offer one row more than limits.max_rows, when there is one.
[[nodiscard]] tl::expected<RowAnswer, rows::WriteFailure> AnswerWithRows(
    worker::child::JobContext& context, engine::Rows& rows, const RowRequest& request);

// Milliseconds since `start`, to the microsecond.
[[nodiscard]] double ElapsedMs(std::chrono::steady_clock::time_point start);

}  // namespace ducat::analyst
