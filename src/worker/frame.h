#pragma once
// Frames between the control process and a worker (guard.md 3.2): 16 bytes of header,
// little-endian, then the payload. The decoder is incremental and bounds every frame by its kind
// before a byte of it is kept. Both halves use it; plain values without I/O, one thread at a time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat::worker {

// Numbers are on the wire, in two bytes: never change one.
enum class FrameKind : uint16_t {  // NOLINT(performance-enum-size)
  kHello = 1,
  kReady = 2,
  kCatalog = 3,
  kJob = 4,
  kProgress = 5,
  kMeta = 6,
  kRows = 7,
  kDone = 8,
  kCancel = 9,
  kText = 10,
  kStarted = 11,  // the job has begun: from here on its worker's end is its own (ADR 0016)
};

enum class FrameDirection : uint8_t { kToWorker, kFromWorker };

inline constexpr size_t kFrameHeaderBytes = 16;
inline constexpr size_t kFramePayloadMax = size_t{16} << 20;
inline constexpr size_t kPieceBytesMax = size_t{256} << 10;  // one ROWS or TEXT frame
inline constexpr size_t kMetaBytesMax = size_t{1} << 20;
// An error may carry a statement as suggestion, escaped twice.
inline constexpr size_t kDoneBytesMax = size_t{4} << 20;
inline constexpr size_t kSmallBytesMax = size_t{64} << 10;  // READY, PROGRESS

struct FrameHeader {
  uint32_t payload_bytes = 0;
  FrameKind kind = FrameKind::kDone;
  uint16_t flags = 0;  // none defined: must be 0
  uint64_t job = 0;    // 0: belongs to no job
};

struct Frame {
  FrameHeader header;
  std::string_view payload;  // valid during the call that hands it over
};

// Largest payload of a kind in a direction; nothing when that kind does not travel that way.
[[nodiscard]] Result<size_t> PayloadLimit(FrameKind kind, FrameDirection direction);

[[nodiscard]] std::array<char, kFrameHeaderBytes> EncodeHeader(const FrameHeader& header);
// Header and payload as one string, for frames that are queued.
[[nodiscard]] std::string EncodeFrame(FrameKind kind, uint64_t job, std::string_view payload);

[[nodiscard]] std::string_view FrameName(FrameKind kind);

// Cuts a byte stream into frames. After a failure (reason "frame_error") the stream is unusable and
// every further call fails the same way.
class FrameDecoder {
 public:
  using Sink = std::function<Status(const Frame& frame)>;

  explicit FrameDecoder(FrameDirection direction) : direction_(direction) {}

  // Hands every frame that is complete with these bytes to `sink`; an error of the sink ends the
  // stream.
  [[nodiscard]] Status Feed(std::string_view bytes, const Sink& sink);
  // True when the stream may end here: not inside a frame.
  [[nodiscard]] bool at_boundary() const { return pending_.empty(); }

 private:
  [[nodiscard]] Status FeedSome(std::string_view& bytes, const Sink& sink);
  [[nodiscard]] Result<FrameHeader> ReadHeader(std::string_view bytes) const;

  FrameDirection direction_;
  std::string pending_;  // the beginning of a frame that is not complete
  bool broken_ = false;
};

}  // namespace ducat::worker
