#include "packs/analyst/jobs/ingest_file.h"

#include <optional>
#include <string>

#include "base/path_text.h"
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

// What the answer leaves for the columns and for the warnings: one frame carries both.
constexpr size_t kWarningBytesMin = size_t{64} << 10;
constexpr size_t kMoreWarningBytes = 512;
// Of that, the most that names as the file writes them may take; further ones are left out.
constexpr size_t kOriginalNameBytesMax = size_t{8} << 10;

// Names and types that no catalog can carry: a header line that is data, a key that is a document.
Status CheckColumns(const IngestFileOut& out, FileFormat format) {
  const size_t bytes = json::Encode(out).size();
  if (bytes <= kMetaBytesMax - kWarningBytesMin) return {};
  const bool is_delimited = format == FileFormat::kCsv || format == FileFormat::kTsv;
  return Fail(ErrorCode::kFailedPrecondition, is_delimited ? "line_too_long" : "too_large",
              "The names and types of the " + std::to_string(out.columns.size()) +
                  " columns take " + std::to_string(bytes) + " bytes, the limit is " +
                  std::to_string(kMetaBytesMax - kWarningBytesMin),
              is_delimited ? "Check that the first line holds short names."
                           : "Give the fields short names, or fewer of them.");
}

// As many warnings as fit, and how many there are beyond them.
void AddWarnings(std::vector<LoadWarning> warnings, IngestFileOut& out) {
  size_t left = kMetaBytesMax - json::Encode(out).size() - kMoreWarningBytes;
  size_t added = 0;
  for (; added < warnings.size(); ++added) {
    const size_t bytes = json::Encode(warnings[added]).size() + 1;
    if (bytes > left) break;
    left -= bytes;
    out.warnings.push_back(std::move(warnings[added]));
  }
  if (added == warnings.size()) return;
  out.warnings.push_back({.code = "more_warnings",
                          .column = {},
                          .count = static_cast<int64_t>(warnings.size() - added),
                          .message = "Further warnings do not fit into the report",
                          .suggestion = {}});
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

FileFacts FactsOf(ingest::IngestedTable& table) {
  FileFacts facts{.encoding = {}, .dialect = {}, .rejected = table.rejected, .original_names = {}};
  if (!table.encoding.empty()) facts.encoding = std::move(table.encoding);
  if (table.dialect.has_value()) {
    const ingest::FoundDialect& found = *table.dialect;
    facts.dialect = FileDialect{.delimiter = found.delimiter,
                                .quote = found.quote,
                                .escape = found.escape,
                                .newline = found.newline,
                                .header = found.header,
                                .decimal_separator = found.decimal_separator};
  }
  size_t bytes = 0;
  for (ingest::OriginalName& name : table.original_names) {
    bytes += name.column.size() + name.written.size();
    if (bytes > kOriginalNameBytesMax) break;
    facts.original_names.push_back(
        {.column = std::move(name.column), .written = std::move(name.written)});
  }
  return facts;
}

}  // namespace

Result<std::string> RunIngestFile(worker::child::JobContext& context, json::View arguments) {
  TRY_ASSIGN(const IngestFileIn in, json::Decode<IngestFileIn>(arguments));
  const std::optional<std::string> path = in.escaped ? PathOfShown(in.path) : in.path;
  if (!path.has_value()) return Internal("a path that is wrongly escaped");
  const ingest::IngestRequest request{
      .data_dir = context.hello.data_dir,
      .private_dir = context.hello.private_dir,
      .path = *path,
      .format = FormatOf(in.format),
      .bytes_max = context.hello.file_bytes_max,
      .unpack_ratio_max = static_cast<uint64_t>(in.unpack_ratio_max)};
  TRY_ASSIGN(ingest::IngestedTable table,
             ingest::IngestFile(context.connection, request, context.interrupted));
  IngestFileOut out{.columns = std::move(table.columns),
                    .row_count = table.row_count,
                    .bytes = table.bytes,
                    .in_place = table.in_place,
                    .warnings = {},
                    .facts = {}};
  TRY(CheckColumns(out, in.format));
  out.facts = FactsOf(table);
  std::vector<LoadWarning> warnings;
  warnings.reserve(table.findings.size());
  for (ingest::TypeFinding& finding : table.findings) {
    warnings.push_back(WarningOf(std::move(finding)));
  }
  AddWarnings(std::move(warnings), out);
  return SendMeta(context, out);
}

}  // namespace ducat::analyst
