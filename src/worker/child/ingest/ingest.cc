#include "worker/child/ingest/ingest.h"

#include "worker/child/ingest/csv_record.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/readers.h"
#include "worker/child/ingest/source_file.h"
#include "worker/child/ingest/text_encoding.h"
#include "worker/child/ingest/unpack.h"

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
  ErrorCode code = ErrorCode::kFailedPrecondition;
  if (error.subtype == "cancelled") code = ErrorCode::kCancelled;
  if (error.subtype == "temp_limit") code = ErrorCode::kResourceExhausted;
  return Error{.code = code,
               .reason = error.subtype,
               .message = error.message,
               .hint = std::string(HintFor(error.subtype))};
}

void NoteEncoding(const ReadableText& text, IngestedTable& table) {
  if (text.replaced_bytes == 0) return;
  table.findings.push_back(
      {.code = "encoding_guess",
       .column = {},
       .count = text.replaced_bytes,
       .message = "Bytes that are not UTF-8 were read as cp1252, first in line " +
                  std::to_string(text.first_replaced_line),
       .suggestion = {}});
}

// The file as UTF-8 text, unpacked.
Result<ReadableText> MakeText(engine::Connection& connection, const IngestRequest& request,
                              const SourceFile& source, const std::function<bool()>& interrupted) {
  const bool keep_mark = request.format != SourceFormat::kJson;
  TRY_ASSIGN(ReadableText text, MakeReadable(source, request.private_dir, keep_mark, interrupted));
  if (text.compression == Compression::kNone) return text;
  auto unpacked = Unpack(connection, text, request.private_dir);
  if (!unpacked.has_value()) return Failure(ToError(unpacked.error(), request, text));
  TRY_ASSIGN(text, MakeReadable(*unpacked, request.private_dir, keep_mark, interrupted));
  if (text.compression == Compression::kNone) return text;
  return Fail(ErrorCode::kFailedPrecondition, "corrupt", "The file is compressed twice",
              "Unpack it once.");
}

Result<IngestedTable> ReadText(engine::Connection& connection, const IngestRequest& request,
                               const SourceFile& source, const std::function<bool()>& interrupted) {
  const bool is_json = request.format == SourceFormat::kJson;
  TRY_ASSIGN(const ReadableText text, MakeText(connection, request, source, interrupted));
  bool has_long_numbers = false;
  if (is_json) {
    TRY_ASSIGN(const JsonDepth depth, CheckJsonDepth(text.path, interrupted));
    has_long_numbers = depth.has_long_number();
  }
  if (!is_json && text.longest_line > kLineBytesMax) {
    return Fail(ErrorCode::kFailedPrecondition, "line_too_long",
                "A line has " + std::to_string(text.longest_line) + " bytes, the limit is " +
                    std::to_string(kLineBytesMax),
                "Check that the file has line ends.");
  }
  auto table =
      is_json ? ReadJson(connection, {.path = text.path,
                                      .has_long_numbers = has_long_numbers,
                                      .private_dir = request.private_dir,
                                      .interrupted = interrupted})
              : ReadCsv(connection, {.path = text.path,
                                     .delimiter = request.format == SourceFormat::kTsv ? "\t" : "",
                                     .private_dir = request.private_dir,
                                     .interrupted = interrupted});
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
  auto table = ReadParquetFooter(connection, source.path, request.path);
  if (!table.has_value()) {
    return Failure(ToError(table.error(), request, ReadableText{.path = source.path}));
  }
  return *std::move(table);
}

}  // namespace

tl::unexpected<engine::EngineError> OwnError(std::string reason, std::string message) {
  engine::EngineError error;
  error.type = std::string(kOwnError);
  error.subtype = std::move(reason);
  error.message = std::move(message);
  return tl::unexpected(std::move(error));
}

tl::unexpected<engine::EngineError> OwnError(const Error& error) {
  return OwnError(error.reason, error.message);
}

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
