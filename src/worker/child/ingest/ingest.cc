#include "worker/child/ingest/ingest.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/path_text.h"
#include "base/text.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/readers.h"
#include "worker/child/ingest/source_file.h"
#include "worker/child/ingest/table_file.h"
#include "worker/child/ingest/text_encoding.h"
#include "worker/child/ingest/unpack.h"

namespace ducat::ingest {
namespace {

constexpr int kTries = 3;  // of a file that changes while it is read

Error ToError(const engine::EngineError& error, const IngestRequest& request,
              const std::string& path) {
  const std::string name = ShownPath(request.path);
  if (error.type != kOwnError) {
    return FileFailure(
        error, {.path = path, .name = name, .hidden = {request.data_dir, request.private_dir}});
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

// Records that were left out although they are no titles, remarks or blank lines.
int64_t Rejected(const std::vector<TypeFinding>& findings) {
  constexpr std::array<std::string_view, 4> kCodes{"footer", "long_row", "line_too_long",
                                                   "bad_record"};
  int64_t count = 0;
  for (const TypeFinding& finding : findings) {
    if (std::ranges::find(kCodes, finding.code) != kCodes.end()) count += finding.count;
  }
  return count;
}

std::string_view CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return "gzip";
    case Compression::kZstd:
      return "zstd";
    case Compression::kNone:
      break;
  }
  return "plain text";
}

// A name that promises a compression which the bytes do not keep.
void NoteCompression(std::string_view path, Compression found, IngestedTable& table) {
  const std::string lower = AsciiLower(path);
  Compression named = Compression::kNone;
  if (lower.ends_with(".gz")) named = Compression::kGzip;
  if (lower.ends_with(".zst")) named = Compression::kZstd;
  if (named == Compression::kNone || named == found) return;
  table.findings.push_back({.code = "compression_name",
                            .column = {},
                            .count = 1,
                            .message = fmt::format("The name says {}, the bytes are {}: read so",
                                                   CompressionName(named), CompressionName(found)),
                            .suggestion = {}});
}

// The file as UTF-8 text, unpacked.
Result<ReadableText> MakeText(const IngestRequest& request, const SourceFile& source,
                              const std::function<bool()>& interrupted) {
  const bool keep_mark = request.format != SourceFormat::kJson;
  TRY_ASSIGN(ReadableText text, MakeReadable(source, request.private_dir, keep_mark, interrupted));
  if (text.compression == Compression::kNone) return text;
  const Compression compression = text.compression;
  const UnpackLimits limits{.bytes_max = request.bytes_max, .ratio_max = request.unpack_ratio_max};
  TRY_ASSIGN(const SourceFile unpacked,
             Unpack(source, compression, request.private_dir, limits, interrupted));
  TRY_ASSIGN(text, MakeReadable(unpacked, request.private_dir, keep_mark, interrupted));
  if (text.compression != Compression::kNone) {
    return Fail(ErrorCode::kFailedPrecondition, "corrupt", "The file is compressed twice",
                "Unpack it once.");
  }
  std::error_code ignored;
  if (text.is_copy) std::filesystem::remove(unpacked.path, ignored);
  text.compression = compression;
  return text;
}

engine::EngineResult<IngestedTable> ReadAs(engine::Connection& connection,
                                           const IngestRequest& request, const std::string& path,
                                           const std::function<bool()>& interrupted) {
  if (request.format != SourceFormat::kJson) {
    return ReadCsv(connection, {.path = path,
                                .delimiter = request.format == SourceFormat::kTsv ? "\t" : "",
                                .private_dir = request.private_dir,
                                .interrupted = interrupted});
  }
  const Result<JsonDepth> depth = CheckJsonDepth(path, interrupted);
  if (!depth.has_value()) return OwnError(depth.error());
  return ReadJson(connection, {.path = path,
                               .depth = *depth,
                               .private_dir = request.private_dir,
                               .interrupted = interrupted});
}

Result<IngestedTable> ReadText(engine::Connection& connection, const IngestRequest& request,
                               const SourceFile& source, const std::function<bool()>& interrupted) {
  TRY_ASSIGN(const ReadableText text, MakeText(request, source, interrupted));
  auto table = ReadAs(connection, request, text.path, interrupted);
  if (!table.has_value()) return Failure(ToError(table.error(), request, text.path));
  table->encoding = EncodingName(text.encoding);
  table->rejected = Rejected(table->findings);
  NoteEncoding(text, *table);
  NoteCompression(request.path, text.compression, *table);
  return *std::move(table);
}

// Read in place, but for a file that SQL cannot name: its copy is the table's file then.
Result<IngestedTable> ReadParquetFile(engine::Connection& connection, const IngestRequest& request,
                                      const SourceFile& source, bool is_copy) {
  auto table = ReadParquet(connection, source.path, ShownPath(request.path));
  if (!table.has_value()) return Failure(ToError(table.error(), request, source.path));
  if (!is_copy) return *std::move(table);
  std::error_code failed;
  std::filesystem::rename(source.path, std::filesystem::path(request.private_dir) / kStagedName,
                          failed);
  if (failed) return Internal("cannot rename within the private directory");
  table->in_place = false;
  return *std::move(table);
}

Result<IngestedTable> ReadOnce(engine::Connection& connection, const IngestRequest& request,
                               const SourceFile& source, const std::function<bool()>& interrupted) {
  if (source.bytes == 0) {
    return Fail(ErrorCode::kFailedPrecondition, "empty", "The file has no bytes");
  }
  SourceFile readable = source;
  const bool is_copy = !HasSqlName(source.path);
  if (is_copy) {
    TRY_ASSIGN(readable, CopySource(source, request.private_dir, interrupted));
  }
  if (request.format == SourceFormat::kParquet) {
    return ReadParquetFile(connection, request, readable, is_copy);
  }
  auto table = ReadText(connection, request, readable, interrupted);
  std::error_code ignored;
  if (is_copy) std::filesystem::remove(readable.path, ignored);
  return table;
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
