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
  [[nodiscard]] int64_t longest_line() const { return longest_line_; }  // in which it begins
  // Some number has more digits than a double holds, or an exponent.
  [[nodiscard]] bool has_long_number() const { return has_long_number_; }
  // How often NaN or an infinity stands outside strings.
  [[nodiscard]] int64_t nonstandard_numbers() const { return nonstandard_numbers_; }

 private:
  void Open(bool is_array);
  void Close();
  void Number(char c);
  void Word(char c);
  void InString(char c);
  void NoteRecord();
  uint32_t depth_ = 0;
  uint32_t deepest_ = 0;
  uint64_t record_ = 0;
  uint64_t longest_ = 0;
  uint32_t record_depth_ = 1;  // brackets open around a record
  uint32_t digits_ = 0;        // significant ones of the number here
  int64_t nonstandard_numbers_ = 0;
  int64_t line_ = 1, record_line_ = 1, longest_line_ = 1;
  char before_ = 0;  // the last character outside strings
  bool has_long_number_ = false;
  bool started_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
};

// What is wrong with a value that is nested beyond kJsonDepthMax.
[[nodiscard]] Failure DeepNesting();
// What is wrong with a record beyond kJsonRecordBytesMax.
[[nodiscard]] std::string RecordTooLarge(int64_t line);

// Reasons: deep_nesting, too_large (one record), cancelled when `interrupted`, and those of
// opening.
[[nodiscard]] Result<JsonDepth> CheckJsonDepth(const std::string& path,
                                               const std::function<bool()>& interrupted);

}  // namespace ducat::ingest
