#include "worker/child/ingest/unpack.h"

#include <filesystem>
#include <string>

#include "base/text.h"
#include "worker/child/ingest/decompressor.h"
#include "worker/child/ingest/open_file.h"

namespace ducat::ingest {
namespace {

constexpr std::string_view kUnpackedName = "unpacked.tmp";
constexpr size_t kPieceBytes = size_t{256} << 10;

Failure TooLarge(std::string message, std::string hint) {
  return Fail(ErrorCode::kFailedPrecondition, "too_large", std::move(message), std::move(hint));
}

// Counts what comes out of a file and stops it where it grows beyond all measure.
class Meter {
 public:
  Meter(uint64_t packed, const UnpackLimits& limits) : packed_(packed), limits_(limits) {}

  [[nodiscard]] Status Add(size_t bytes) {
    unpacked_ += bytes;
    if (unpacked_ > limits_.bytes_max) {
      return TooLarge("The file unpacks to more than " + WithThousands(limits_.bytes_max) +
                          " bytes, the limit of a file",
                      "Raise --max-file-bytes, or split the file.");
    }
    if (unpacked_ > limits_.free_bytes && (unpacked_ - 1) / limits_.ratio_max >= packed_) {
      return TooLarge("The file's " + WithThousands(packed_) + " bytes unpack to more than " +
                          WithThousands(limits_.ratio_max) + " times as many",
                      "Raise --limit-unpack-ratio when the file is meant to be so.");
    }
    return {};
  }
  [[nodiscard]] uint64_t unpacked() const { return unpacked_; }

 private:
  uint64_t packed_;
  UnpackLimits limits_;
  uint64_t unpacked_ = 0;
};

Status Pump(std::FILE* in, Decompressor& decompressor, const Decompressor::Sink& sink,
            const std::function<bool()>& interrupted) {
  std::string piece(kPieceBytes, '\0');
  while (true) {
    const size_t got = std::fread(piece.data(), 1, piece.size(), in);
    if (got == 0 && std::ferror(in) != 0) {
      return Fail(ErrorCode::kFailedPrecondition, "engine_error", "The file cannot be read");
    }
    if (got == 0) return {};
    TRY(decompressor.Feed(std::string_view(piece).substr(0, got), sink));
    if (interrupted()) return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
  }
}

}  // namespace

Result<SourceFile> Unpack(const SourceFile& packed, Compression compression,
                          std::string_view private_dir, const UnpackLimits& limits,
                          const std::function<bool()>& interrupted) {
  SourceFile unpacked{.path = (std::filesystem::path(private_dir) / kUnpackedName).string()};
  TRY_ASSIGN(const FileHandle in, OpenToRead(packed.path));
  const FileHandle out(std::fopen(unpacked.path.c_str(), "wbe"), &std::fclose);
  if (out == nullptr) return Internal("cannot write into the private directory");
  Meter meter(static_cast<uint64_t>(packed.bytes), limits);
  const Decompressor::Sink sink = [&](std::string_view bytes) -> Status {
    TRY(meter.Add(bytes.size()));
    if (std::fwrite(bytes.data(), 1, bytes.size(), out.get()) == bytes.size()) return {};
    return Fail(ErrorCode::kResourceExhausted, "temp_limit", "No room for the unpacked file");
  };
  const std::unique_ptr<Decompressor> decompressor = MakeDecompressor(compression);
  TRY(Pump(in.get(), *decompressor, sink, interrupted));
  if (!decompressor->is_whole()) {
    return Fail(ErrorCode::kFailedPrecondition, "corrupt",
                "The compressed file is cut off: " + WithThousands(meter.unpacked()) +
                    " bytes come out of it, then it ends too early",
                "Write or copy the file again: what is there is not whole.");
  }
  if (std::fflush(out.get()) != 0) {
    return Fail(ErrorCode::kResourceExhausted, "temp_limit", "No room for the unpacked file");
  }
  unpacked.bytes = static_cast<int64_t>(meter.unpacked());
  return unpacked;
}

}  // namespace ducat::ingest
