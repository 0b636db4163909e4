#pragma once
// Channel: the worker's end of the socket, fd 3. Writing is whole frames from any thread; reading
// belongs to one thread at a time. When the control process is gone the worker has nobody to work
// for: it exits.

#include <mutex>
#include <string_view>

#include "base/result.h"
#include "worker/frame.h"

namespace ducat::worker::child {

class Channel {
 public:
  static constexpr int kFd = 3;

  explicit Channel(int fd = kFd) : fd_(fd) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Blocks until all is written; ends the process when nobody reads.
  void Write(FrameKind kind, uint64_t job, std::string_view payload);

  enum class Input : uint8_t { kFrames, kTimeout, kEnd };
  // Waits up to `timeout_ms` (-1: for ever) for bytes and hands complete frames to `sink`. Fails
  // with reason "frame_error".
  [[nodiscard]] Result<Input> Read(int timeout_ms, const FrameDecoder::Sink& sink);

 private:
  int fd_;
  std::mutex write_mutex_;
  FrameDecoder decoder_{FrameDirection::kToWorker};
};

}  // namespace ducat::worker::child
