#pragma once
// ValueReader: takes a written value apart from its front, without allocation. Views into the
// caller's text. Any thread.

#include <cstddef>
#include <string_view>

#include "base/text.h"

namespace ducat::ingest {

class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : text_(text) {}
  [[nodiscard]] bool done() const { return text_.empty(); }
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  char TakeOneOf(std::string_view any) {
    if (text_.empty() || any.find(text_.front()) == std::string_view::npos) return '\0';
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }
  bool Take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  // The run of digits, which may be empty.
  std::string_view Digits() {
    size_t n = 0;
    while (n < text_.size() && IsAsciiDigit(text_[n])) {
      ++n;
    }
    const std::string_view digits = text_.substr(0, n);
    text_.remove_prefix(n);
    return digits;
  }
  // Exactly `n` digits as a number; -1 when they are not there.
  int Number(size_t n) {
    if (text_.size() < n) return -1;
    int value = 0;
    for (size_t i = 0; i < n; ++i) {
      if (!IsAsciiDigit(text_[i])) return -1;
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(n);
    return value;
  }

 private:
  std::string_view text_;
};

}  // namespace ducat::ingest
