#include "transport/http/chunked_body.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace ducat::transport {
namespace {

constexpr size_t kSizeDigitsMax = 16;

HeadFault Broken(std::string_view message) {
  return {400, "chunk", message};
}

}  // namespace

std::optional<HeadFault> ChunkedBody::Read(std::string_view bytes, size_t& taken) {
  taken = 0;
  while (taken < bytes.size() && !done()) {
    if (part_ == Part::kData) {
      ReadData(bytes, taken);
    } else if (auto fault = ReadLine(bytes, taken)) {
      return fault;
    }
  }
  return {};
}

void ChunkedBody::ReadData(std::string_view bytes, size_t& taken) {
  const std::string_view part = bytes.substr(taken, static_cast<size_t>(chunk_left_));
  body_.append(part);
  taken += part.size();
  chunk_left_ -= part.size();
  if (chunk_left_ == 0) part_ = Part::kDataEnd;
}

// Up to the end of a line or of `bytes`.
std::optional<HeadFault> ChunkedBody::ReadLine(std::string_view bytes, size_t& taken) {
  while (taken < bytes.size()) {
    const char c = bytes[taken++];
    if (line_ends_) {
      if (c != '\n') return Broken("Chunk lines must end with CR LF");
      return EndLine();
    }
    if (c == '\r') {
      line_ends_ = true;
      continue;
    }
    if (IsHeaderControl(c)) return Broken("A chunk line must not hold control characters");
    if (part_ == Part::kDataEnd) return Broken("A chunk is longer than its size says");
    line_.push_back(c);
    if (line_.size() + dropped_ > limits_.head_bytes_max) {
      return Broken("The chunk extensions and trailers are too large");
    }
  }
  return {};
}

std::optional<HeadFault> ChunkedBody::EndLine() {
  line_ends_ = false;
  if (part_ == Part::kDataEnd) {
    part_ = Part::kSize;
    return {};
  }
  if (part_ == Part::kSize) return BeginChunk();
  if (line_.empty()) {
    part_ = Part::kDone;
    return {};
  }
  if (++trailers_ > limits_.header_lines_max) return Broken("There are too many trailers");
  if (ScanHeaderLine(line_)) return Broken("A trailer must be NAME: VALUE");
  dropped_ += line_.size();
  line_.clear();
  return {};
}

// line_ is `SIZE` or `SIZE;EXTENSIONS`; blanks may stand before the semicolon.
std::optional<HeadFault> ChunkedBody::BeginChunk() {
  uint64_t size = 0;
  const char* const first = line_.data();
  const auto [end, error] = std::from_chars(first, first + line_.size(), size, 16);
  const auto digits = static_cast<size_t>(end - first);
  if (error != std::errc() || digits > kSizeDigitsMax) {
    return Broken("A chunk's size must be at most 16 hexadecimal digits");
  }
  const std::string_view rest = std::string_view(line_).substr(digits);
  const size_t mark = rest.find_first_not_of(" \t");
  if (!rest.empty() && (mark == rest.npos || rest[mark] != ';')) {
    return Broken("A chunk's size must end its line or precede a semicolon");
  }
  if (size > limits_.body_bytes_max - body_.size()) {
    return HeadFault{413, "body_too_large", "The body is too large"};
  }
  dropped_ += rest.size();
  line_.clear();
  chunk_left_ = size;
  part_ = size == 0 ? Part::kTrailer : Part::kData;
  return {};
}

}  // namespace ducat::transport
