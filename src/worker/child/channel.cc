#include "worker/child/channel.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

namespace ducat::worker::child {
namespace {

constexpr size_t kReadBytes = size_t{64} << 10;

}  // namespace

void Channel::Write(FrameKind kind, uint64_t job, std::string_view payload) {
  CHECK(payload.size() <= kFramePayloadMax);
  auto header = EncodeHeader(
      {.payload_bytes = static_cast<uint32_t>(payload.size()), .kind = kind, .job = job});
  std::string_view head(header.data(), header.size());
  const std::lock_guard lock(write_mutex_);
  while (!head.empty() || !payload.empty()) {
    std::array<iovec, 2> parts{{{const_cast<char*>(head.data()), head.size()},
                                {const_cast<char*>(payload.data()), payload.size()}}};
    const ssize_t written = writev(fd_, parts.data(), parts.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(0);
    const size_t of_head = std::min(static_cast<size_t>(written), head.size());
    head.remove_prefix(of_head);
    payload.remove_prefix(static_cast<size_t>(written) - of_head);
  }
}

Result<Channel::Input> Channel::Read(int timeout_ms, const FrameDecoder::Sink& sink) {
  pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
  const int ready = poll(&waiting, 1, timeout_ms);
  if (ready == 0 || (ready < 0 && errno == EINTR)) return Input::kTimeout;
  std::array<char, kReadBytes> bytes;
  const ssize_t count = read(fd_, bytes.data(), bytes.size());
  if (count < 0 && errno == EINTR) return Input::kTimeout;
  if (count <= 0) return Input::kEnd;
  TRY(decoder_.Feed(std::string_view(bytes.data(), static_cast<size_t>(count)), sink));
  return Input::kFrames;
}

}  // namespace ducat::worker::child
