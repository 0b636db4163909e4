#pragma once
// TextWindow: a file read from front to end through a buffer that moves. The reader takes what it
// has understood and asks for more when what is there ends too early. Job thread. Reasons: those of
// OpenToRead.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/child/ingest/open_file.h"

namespace ducat::ingest {

inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

class TextWindow {
 public:
  [[nodiscard]] Status Open(const std::string& path) {
    TRY_ASSIGN(file_, OpenToRead(path));
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
    TRY(Fill());
    if (text().starts_with(kUtf8Mark)) Take(kUtf8Mark.size());
    return {};
  }
  [[nodiscard]] std::string_view text() const {
    return std::string_view(buffer_).substr(at_, end_ - at_);
  }
  [[nodiscard]] bool is_last() const { return is_last_; }
  void Take(size_t bytes) { at_ += bytes; }
  // Brings more text behind what is there; at least as much as that, so that a long record is not
  // moved often.
  [[nodiscard]] Status Fill() {
    const size_t kept = end_ - at_;
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    at_ = 0;
    const size_t wanted = std::max(kBlockBytes, kept);
    if (buffer_.size() < kept + wanted) buffer_.resize(kept + wanted);
    const size_t got = std::fread(buffer_.data() + kept, 1, wanted, file_.get());
    end_ = kept + got;
    is_last_ = got < wanted;
    if (is_last_ && std::ferror(file_.get()) != 0) {
      return Fail(ErrorCode::kFailedPrecondition, "engine_error", "The file cannot be read");
    }
    return {};
  }

 private:
  static constexpr size_t kBlockBytes = size_t{1} << 20;
  FileHandle file_{nullptr, &std::fclose};
  std::string buffer_;
  size_t at_ = 0, end_ = 0;
  bool is_last_ = false;
};

}  // namespace ducat::ingest
