#include "tidy/source_file.h"

#include <algorithm>

#include <fmt/format.h>

namespace ducat::tidy {
namespace {

bool IsWordCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Offset just behind the literal or comment that begins at `at`; `at` itself when none does.
class Skipper {
 public:
  explicit Skipper(std::string_view text) : text_(text) {}

  size_t End(size_t at) const {
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with("//")) return std::min(text_.find('\n', at), text_.size());
    if (rest.starts_with("/*")) return Behind("*/", at + 2);
    if (rest.starts_with("R\"") && !FollowsWord(at)) return RawEnd(at);
    if (rest.starts_with("\"")) return QuotedEnd(at);
    if (rest.starts_with("'") && !FollowsWord(at)) return QuotedEnd(at);  // not 1'000
    return at;
  }

 private:
  bool FollowsWord(size_t at) const { return at > 0 && IsWordCharacter(text_[at - 1]); }

  size_t Behind(std::string_view end, size_t from) const {
    const size_t at = text_.find(end, from);
    return at == std::string_view::npos ? text_.size() : at + end.size();
  }

  size_t RawEnd(size_t at) const {
    const size_t open = text_.find('(', at);
    if (open == std::string_view::npos) return text_.size();
    return Behind(fmt::format("){}\"", text_.substr(at + 2, open - at - 2)), open);
  }

  size_t QuotedEnd(size_t at) const {
    const char quote = text_[at];
    for (size_t i = at + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote || text_[i] == '\n') {
        return i + 1;
      }
    }
    return text_.size();
  }

  std::string_view text_;
};

}  // namespace

std::string CodeOnly(std::string_view text) {
  std::string code(text);
  const Skipper skipper(text);
  for (size_t at = 0; at < text.size();) {
    const size_t end = skipper.End(at);
    for (size_t i = at; i < end; ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    at = end == at ? at + 1 : end;
  }
  return code;
}

SourceFile MakeSourceFile(std::string path, std::string text) {
  SourceFile file{.path = std::move(path), .text = std::move(text)};
  if (IsCpp(file.path)) file.code = CodeOnly(file.text);
  return file;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

size_t LineOf(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
}

bool IsHeader(std::string_view path) {
  return path.ends_with(".h");
}
bool IsCpp(std::string_view path) {
  return IsHeader(path) || path.ends_with(".cc");
}

std::string_view FolderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view FileNameOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string Describe(const Finding& finding) {
  return fmt::format("{}:{}: [{}] {}", finding.path, finding.line, finding.rule, finding.message);
}

}  // namespace ducat::tidy
