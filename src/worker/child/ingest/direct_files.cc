#include "worker/child/ingest/direct_files.h"

#include <memory>

#include "worker/child/ingest/decompressor.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/open_file.h"
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

// Through a compression that the engine would see through too. A stream that is cut or damaged is
// the engine's to tell.
Status CheckPackedDepth(const std::string& path, Compression compression,
                        const std::function<bool()>& interrupted) {
  TRY_ASSIGN(const FileHandle file, OpenToRead(path));
  const std::unique_ptr<Decompressor> decompressor = MakeDecompressor(compression);
  JsonDepth depth;
  const Decompressor::Sink sink = [&](std::string_view bytes) -> Status {
    depth.Feed(bytes);
    if (interrupted()) return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
    return depth.deepest() > kJsonDepthMax ? DeepNesting() : Status();
  };
  std::string piece(kPieceBytes, '\0');
  while (const size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) {
    TRY(decompressor->Feed(std::string_view(piece).substr(0, got), sink));
  }
  return {};
}

Status CheckDepth(const SourceFile& source, const std::function<bool()>& interrupted) {
  TRY_ASSIGN(const std::string head, ReadHead(source, kMagicBytes));
  const Compression compression = CompressionOf(head);
  if (compression != Compression::kNone) {
    return CheckPackedDepth(source.path, compression, interrupted);
  }
  TRY(CheckJsonDepth(source.path, interrupted));
  return {};
}

}  // namespace

Status DirectFiles::Check(std::string_view data_dir, const std::string& relative, bool is_json,
                          const std::function<bool()>& interrupted) {
  const Result<SourceFile> source = FindSource(data_dir, relative, UINT64_MAX);
  if (!source.has_value()) {
    if (source.error().reason == "not_tabular") return Unreadable(relative, source.error());
    return {};
  }
  const Stamp stamp{source->bytes, source->modified_ns};
  const auto known = shallow_.find(relative);
  if (!is_json || (known != shallow_.end() && known->second == stamp)) return {};
  Status checked = CheckDepth(*source, interrupted);
  if (!checked.has_value() && checked.error().reason == "cancelled") return checked;
  if (!checked.has_value() && checked.error().reason == "deep_nesting") {
    return Unreadable(relative, checked.error());
  }
  if (shallow_.size() >= kRememberedMax) shallow_.clear();
  shallow_[relative] = stamp;
  return {};
}

}  // namespace ducat::ingest
