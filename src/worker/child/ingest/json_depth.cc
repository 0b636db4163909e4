#include "worker/child/ingest/json_depth.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

#include "base/text.h"

namespace ducat::ingest {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;

Failure Unreadable(std::string reason, std::string message, std::string hint = {}) {
  return Fail(ErrorCode::kFailedPrecondition, std::move(reason), std::move(message),
              std::move(hint));
}

}  // namespace

void JsonDepth::Open(bool is_array) {
  // The elements of a root array are records; otherwise the root values are.
  if (!started_) record_depth_ = is_array ? 2 : 1;
  started_ = true;
  ++depth_;
  deepest_ = std::max(deepest_, depth_);
}

void JsonDepth::Close() {
  if (depth_ > 0) --depth_;
}

void JsonDepth::Number(char c) {
  constexpr uint32_t kDoubleDigits = 17;
  if (IsAsciiDigit(c)) {
    if (c != '0' || digits_ > 0) ++digits_;
    has_long_number_ = has_long_number_ || digits_ > kDoubleDigits;
  } else if (AsciiLower(c) == 'e' && digits_ > 0) {
    has_long_number_ = true;
  } else if (c != '.') {
    digits_ = 0;
  }
}

void JsonDepth::Feed(std::string_view piece) {
  for (char c : piece) {
    ++record_;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"' || c == '\n') {
        // A string cannot hold a line break: an unclosed quote must not hide what follows.
        in_string_ = false;
      }
      continue;
    }
    Number(c);
    switch (c) {
      case '"':
        in_string_ = true;
        break;
      case '[':
      case '{':
        Open(c == '[');
        break;
      case ']':
      case '}':
        Close();
        [[fallthrough]];
      case ',':
      case '\n':
        if (depth_ < record_depth_) {
          longest_ = std::max(longest_, record_);
          record_ = 0;
        }
        break;
      default:
        break;
    }
  }
  longest_ = std::max(longest_, record_);
}

Result<JsonDepth> CheckJsonDepth(const std::string& path,
                                 const std::function<bool()>& interrupted) {
  struct Close {
    int fd;
    ~Close() {
      if (fd >= 0) ::close(fd);
    }
  };
  const Close file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.fd < 0) return Unreadable("permission", "The file cannot be opened");
  const auto buffer = std::make_unique<char[]>(kPieceBytes);
  JsonDepth depth;
  while (true) {
    const ssize_t got = ::read(file.fd, buffer.get(), kPieceBytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Unreadable("engine_error", "The file cannot be read");
    if (got == 0) return depth;
    depth.Feed({buffer.get(), static_cast<size_t>(got)});
    if (depth.deepest() > kJsonDepthMax) {
      return Unreadable(
          "deep_nesting",
          "A value is nested more than " + std::to_string(kJsonDepthMax) + " levels deep",
          "Flatten the file; real data is rarely nested 20 deep.");
    }
    if (depth.longest_record() > kJsonRecordBytesMax) {
      return Unreadable("too_large", "One record is larger than " +
                                         std::to_string(kJsonRecordBytesMax >> 20) + " MiB");
    }
    if (interrupted()) return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
  }
}

}  // namespace ducat::ingest
