#pragma once
// StderrTail: the last 64 KiB that a worker wrote to stderr, for the log. Plain value, owned by the
// worker's process object.

#include <cstddef>
#include <string>
#include <string_view>

namespace ducat::worker {

class StderrTail {
 public:
  static constexpr size_t kBytesMax = size_t{64} << 10;
  static constexpr size_t kTotalBytesMax = size_t{16} << 20;

  // False when the worker has written more in its life than anybody will read.
  [[nodiscard]] bool Append(std::string_view bytes) {
    text_.append(bytes);
    // Trimmed at twice the size, so that a flood costs one move per 64 KiB.
    if (text_.size() > 2 * kBytesMax) text_.erase(0, text_.size() - kBytesMax);
    total_ += bytes.size();
    return total_ <= kTotalBytesMax;
  }
  [[nodiscard]] std::string tail() const {
    return text_.size() <= kBytesMax ? text_ : text_.substr(text_.size() - kBytesMax);
  }

 private:
  std::string text_;
  size_t total_ = 0;
};

}  // namespace ducat::worker
