#include <algorithm>

#include "json/escape.h"
#include "json/fault.h"
#include "json/view.h"
#include "json/writer.h"

namespace ducat::json {

namespace {

constexpr bool IsJsonBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Walks the members of the outermost object by brackets and quotes alone; what lies deeper, and
// whether scalars are well-formed, does not matter to it.
class TopLevelScan {
 public:
  explicit TopLevelScan(std::string_view text) : text_(text) {}

  std::optional<std::string_view> Find(std::string_view wanted) {
    if (text_.starts_with("\xEF\xBB\xBF")) pos_ = 3;
    if (!Take('{')) return std::nullopt;
    std::optional<std::string_view> found;
    while (true) {
      const std::optional<std::string_view> key = String();
      if (!key || !Take(':')) return found;
      const std::optional<std::string_view> value = Value();
      if (KeyIs(*key, wanted)) {
        if (found || !value || !IsScalar(*value)) return std::nullopt;
        found = value;
      }
      if (!value || !Take(',')) return found;
    }
  }

 private:
  void SkipBlanks() {
    while (pos_ < text_.size() && IsJsonBlank(text_[pos_])) {
      ++pos_;
    }
  }

  bool Take(char c) {
    SkipBlanks();
    if (pos_ == text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }

  // A token with its quotes; only its end is looked for.
  std::optional<std::string_view> String() {
    SkipBlanks();
    if (pos_ == text_.size() || text_[pos_] != '"') return std::nullopt;
    const size_t start = pos_;
    if (!SkipString()) return std::nullopt;
    return text_.substr(start, pos_ - start);
  }

  bool SkipString() {
    for (size_t i = pos_ + 1; (i = NextNotPlain(text_, i)) < text_.size(); ++i) {
      if (text_[i] == '"') {
        pos_ = i + 1;
        return true;
      }
      if (text_[i] == '\\') ++i;
    }
    return false;
  }

  std::optional<std::string_view> Value() {
    SkipBlanks();
    const size_t start = pos_;
    std::string open;  // the closing brackets that are due
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (open.empty() && (c == ',' || c == '}' || c == ']')) break;
      if (c == '"') {
        if (!SkipString()) return std::nullopt;
        continue;
      }
      if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
      if (c == '}' || c == ']') {
        if (open.back() != c) return std::nullopt;
        open.pop_back();
      }
      ++pos_;
    }
    // A value is only known to be complete when something follows it.
    if (pos_ == text_.size()) return std::nullopt;
    std::string_view value = text_.substr(start, pos_ - start);
    while (!value.empty() && IsJsonBlank(value.back())) {
      value.remove_suffix(1);
    }
    return value;
  }

  static bool KeyIs(std::string_view token, std::string_view wanted) {
    const std::string_view inside = token.substr(1, token.size() - 2);
    if (inside.find('\\') == std::string_view::npos) return inside == wanted;
    return Unescape(inside) == wanted;
  }

  static bool IsScalar(std::string_view token) {
    if (token == "true" || token == "false" || token == "null") return true;
    if (token.starts_with('"')) return ScanString(token).length == token.size();
    return JudgeNumber(token) != NumberForm::kMalformed;
  }

  std::string_view text_;
  size_t pos_ = 0;
};

}  // namespace

std::optional<std::string_view> ScanTopLevel(std::string_view text, std::string_view key) {
  return TopLevelScan(text).Find(key);
}

}  // namespace ducat::json
