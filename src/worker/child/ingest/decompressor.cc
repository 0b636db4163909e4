#include "worker/child/ingest/decompressor.h"

#include <algorithm>
#include <string>
#include <zlib.h>
#include <zstd.h>

namespace ducat::ingest {
namespace {

constexpr size_t kOutBytes = size_t{256} << 10;

Failure Corrupt(std::string_view format, std::string_view what) {
  return Fail(ErrorCode::kFailedPrecondition, "corrupt",
              "The " + std::string(format) + " data is damaged: " + std::string(what),
              "Write or copy the file again: what is there is not whole.");
}

class Gzip final : public Decompressor {
 public:
  Gzip() {
    constexpr int kGzipOnly = 16;
    const int made = inflateInit2(&stream_, kGzipOnly + MAX_WBITS);
    CHECK(made == Z_OK);
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  [[nodiscard]] bool is_whole() const override { return ended_; }

  [[nodiscard]] Status Feed(std::string_view packed, const Sink& sink) override {
    // The library only reads what it is given here.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    while (true) {
      if (ended_ && !BeginNext()) return {};
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      const int got = inflate(&stream_, Z_NO_FLUSH);
      if (got != Z_OK && got != Z_STREAM_END && got != Z_BUF_ERROR) {
        return Corrupt("gzip", stream_.msg == nullptr ? "not inflatable" : stream_.msg);
      }
      ended_ = got == Z_STREAM_END;
      TRY(sink(std::string_view(out_).substr(0, out_.size() - stream_.avail_out)));
      const bool needs_more = !ended_ && stream_.avail_in == 0 && stream_.avail_out > 0;
      if (needs_more || got == Z_BUF_ERROR) return {};
    }
  }

 private:
  // Behind a part: zeros, which tapes are filled with, or another part. False: nothing yet.
  bool BeginNext() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) return false;
    ended_ = false;
    return inflateReset(&stream_) == Z_OK;
  }

  z_stream stream_{};
  std::string out_ = std::string(kOutBytes, '\0');
  bool ended_ = false;
};

class Zstd final : public Decompressor {
 public:
  Zstd() : stream_(ZSTD_createDStream(), &ZSTD_freeDStream) { CHECK(stream_ != nullptr); }

  [[nodiscard]] bool is_whole() const override { return wanted_ == 0; }

  [[nodiscard]] Status Feed(std::string_view packed, const Sink& sink) override {
    ZSTD_inBuffer in{.src = packed.data(), .size = packed.size(), .pos = 0};
    bool is_full = false;
    while (in.pos < in.size || is_full) {
      ZSTD_outBuffer out{.dst = out_.data(), .size = out_.size(), .pos = 0};
      wanted_ = ZSTD_decompressStream(stream_.get(), &out, &in);
      if (ZSTD_isError(wanted_) != 0) return Corrupt("zstd", ZSTD_getErrorName(wanted_));
      is_full = out.pos == out.size && wanted_ != 0;
      TRY(sink(std::string_view(out_).substr(0, out.pos)));
    }
    return {};
  }

 private:
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
  std::string out_ = std::string(kOutBytes, '\0');
  size_t wanted_ = 1;  // bytes that the frame still needs; 0: it is whole
};

}  // namespace

std::unique_ptr<Decompressor> MakeDecompressor(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<Gzip>();
  return std::make_unique<Zstd>();
}

}  // namespace ducat::ingest
