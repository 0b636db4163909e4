#pragma once
// Text as gzip or zstd, for unit tests; not linked into the product. Aborts when it cannot be
// packed: no test can run without it.

#include <string>
#include <string_view>
#include <zlib.h>

#include "base/result.h"

extern "C" size_t ZSTD_compress(void* dst, size_t room, const void* src, size_t size, int level);

namespace ducat::ingest {

enum class Packing : uint8_t { kGzip, kZstd };

inline std::string Gzip(std::string_view text) {
  z_stream stream{};
  CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) ==
        Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string Packed(std::string_view text, Packing packing) {
  if (packing == Packing::kGzip) return Gzip(text);
  constexpr size_t kOverhead = 1024;
  std::string packed(text.size() + text.size() / 128 + kOverhead, '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

}  // namespace ducat::ingest
