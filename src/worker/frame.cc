#include "worker/frame.h"

#include <algorithm>

namespace ducat::worker {
namespace {

Failure FrameError(std::string message) {
  return Fail(ErrorCode::kInternal, "frame_error", std::move(message));
}

template <class T>
void Put(char* out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out[i] = static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  }
}

template <class T>
T Get(const char* in) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= uint64_t{static_cast<unsigned char>(in[i])} << (8 * i);
  }
  return static_cast<T>(value);
}

}  // namespace

std::string_view FrameName(FrameKind kind) {
  switch (kind) {
    case FrameKind::kHello:
      return "HELLO";
    case FrameKind::kReady:
      return "READY";
    case FrameKind::kCatalog:
      return "CATALOG";
    case FrameKind::kJob:
      return "JOB";
    case FrameKind::kProgress:
      return "PROGRESS";
    case FrameKind::kMeta:
      return "META";
    case FrameKind::kRows:
      return "ROWS";
    case FrameKind::kDone:
      return "DONE";
    case FrameKind::kCancel:
      return "CANCEL";
    case FrameKind::kText:
      return "TEXT";
    case FrameKind::kStarted:
      return "STARTED";
  }
  return "unknown";
}

Result<size_t> PayloadLimit(FrameKind kind, FrameDirection direction) {
  const bool to_worker = direction == FrameDirection::kToWorker;
  switch (kind) {
    case FrameKind::kHello:
    case FrameKind::kCatalog:
    case FrameKind::kJob:
      if (to_worker) return kFramePayloadMax;
      break;
    case FrameKind::kCancel:
      if (to_worker) return 0;
      break;
    case FrameKind::kStarted:
      if (!to_worker) return 0;
      break;
    case FrameKind::kReady:
    case FrameKind::kProgress:
      if (!to_worker) return kSmallBytesMax;
      break;
    case FrameKind::kMeta:
      if (!to_worker) return kMetaBytesMax;
      break;
    case FrameKind::kDone:
      if (!to_worker) return kDoneBytesMax;
      break;
    case FrameKind::kRows:
    case FrameKind::kText:
      if (!to_worker) return kPieceBytesMax;
      break;
  }
  return FrameError("frame kind " + std::to_string(static_cast<uint16_t>(kind)) +
                    " does not travel this way");
}

std::array<char, kFrameHeaderBytes> EncodeHeader(const FrameHeader& header) {
  std::array<char, kFrameHeaderBytes> bytes{};
  Put(&bytes[0], header.payload_bytes);
  Put(&bytes[4], static_cast<uint16_t>(header.kind));
  Put(&bytes[6], header.flags);
  Put(&bytes[8], header.job);
  return bytes;
}

std::string EncodeFrame(FrameKind kind, uint64_t job, std::string_view payload) {
  CHECK(payload.size() <= kFramePayloadMax);
  const auto header = EncodeHeader(
      {.payload_bytes = static_cast<uint32_t>(payload.size()), .kind = kind, .job = job});
  std::string bytes;
  bytes.reserve(header.size() + payload.size());
  bytes.append(header.data(), header.size());
  bytes.append(payload);
  return bytes;
}

Result<FrameHeader> FrameDecoder::ReadHeader(std::string_view bytes) const {
  const FrameHeader header{.payload_bytes = Get<uint32_t>(&bytes[0]),
                           .kind = static_cast<FrameKind>(Get<uint16_t>(&bytes[4])),
                           .flags = Get<uint16_t>(&bytes[6]),
                           .job = Get<uint64_t>(&bytes[8])};
  TRY_ASSIGN(const size_t limit, PayloadLimit(header.kind, direction_));
  if (header.payload_bytes > limit) {
    return FrameError(std::string(FrameName(header.kind)) + " of " +
                      std::to_string(header.payload_bytes) + " bytes; the limit is " +
                      std::to_string(limit));
  }
  if (header.flags != 0) return FrameError("unknown frame flags " + std::to_string(header.flags));
  return header;
}

// Consumes one frame, or all bytes when they do not complete one.
Status FrameDecoder::FeedSome(std::string_view& bytes, const Sink& sink) {
  if (pending_.size() < kFrameHeaderBytes && !pending_.empty()) {
    const size_t wanted = std::min(kFrameHeaderBytes - pending_.size(), bytes.size());
    pending_.append(bytes.substr(0, wanted));
    bytes.remove_prefix(wanted);
  }
  const std::string_view start = pending_.empty() ? bytes : std::string_view(pending_);
  if (start.size() < kFrameHeaderBytes) {
    if (pending_.empty()) pending_.assign(bytes);
    bytes = {};
    return {};
  }
  TRY_ASSIGN(const FrameHeader header, ReadHeader(start));
  const size_t total = kFrameHeaderBytes + header.payload_bytes;
  if (pending_.empty() && bytes.size() >= total) {
    const Frame frame{header, bytes.substr(kFrameHeaderBytes, header.payload_bytes)};
    bytes.remove_prefix(total);
    return sink(frame);
  }
  const size_t wanted = std::min(total - pending_.size(), bytes.size());
  pending_.append(bytes.substr(0, wanted));
  bytes.remove_prefix(wanted);
  if (pending_.size() < total) return {};
  const std::string whole = std::exchange(pending_, {});
  return sink(Frame{header, std::string_view(whole).substr(kFrameHeaderBytes)});
}

Status FrameDecoder::Feed(std::string_view bytes, const Sink& sink) {
  if (broken_) return FrameError("the stream broke before");
  // A frame without payload is complete with its header, so an empty rest never hides one.
  while (!bytes.empty()) {
    if (Status status = FeedSome(bytes, sink); !status) {
      broken_ = true;
      return status;
    }
  }
  return {};
}

}  // namespace ducat::worker
