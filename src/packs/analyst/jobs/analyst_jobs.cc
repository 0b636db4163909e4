#include "packs/analyst/jobs/analyst_jobs.h"

#include "packs/analyst/jobs/database_objects.h"
#include "packs/analyst/jobs/describe_table.h"
#include "packs/analyst/jobs/explain_query.h"
#include "packs/analyst/jobs/ingest_file.h"
#include "packs/analyst/jobs/profile_table.h"
#include "packs/analyst/jobs/query.h"
#include "packs/analyst/jobs/sample_rows.h"
#include "packs/analyst/jobs/table_relationships.h"

namespace ducat::analyst {

std::vector<worker::child::JobEntry> AnalystJobs() {
  return {
      {"ingest_file", &RunIngestFile},
      {"database_objects", &RunDatabaseObjects},
      {"describe_table", &RunDescribeTable},
      {"column_nulls", &RunColumnNulls},
      {"profile_table", &RunProfileTable},
      {"sample_rows", &RunSampleRows},
      {"table_relationships", &RunTableRelationships},
      {"query", &RunQuery},
      {"explain_query", &RunExplainQuery},
  };
}

}  // namespace ducat::analyst
