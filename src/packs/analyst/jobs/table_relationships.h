#pragma once
// Job "table_relationships" (analyst.md 5.8): likely join keys, by names first and then by values.
// TableRelationshipsIn -> META TableRelationshipsOut. Job thread.

#include <string>

#include "worker/child/job.h"

namespace ducat::analyst {

[[nodiscard]] Result<std::string> RunTableRelationships(worker::child::JobContext& context,
                                                        json::View arguments);

}  // namespace ducat::analyst
