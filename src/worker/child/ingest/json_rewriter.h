#pragma once
// JsonRewriter: checks one JSON value and writes it in one line. Not more lenient than the engine,
// which reads what comes out: NaN and commas before a closing bracket are let through. Recursion is
// bounded by CheckJsonDepth. Job thread.

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "worker/child/ingest/json_repair.h"

namespace ducat::ingest {

class JsonRewriter {
 public:
  explicit JsonRewriter(const std::set<std::string>& as_text) : as_text_(as_text) {}

  enum class Outcome : uint8_t { kValue, kBad, kMore };
  // Reads the value at the start of `text`. kMore: it may go on beyond it; never when `is_last`.
  Outcome Read(std::string_view text, bool is_last);
  [[nodiscard]] const std::string& out() const { return out_; }
  [[nodiscard]] size_t at() const { return at_; }  // read so far, or where it went wrong
  [[nodiscard]] const char* why() const { return why_; }
  [[nodiscard]] int64_t double_keys() const { return double_keys_; }
  [[nodiscard]] int64_t nonstandard_numbers() const { return nonstandard_numbers_; }
  [[nodiscard]] const NumberPaths& inexact() const { return inexact_; }

 private:
  struct Members {
    std::vector<std::pair<std::string, std::string>> all;  // in the order of their first mention
    std::unordered_map<std::string, size_t> places;
  };
  bool Value(std::string& out);
  // What stands between the brackets, comma by comma; `each` reads one part.
  template <class Each>
  bool Parts(char close, const char* expected, Each each);
  bool Object(std::string& out);
  bool Member(Members& members);
  bool List(std::string& out);
  bool Text(std::string& out);
  bool Escape();
  bool Unicode(unsigned& unit);
  bool Number(std::string& out);
  bool Word(std::string& out);
  bool Fail(const char* why);
  void SkipBlanks();
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void NoteNumber(std::string_view number);

  const std::set<std::string>& as_text_;
  std::string_view text_;
  bool is_last_ = false;
  size_t at_ = 0;
  const char* why_ = "";
  std::string out_;
  std::string path_;
  int64_t double_keys_ = 0, nonstandard_numbers_ = 0;
  NumberPaths numbers_, inexact_;
};

}  // namespace ducat::ingest
