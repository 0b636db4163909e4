#include "transport/line_framer.h"

#include <utility>

namespace ducat::transport {
namespace {

constexpr size_t kKeptCapacity = size_t{1} << 20U;

std::string_view WithoutCr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

LineFramer::LineFramer(size_t bytes_max, LineFunction on_line, TooLongFunction on_too_long)
    : bytes_max_(bytes_max), on_line_(std::move(on_line)), on_too_long_(std::move(on_too_long)) {}

void LineFramer::Push(std::string_view chunk) {
  while (!chunk.empty()) {
    const size_t end = chunk.find('\n');
    if (end == chunk.npos) return Keep(chunk);
    EndLine(chunk.substr(0, end));
    chunk.remove_prefix(end + 1);
  }
}

void LineFramer::Finish() {
  EndLine({});
}

void LineFramer::EndLine(std::string_view rest) {
  if (std::exchange(skipping_, false)) return;
  if (TooLong(rest)) {
    partial_.clear();
    return on_too_long_();
  }
  if (partial_.empty()) {
    if (const auto line = WithoutCr(rest); !line.empty()) on_line_(line);
    return;
  }
  partial_.append(rest);
  const std::string whole = std::exchange(partial_, {});
  if (const auto line = WithoutCr(whole); !line.empty()) on_line_(line);
  // The buffer is used again unless one long line made it large.
  if (partial_.empty() && whole.capacity() <= kKeptCapacity) partial_.reserve(whole.capacity());
}

void LineFramer::Keep(std::string_view start) {
  if (skipping_) return;
  if (TooLong(start)) {
    skipping_ = true;
    partial_ = {};
    return on_too_long_();
  }
  partial_.append(start);
}

// One byte more is allowed for a CR that may turn out to belong to the line's end.
bool LineFramer::TooLong(std::string_view tail) const {
  const size_t size = partial_.size() + tail.size();
  if (size <= bytes_max_) return false;
  if (size > bytes_max_ + 1) return true;
  return tail.empty() ? !partial_.ends_with('\r') : !tail.ends_with('\r');
}

}  // namespace ducat::transport
