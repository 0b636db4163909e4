#pragma once
// Arguments and results of the analyst's jobs, each described once by its Fields(). Included by the
// control plane (which sends them) and by jobs/ (which answers); nothing of the engine is in them.
// A job decodes its arguments with json::Decode and encodes its result with json::Encode.
//
//   job                   arguments               META                    DONE counters
//   ingest_file           IngestFileIn            IngestFileOut           {}
//   database_objects      DatabaseObjectsIn       DatabaseObjectsOut      {}
//   describe_table        DescribeTableIn         DescribeTableOut        {}
//   column_nulls          ColumnNullsIn           ColumnNullsOut          {}
//   profile_table         ProfileTableIn          ProfileTableOut         {}
//   table_relationships   TableRelationshipsIn    TableRelationshipsOut   {}
//   sample_rows           SampleRowsIn            QueryMeta + ROWS/TEXT   QueryCounters
//   query                 QueryIn                 QueryMeta + ROWS/TEXT   QueryCounters
//   explain_query         ExplainQueryIn          ExplainQueryOut         {}

#include "packs/analyst/messages/describe.h"
#include "packs/analyst/messages/ingest.h"
#include "packs/analyst/messages/profile.h"
#include "packs/analyst/messages/query.h"
#include "packs/analyst/messages/relationships.h"
