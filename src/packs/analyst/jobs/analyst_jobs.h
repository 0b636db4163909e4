#pragma once
// All jobs of the analyst pack, for ducat-worker's main program. Each job is one file of this
// folder.

#include <vector>

#include "worker/child/job.h"

namespace ducat::analyst {

[[nodiscard]] std::vector<worker::child::JobEntry> AnalystJobs();

}  // namespace ducat::analyst
