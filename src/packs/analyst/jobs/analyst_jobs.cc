#include "packs/analyst/jobs/analyst_jobs.h"

#include "packs/analyst/jobs/explain_query.h"
#include "packs/analyst/jobs/ingest_file.h"
#include "packs/analyst/jobs/query.h"

namespace ducat::analyst {

std::vector<worker::child::JobEntry> AnalystJobs() {
  return {
      {"ingest_file", &RunIngestFile},
      {"query", &RunQuery},
      {"explain_query", &RunExplainQuery},
  };
}

}  // namespace ducat::analyst
