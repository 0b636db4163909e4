#include "json/fault.h"

#include <charconv>
#include <cstdlib>
#include <vector>

#include "base/text.h"
#include "json/escape.h"
#include "json/tape.h"
#include "json/writer.h"

namespace ducat::json {

namespace {

constexpr size_t kTokenBytesMax = 40;

bool IsJsonBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool EndsToken(char c) {
  return IsJsonBlank(c) || c == ',' || c == ':' || c == ']' || c == '}' || c == '[' || c == '{' ||
         c == '"';
}

size_t SkipDigits(std::string_view token, size_t i) {
  while (i < token.size() && IsAsciiDigit(token[i])) {
    ++i;
  }
  return i;
}

// Splits by the grammar; false when `token` is no number.
bool ReadNumber(std::string_view token, bool& integer) {
  size_t i = token.starts_with('-') ? 1 : 0;
  const size_t whole = SkipDigits(token, i);
  if (whole == i || (token[i] == '0' && whole > i + 1)) return false;
  i = whole;
  integer = i == token.size();
  if (i < token.size() && token[i] == '.') {
    const size_t fraction = SkipDigits(token, i + 1);
    if (fraction == i + 1) return false;
    i = fraction;
  }
  if (i < token.size() && AsciiLower(token[i]) == 'e') {
    ++i;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    const size_t exponent = SkipDigits(token, i);
    if (exponent == i) return false;
    i = exponent;
  }
  return i == token.size();
}

template <class Number>
std::errc Read(std::string_view token, Number& value) {
  return std::from_chars(token.data(), token.data() + token.size(), value).ec;
}

class FaultFinder {
 public:
  FaultFinder(std::string_view text, size_t depth_max) : text_(text), depth_max_(depth_max) {}

  Fault Find() {
    if (text_.starts_with("\xEF\xBB\xBF")) {
      return {Fault::Kind::kSyntax, 0, "the text starts with a byte order mark"};
    }
    SkipBlanks();
    if (pos_ == text_.size()) return {Fault::Kind::kSyntax, pos_, "the text is empty"};
    bool going = true;
    while (going) {
      going = Value() && Follow();
    }
    return std::move(fault_);
  }

 private:
  // An open container: the key or the index of the value being read.
  struct Frame {
    bool object = false;
    std::string_view key;  // raw, without quotes
    size_t index = 0;
  };

  void SkipBlanks() {
    while (pos_ < text_.size() && IsJsonBlank(text_[pos_])) {
      ++pos_;
    }
  }
  [[nodiscard]] bool At(char c) const { return pos_ < text_.size() && text_[pos_] == c; }

  bool Syntax(const char* what) { return Set(Fault::Kind::kSyntax, what); }
  bool Set(Fault::Kind kind, std::string text) {
    fault_ = {kind, pos_, std::move(text)};
    return false;
  }

  // Reads a scalar, or opens containers down to their first scalar or an empty one.
  bool Value() {
    while (true) {
      SkipBlanks();
      if (pos_ == text_.size()) return Syntax("the text ends where a value is expected");
      const char c = text_[pos_];
      if (c == '"') return String();
      if (c != '{' && c != '[') return Token();
      if (frames_.size() == depth_max_) return Set(Fault::Kind::kDepth, "");
      ++pos_;
      SkipBlanks();
      if (At(c == '{' ? '}' : ']')) return ++pos_, true;
      frames_.push_back({.object = c == '{'});
      if (c == '{' && !Key()) return false;
    }
  }

  // After a value: closes containers and comes to the next value; false at the end or at a fault.
  bool Follow() {
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      SkipBlanks();
      if (At(',')) {
        ++pos_;
        ++frame.index;
        return !frame.object || Key();
      }
      if (!At(frame.object ? '}' : ']')) {
        return Syntax(frame.object ? "expected ',' or '}' after a member"
                                   : "expected ',' or ']' after an element");
      }
      ++pos_;
      frames_.pop_back();
    }
    SkipBlanks();
    return pos_ == text_.size() ? false : Syntax("there are bytes after the value");
  }

  bool Key() {
    SkipBlanks();
    if (!At('"')) return Syntax("expected a key in double quotes");
    const size_t start = pos_;
    if (!String()) return false;
    frames_.back().key = text_.substr(start + 1, pos_ - start - 2);
    SkipBlanks();
    if (!At(':')) return Syntax("expected ':' after a key");
    return ++pos_, true;
  }

  bool String() {
    const StringScan scan = ScanString(text_.substr(pos_));
    if (scan.fault != nullptr) {
      pos_ += scan.offset;
      return Syntax(scan.fault);
    }
    pos_ += scan.length;
    return true;
  }

  bool Token() {
    size_t end = pos_;
    while (end < text_.size() && !EndsToken(text_[end])) {
      ++end;
    }
    const std::string_view token = text_.substr(pos_, end - pos_);
    if (token != "true" && token != "false" && token != "null") {
      const NumberForm form = JudgeNumber(token);
      if (form == NumberForm::kMalformed) return Syntax("expected a value");
      if (form == NumberForm::kTooLarge) return Set(Fault::Kind::kNumber, NumberText(token));
    }
    pos_ = end;
    return true;
  }

  [[nodiscard]] std::string NumberText(std::string_view token) const {
    std::string path;
    for (const Frame& frame : frames_) {
      if (frame.object) {
        AppendKeyToPath(path, Unescape(frame.key));
      } else {
        AppendIndexToPath(path, frame.index);
      }
    }
    if (!path.empty()) path += ": ";
    path += token.substr(0, kTokenBytesMax);
    if (token.size() > kTokenBytesMax) path += "...";
    return path;
  }

  std::string_view text_;
  size_t depth_max_;
  size_t pos_ = 0;
  std::vector<Frame> frames_;
  Fault fault_;
};

}  // namespace

NumberForm JudgeNumber(std::string_view token) {
  bool integer = false;
  if (!ReadNumber(token, integer)) return NumberForm::kMalformed;
  if (integer) {
    int64_t value = 0;
    uint64_t natural = 0;
    const bool fits = Read(token, value) == std::errc{} ||
                      (token.front() != '-' && Read(token, natural) == std::errc{});
    return fits ? NumberForm::kFits : NumberForm::kTooLarge;
  }
  double value = 0;
  if (Read(token, value) == std::errc{}) return NumberForm::kFits;
  // Too small rounds to zero and fits; only what is beyond the range does not.
  const std::string terminated(token);
  const double rounded = std::strtod(terminated.c_str(), nullptr);
  return rounded > 1 || rounded < -1 ? NumberForm::kTooLarge : NumberForm::kFits;
}

StringScan ScanString(std::string_view text) {
  size_t i = 1;
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"') return {.length = i + 1};
    if (c < 0x20) return {0, i, "a control character has to be escaped"};
    if (c == '\\') {
      const EscapeStep step = NextEscape(text.substr(i));
      if (!step.valid) return {0, i, "bad escape sequence or lone surrogate"};
      i += step.length;
    } else if (c < 0x80) {
      ++i;
    } else {
      const Utf8Step step = NextUtf8(text.substr(i));
      if (!step.valid) return {0, i, "invalid UTF-8"};
      i += step.length;
    }
  }
  return {0, text.size(), "a string is not closed"};
}

Fault FindFault(std::string_view text, size_t depth_max) {
  return FaultFinder(text, depth_max).Find();
}

}  // namespace ducat::json
