#pragma once
// LineFramer: cuts a byte stream into lines (protocol.md 6). A line ends at LF, one CR before it is
// dropped, empty lines are skipped. A line over the limit is reported once and skipped without
// being stored. Lines that lie whole in one chunk are not copied. Cost is linear. Owned by its
// transport.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace ducat::transport {

class LineFramer {
 public:
  using LineFunction = std::function<void(std::string_view line)>;
  using TooLongFunction = std::function<void()>;

  // `bytes_max` counts neither LF nor the CR before it.
  LineFramer(size_t bytes_max, LineFunction on_line, TooLongFunction on_too_long);

  void Push(std::string_view chunk);
  // End of the stream: a last line without LF counts.
  void Finish();

 private:
  void EndLine(std::string_view rest);
  void Keep(std::string_view start);
  [[nodiscard]] bool TooLong(std::string_view tail) const;

  size_t bytes_max_;
  LineFunction on_line_;
  TooLongFunction on_too_long_;
  std::string partial_;
  bool skipping_ = false;
};

}  // namespace ducat::transport
