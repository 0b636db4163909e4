#pragma once
// Decompressor: a gzip or zstd stream, unpacked piece by piece in constant memory. Parts that
// follow one another (as `cat a.gz b.gz` makes them) are one stream; checksums are checked. Job
// thread.

#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "worker/child/ingest/text_encoding.h"

namespace ducat::ingest {

class Decompressor {
 public:
  // Takes unpacked bytes; its failure ends the feeding.
  using Sink = std::function<Status(std::string_view)>;

  virtual ~Decompressor() = default;
  // The next piece of the packed stream. Reason corrupt: it is not as its format wants it.
  [[nodiscard]] virtual Status Feed(std::string_view packed, const Sink& sink) = 0;
  // True when nothing more need come: all parts are whole.
  [[nodiscard]] virtual bool is_whole() const = 0;
};

// `compression` is not kNone.
[[nodiscard]] std::unique_ptr<Decompressor> MakeDecompressor(Compression compression);

}  // namespace ducat::ingest
