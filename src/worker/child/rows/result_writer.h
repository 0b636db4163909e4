#pragma once
// WriteResult: from a running statement to the ROWS and TEXT of a job's answer, under the caps of
// one reply. Used by every job that answers with rows. Job thread only; fails with what the engine
// says.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/child/job.h"
#include "worker/child/rows/value_style.h"

namespace ducat::rows {

struct ResultLimits {
  uint64_t rows_max = 500;
  uint64_t bytes_max = 32'768;  // of the rows, and of their text; one row is always sent
  uint64_t cell_characters_max = 1'000;
  uint64_t cell_offset = 0;  // of the long cells of a one-row result
};

struct ResultSummary {
  uint64_t row_count = 0;
  bool truncated = false;          // more rows exist
  bool bytes_max_reached = false;  // they were left out because of bytes_max
  uint64_t bytes = 0;              // of the rows
  uint64_t clipped_cells = 0;
  uint64_t cell_characters = 0;  // cap that was used: lower when one row alone was too long
  bool cell_offset_used = false;
  std::vector<std::string> forms;  // per column: number, string, boolean, array, object, mixed
};

// Unique names from the left: `a`, `a_1`; `A` and `a` count as the same (canvas.md 9).
[[nodiscard]] std::vector<std::string> UniqueNames(const std::vector<std::string>& names);

// Why an answer ended early: the engine, or the other end of the output.
struct WriteFailure {
  bool is_engine = false;
  engine::EngineError engine;
  Error output;
};

// `names`: header of the text table. Reads at most rows_max + 1 rows.
[[nodiscard]] tl::expected<ResultSummary, WriteFailure> WriteResult(
    engine::Rows& result, const std::vector<std::string>& names, const ResultLimits& limits,
    const ValueStyle& style, worker::child::Output& output);

}  // namespace ducat::rows
