#pragma once
// SpliceCheck: the one pass over ROWS and TEXT bytes before they are spliced into a reply
// (guard.md 3.2). Works over all pieces of a job without keeping them. What passes cannot end the
// line, leave its string or array, or carry invalid UTF-8, whatever the worker has become. Control
// thread; plain value.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "worker/utf8_check.h"

namespace ducat::worker {

class SpliceCheck {
 public:
  enum class Body : uint8_t {
    kRows,  // elements of a JSON array: strings end, brackets close exactly what they open
    kText,  // the inside of a JSON string: no bare quote
  };
  static constexpr size_t kDepthMax = 1'024;

  explicit SpliceCheck(Body body) : body_(body) {}

  // Fails with reason "frame_error"; the message says what was found and near which byte of the
  // body.
  [[nodiscard]] Status Feed(std::string_view piece);
  // Nothing may be open after the last piece.
  [[nodiscard]] Status Finish() const;
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  struct Masks;
  enum class Fault : uint8_t {
    kNone,
    kControl,
    kUtf8,
    kQuote,
    kBracket,
    kDepth,
    kOutside,
    kEscape
  };

  [[nodiscard]] Fault FeedBlock(std::string_view block);
  [[nodiscard]] Fault FeedStrings(std::string_view block, const Masks& masks, uint64_t quotes,
                                  uint64_t backslashes);
  [[nodiscard]] Fault FeedBrackets(std::string_view block, uint64_t brackets);
  [[nodiscard]] Fault FeedEscapes(std::string_view block, const char* bytes, uint64_t escaped);
  [[nodiscard]] bool FeedHex(std::string_view bytes);
  uint64_t EscapedBits(uint64_t backslashes, size_t size);
  [[nodiscard]] bool FeedCharacters(std::string_view block);

  Body body_;
  uint64_t bytes_ = 0;
  bool in_string_ = false;
  bool escape_next_ = false;  // the last byte was a backslash that escapes the next
  uint32_t hex_needed_ = 0;   // digits of a \u that must follow
  uint32_t depth_ = 0;
  std::array<char, kDepthMax> open_{};  // the open brackets
  Utf8Check utf8_;
};

}  // namespace ducat::worker
