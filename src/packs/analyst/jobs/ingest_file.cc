#include "packs/analyst/jobs/ingest_file.h"

#include "json/decode.h"
#include "packs/analyst/jobs/meta.h"
#include "packs/analyst/messages/ingest.h"
#include "worker/child/ingest/ingest.h"

namespace ducat::analyst {
namespace {

ingest::SourceFormat FormatOf(FileFormat format) {
  switch (format) {
    case FileFormat::kCsv:
      return ingest::SourceFormat::kCsv;
    case FileFormat::kTsv:
      return ingest::SourceFormat::kTsv;
    case FileFormat::kParquet:
      return ingest::SourceFormat::kParquet;
    case FileFormat::kJson:
    case FileFormat::kJsonl:
    case FileFormat::kNdjson:
      return ingest::SourceFormat::kJson;
  }
  return ingest::SourceFormat::kCsv;
}

LoadWarning WarningOf(ingest::TypeFinding finding) {
  LoadWarning warning{.code = std::move(finding.code),
                      .column = {},
                      .count = finding.count,
                      .message = std::move(finding.message),
                      .suggestion = {}};
  if (!finding.column.empty()) warning.column = std::move(finding.column);
  if (!finding.suggestion.empty()) warning.suggestion = std::move(finding.suggestion);
  return warning;
}

}  // namespace

Result<std::string> RunIngestFile(worker::child::JobContext& context, json::View arguments) {
  TRY_ASSIGN(const IngestFileIn in, json::Decode<IngestFileIn>(arguments));
  const ingest::IngestRequest request{.data_dir = context.hello.data_dir,
                                      .private_dir = context.hello.private_dir,
                                      .path = in.path,
                                      .format = FormatOf(in.format),
                                      .bytes_max = context.hello.file_bytes_max};
  TRY_ASSIGN(ingest::IngestedTable table,
             ingest::IngestFile(context.connection, request, context.interrupted));
  IngestFileOut out{.columns = std::move(table.columns),
                    .row_count = table.row_count,
                    .bytes = table.bytes,
                    .in_place = table.in_place,
                    .warnings = {}};
  for (ingest::TypeFinding& finding : table.findings) {
    out.warnings.push_back(WarningOf(std::move(finding)));
  }
  return SendMeta(context, out);
}

}  // namespace ducat::analyst
