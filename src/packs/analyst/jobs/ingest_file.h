#pragma once
// Job "ingest_file": one file of the data directory becomes <private>/out.tmp (or is found fit to
// be read in place). IngestFileIn -> META IngestFileOut. Role ingest only; job thread.

#include <string>

#include "worker/child/job.h"

namespace ducat::analyst {

[[nodiscard]] Result<std::string> RunIngestFile(worker::child::JobContext& context,
                                                json::View arguments);

}  // namespace ducat::analyst
