#pragma once
// Job "explain_query": the physical plan of a guarded statement (analyst.md 5.6). ExplainQueryIn ->
// META ExplainQueryOut. A leading EXPLAIN is ignored; only `analyze` executes anything. Job thread.
// Fails as "query" does.

#include <string>

#include "worker/child/job.h"

namespace ducat::analyst {

[[nodiscard]] Result<std::string> RunExplainQuery(worker::child::JobContext& context,
                                                  json::View arguments);

// The text with a leading EXPLAIN and its options replaced by blanks, so that positions stay.
[[nodiscard]] std::string WithoutExplain(std::string_view sql);

}  // namespace ducat::analyst
