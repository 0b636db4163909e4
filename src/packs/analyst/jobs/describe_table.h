#pragma once
// Jobs "describe_table" and "column_nulls" (analyst.md 5.2, 5.7): counts of NULLs and first
// distinct values. DescribeTableIn -> META DescribeTableOut; ColumnNullsIn -> META ColumnNullsOut.
// Job thread.

#include <string>

#include "worker/child/job.h"

namespace ducat::analyst {

[[nodiscard]] Result<std::string> RunDescribeTable(worker::child::JobContext& context,
                                                   json::View arguments);
[[nodiscard]] Result<std::string> RunColumnNulls(worker::child::JobContext& context,
                                                 json::View arguments);

}  // namespace ducat::analyst
