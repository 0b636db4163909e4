#pragma once
// RequestHead: one HTTP request without its body. Views borrow from the bytes that were parsed.
// Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace ducat::transport {

struct HeaderLine {
  std::string_view name;
  std::string_view value;  // without outer blanks
};

struct RequestHead {
  std::string_view method;
  std::string_view target;
  int version = 11;  // 10 or 11
  std::vector<HeaderLine> headers;
  std::optional<uint64_t> content_length;
  bool chunked = false;
  bool keep_alive = false;
  bool expects_continue = false;

  // The first header of that name; nothing when there is none.
  [[nodiscard]] std::optional<std::string_view> Header(std::string_view name) const {
    for (const HeaderLine& line : headers) {
      if (EqualsIgnoringCase(line.name, name)) return line.value;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool has_body() const { return chunked || content_length.value_or(0) > 0; }
};

}  // namespace ducat::transport
