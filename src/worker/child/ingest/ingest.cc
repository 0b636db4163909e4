#include "worker/child/ingest/ingest.h"

#include "worker/child/ingest/csv_layout.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/readers.h"
#include "worker/child/ingest/source_file.h"
#include "worker/child/ingest/text_encoding.h"

namespace ducat::ingest {
namespace {

constexpr int kTries = 3;  // of a file that changes while it is read

Error ToError(const engine::EngineError& error, const IngestRequest& request,
              const ReadableText& text) {
  if (error.type != kOwnError) {
    return FileFailure(error, {.path = text.path,
                               .name = request.path,
                               .hidden = {request.data_dir, request.private_dir}});
  }
  return Error{
      .code = ErrorCode::kFailedPrecondition, .reason = error.subtype, .message = error.message};
}

void NoteEncoding(const ReadableText& text, IngestedTable& table) {
  if (text.replaced_bytes == 0) return;
  table.findings.push_back({.code = "encoding_guess",
                            .column = {},
                            .count = text.replaced_bytes,
                            .message = "Bytes that are not UTF-8 were read as cp1252",
                            .suggestion = {}});
}

Result<IngestedTable> ReadText(engine::Connection& connection, const IngestRequest& request,
                               const SourceFile& source, const std::function<bool()>& interrupted) {
  const bool is_json = request.format == SourceFormat::kJson;
  TRY_ASSIGN(const ReadableText text,
             MakeReadable(source, request.private_dir, /*keep_mark=*/!is_json, interrupted));
  if (is_json && text.compression != Compression::kNone) {
    return Fail(ErrorCode::kFailedPrecondition, "engine_error",
                "Compressed JSON is not read: its nesting cannot be checked before the engine",
                "Unpack the file.");
  }
  if (is_json) {
    TRY(CheckJsonDepth(text.path, interrupted));
  }
  if (!is_json && text.longest_line > kLineBytesMax) {
    return Fail(ErrorCode::kFailedPrecondition, "line_too_long",
                "A line has " + std::to_string(text.longest_line) + " bytes, the limit is " +
                    std::to_string(kLineBytesMax),
                "Check that the file has line ends.");
  }
  const std::string_view delimiter = request.format == SourceFormat::kTsv ? "\t" : "";
  auto table = is_json ? ReadJson(connection, text, request.private_dir)
                       : ReadCsv(connection, text, delimiter, request.private_dir);
  if (!table.has_value()) return Failure(ToError(table.error(), request, text));
  NoteEncoding(text, *table);
  return *std::move(table);
}

Result<IngestedTable> ReadOnce(engine::Connection& connection, const IngestRequest& request,
                               const SourceFile& source, const std::function<bool()>& interrupted) {
  if (source.bytes == 0) {
    return Fail(ErrorCode::kFailedPrecondition, "empty", "The file has no bytes");
  }
  if (request.format != SourceFormat::kParquet) {
    return ReadText(connection, request, source, interrupted);
  }
  auto table = ReadParquetFooter(connection, source.path);
  if (!table.has_value()) {
    return Failure(ToError(table.error(), request, ReadableText{.path = source.path}));
  }
  return *std::move(table);
}

}  // namespace

Result<IngestedTable> IngestFile(engine::Connection& connection, const IngestRequest& request,
                                 const std::function<bool()>& interrupted) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    TRY_ASSIGN(const SourceFile source,
               FindSource(request.data_dir, request.path, request.bytes_max));
    auto table = ReadOnce(connection, request, source, interrupted);
    if (Unchanged(source)) return table;
  }
  return Fail(ErrorCode::kFailedPrecondition, "file_changed",
              "The file changed " + std::to_string(kTries) + " times while it was read",
              "Try again when nobody writes to it.");
}

}  // namespace ducat::ingest
