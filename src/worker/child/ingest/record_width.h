#pragma once
// Columns of a delimited text, counted before the engine sees it: its detection takes memory for
// each of them and for each delimiter that it tries. Fed in pieces of any size, constant memory.
// Job thread.

#include <array>
#include <cstdint>
#include <string_view>

namespace ducat::ingest {

class RecordWidth {
 public:
  void Feed(std::string_view piece);
  // Of the widest record so far, by the delimiter that splits it most; quoted text counts once.
  [[nodiscard]] int64_t widest() const { return widest_; }

 private:
  static constexpr std::string_view kDelimiters = ",;\t|";
  std::array<int64_t, kDelimiters.size()> found_{};
  int64_t widest_ = 0;
  bool quoted_ = false;
};

}  // namespace ducat::ingest
