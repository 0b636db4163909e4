#pragma once
// ChunkedBody: the chunked framing of RFC 9112 section 7.1, read byte for byte as it comes. Beast's
// reader takes a bare LF as the end of a chunk's extension and bounds no extension, which is what
// chunk smuggling lives on; this one takes CR LF alone, and all extensions and trailers of a body
// together must fit into a head. Extensions and trailers are read and dropped. Owned by a
// RequestParser; linear in its input.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "transport/http/head_scan.h"
#include "transport/http/limits.h"

namespace ducat::transport {

class ChunkedBody {
 public:
  explicit ChunkedBody(const HttpLimits& limits) : limits_(limits) {}

  // Takes bytes from the start of `bytes`: all of them, or as many as belong to the body. Fails
  // with 413 when it grows over its limit, with 400 for broken framing.
  [[nodiscard]] std::optional<HeadFault> Read(std::string_view bytes, size_t& taken);
  [[nodiscard]] bool done() const { return part_ == Part::kDone; }
  [[nodiscard]] const std::string& body() const { return body_; }

 private:
  enum class Part : uint8_t { kSize, kData, kDataEnd, kTrailer, kDone };

  [[nodiscard]] std::optional<HeadFault> ReadLine(std::string_view bytes, size_t& taken);
  [[nodiscard]] std::optional<HeadFault> EndLine();
  [[nodiscard]] std::optional<HeadFault> BeginChunk();
  void ReadData(std::string_view bytes, size_t& taken);

  const HttpLimits& limits_;
  Part part_ = Part::kSize;
  std::string line_;         // so far, without its CR LF
  bool line_ends_ = false;   // CR has come
  uint64_t chunk_left_ = 0;  // bytes of this chunk that have not come
  size_t dropped_ = 0;       // bytes of extensions and trailers
  size_t trailers_ = 0;
  std::string body_;
};

}  // namespace ducat::transport
