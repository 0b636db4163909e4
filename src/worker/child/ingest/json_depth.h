#pragma once
// Nesting of a JSON text, judged before the engine sees it: its reader recurses and a 120 KB file
// of brackets overflows its stack. One linear pass over the file, constant memory, no parsing. Job
// thread.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat::ingest {

// Deepest nesting of a top-level value that the engine is shown.
inline constexpr uint32_t kJsonDepthMax = 1'000;
// Bytes of one top-level value (analyst.md 7.1).
inline constexpr uint64_t kJsonRecordBytesMax = uint64_t{64} << 20;

// Fed in pieces of any size; brackets inside strings do not count.
class JsonDepth {
 public:
  void Feed(std::string_view piece);
  [[nodiscard]] uint32_t deepest() const { return deepest_; }
  // Longest element: of the root array when there is one, else of the sequence of values.
  [[nodiscard]] uint64_t longest_record() const { return longest_; }
  // Some number has more digits than a double holds, or an exponent.
  [[nodiscard]] bool has_long_number() const { return has_long_number_; }

 private:
  void Open(bool is_array);
  void Close();
  void Number(char c);
  uint32_t depth_ = 0;
  uint32_t deepest_ = 0;
  uint64_t record_ = 0;
  uint64_t longest_ = 0;
  uint32_t record_depth_ = 1;  // brackets open around a record
  uint32_t digits_ = 0;        // significant ones of the number here
  bool has_long_number_ = false;
  bool started_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
};

// Reasons: deep_nesting, too_large (one record), cancelled when `interrupted`, and those of
// opening.
[[nodiscard]] Result<JsonDepth> CheckJsonDepth(const std::string& path,
                                               const std::function<bool()>& interrupted);

}  // namespace ducat::ingest
