#pragma once
// Job "profile_table" (analyst.md 5.3): statistics of columns. ProfileTableIn -> META
// ProfileTableOut. Job thread.

#include <string>

#include "worker/child/job.h"

namespace ducat::analyst {

// Rows up to which distinct values are always counted, and the estimate up to which they are above.
inline constexpr int64_t kExactDistinctRowsMax = 2'000'000;
inline constexpr int64_t kExactDistinctEstimateMax = 10'000;

[[nodiscard]] Result<std::string> RunProfileTable(worker::child::JobContext& context,
                                                  json::View arguments);

}  // namespace ducat::analyst
