#include "worker/child/ingest/direct_files.h"

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "worker/child/ingest/csv_record.h"
#include "worker/child/ingest/decompressor.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/open_file.h"
#include "worker/child/ingest/record_width.h"
#include "worker/child/ingest/source_file.h"

namespace ducat::ingest {
namespace {

constexpr size_t kRememberedMax = 20'000;
constexpr size_t kPieceBytes = size_t{256} << 10;

Failure Unreadable(const std::string& relative, const Error& error) {
  return Fail(ErrorCode::kFailedPrecondition, "table_unreadable",
              "The file \"" + relative + "\" cannot be read: " + error.message,
              error.hint.empty() ? "list_tables shows the state of every file." : error.hint);
}

// In the words of the guard, whose list of files is older than the link.
Failure LeadsOut(const std::string& relative) {
  return Fail(ErrorCode::kPermissionDenied, "path_outside_data_dir",
              "The path '" + relative + "' leads out of the data directory.",
              "Only files of the data directory are read; copy the file into it.");
}

// As much as the engine takes for one line at most; its detection looks at no more before it has
// columns.
constexpr uint64_t kWidthBytes = uint64_t{16} << 20;

Failure Cancelled() {
  return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
}

// The bytes that the engine will see, through a compression that it sees through too. A stream that
// is cut or damaged is the engine's to tell.
Status ReadUnpacked(const SourceFile& source, const Decompressor::Sink& sink) {
  TRY_ASSIGN(const std::string head, ReadHead(source, kMagicBytes));
  const Compression compression = CompressionOf(head);
  const std::unique_ptr<Decompressor> decompressor =
      compression == Compression::kNone ? nullptr : MakeDecompressor(compression);
  TRY_ASSIGN(const FileHandle file, OpenToRead(source.path));
  std::string piece(kPieceBytes, '\0');
  while (const size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) {
    const std::string_view bytes = std::string_view(piece).substr(0, got);
    TRY(decompressor == nullptr ? sink(bytes) : decompressor->Feed(bytes, sink));
  }
  return {};
}

Status CheckDepth(const SourceFile& source, const std::function<bool()>& interrupted) {
  JsonDepth depth;
  return ReadUnpacked(source, [&](std::string_view bytes) -> Status {
    depth.Feed(bytes);
    if (interrupted()) return Cancelled();
    return depth.deepest() > kJsonDepthMax ? DeepNesting() : Status();
  });
}

Status CheckWidth(const SourceFile& source, const std::function<bool()>& interrupted) {
  RecordWidth width;
  uint64_t left = kWidthBytes;
  Status read = ReadUnpacked(source, [&](std::string_view bytes) -> Status {
    width.Feed(bytes.substr(0, left));
    left -= std::min<uint64_t>(left, bytes.size());
    if (interrupted()) return Cancelled();
    return left == 0 ? Fail(ErrorCode::kInternal, "enough", "") : Status();
  });
  if (!read.has_value() && read.error().reason == "cancelled") return read;
  const auto columns = static_cast<uint64_t>(width.widest());
  if (columns <= kColumnsMax) return {};
  return Fail(ErrorCode::kFailedPrecondition, "too_many_columns",
              "it has " + WithThousands(columns) + " columns, the limit is " +
                  WithThousands(uint64_t{kColumnsMax}) + ".",
              "Split the file, or turn its columns into rows.");
}

Status CheckContent(const SourceFile& source, DirectReader reader,
                    const std::function<bool()>& interrupted) {
  switch (reader) {
    case DirectReader::kOther:
      return {};
    case DirectReader::kCsv:
      return CheckWidth(source, interrupted);
    case DirectReader::kJson:
      return CheckDepth(source, interrupted);
  }
  return {};
}

}  // namespace

Status DirectFiles::Check(std::string_view data_dir, const std::string& relative,
                          DirectReader reader, const std::function<bool()>& interrupted) {
  const Result<SourceFile> source = FindSource(data_dir, relative, UINT64_MAX);
  if (!source.has_value()) {
    if (source.error().reason == "not_tabular") return Unreadable(relative, source.error());
    if (source.error().reason == "outside_link") return LeadsOut(relative);
    return {};
  }
  const Stamp stamp{source->bytes, source->modified_ns, reader};
  const auto known = readable_.find(relative);
  if (reader == DirectReader::kOther || (known != readable_.end() && known->second == stamp)) {
    return {};
  }
  Status checked = CheckContent(*source, reader, interrupted);
  if (!checked.has_value()) {
    const std::string& reason = checked.error().reason;
    if (reason == "cancelled") return checked;
    if (reason == "deep_nesting" || reason == "too_many_columns") {
      return Unreadable(relative, checked.error());
    }
  }
  if (readable_.size() >= kRememberedMax) readable_.clear();
  readable_[relative] = stamp;
  return {};
}

}  // namespace ducat::ingest
