#include "mcp/wide_integers.h"

#include <algorithm>
#include <vector>

#include "json/fault.h"

namespace ducat::mcp {
namespace {

// Copies a text of JSON token by token. What is not JSON is left to the parser.
class Quoter {
 public:
  Quoter(std::string_view text, ArgumentsAt arguments) : text_(text), arguments_(arguments) {}

  std::string Run() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (c == '"') {
        String();
      } else if (c == '-' || (c >= '0' && c <= '9')) {
        Number();
      } else {
        Structure(c);
        out_.push_back(c);
        ++pos_;
      }
    }
    return std::move(out_);
  }

 private:
  struct Frame {
    bool object = false;
    std::string_view key;  // of the value being read, with its quotes
  };

  void Structure(char c) {
    if (c == '{' || c == '[') frames_.push_back({.object = c == '{', .key = {}});
    if ((c == '}' || c == ']') && !frames_.empty()) frames_.pop_back();
    if (c == ':' && !frames_.empty()) frames_.back().key = last_string_;
  }

  void String() {
    const json::StringScan scan = json::ScanString(text_.substr(pos_));
    const size_t length = scan.fault == nullptr ? scan.length : 1;
    last_string_ = text_.substr(pos_, length);
    out_ += last_string_;
    pos_ += length;
  }

  void Number() {
    const size_t end = std::min(text_.find_first_not_of("-+.0123456789eE", pos_), text_.size());
    const std::string_view token = text_.substr(pos_, end - pos_);
    const bool wide = token.find_first_not_of("-0123456789") == std::string_view::npos &&
                      json::JudgeNumber(token) == json::NumberForm::kTooLarge && InArguments();
    if (wide) out_.push_back('"');
    out_ += token;
    if (wide) out_.push_back('"');
    pos_ = end;
  }

  [[nodiscard]] bool InArguments() const {
    if (arguments_ == ArgumentsAt::kRoot) return true;
    const size_t message = !frames_.empty() && !frames_.front().object ? 1 : 0;
    return frames_.size() > message + 2 && frames_[message].key == "\"params\"" &&
           frames_[message + 1].key == "\"arguments\"";
  }

  std::string_view text_;
  ArgumentsAt arguments_;
  size_t pos_ = 0;
  std::string_view last_string_;
  std::vector<Frame> frames_;
  std::string out_;
};

}  // namespace

Result<json::View> ParseWithWideIntegers(json::Document& document, std::string_view text,
                                         ArgumentsAt arguments, const json::ParseLimits& limits) {
  Result<json::View> root = document.Parse(text, limits);
  if (root || root.error().reason != "json_limit") return root;
  const std::string quoted = Quoter(text, arguments).Run();
  return quoted.size() == text.size() ? std::move(root) : document.Parse(quoted, limits);
}

}  // namespace ducat::mcp
