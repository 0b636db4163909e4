#include "worker/child/guard/lexer.h"

#include <algorithm>

#include "base/text.h"

namespace ducat::guard {
namespace {

bool IsWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool IsWordPart(char c) {
  return IsWordStart(c) || IsAsciiDigit(c) || c == '$';
}

bool IsOperator(char c) {
  return std::string_view("~!@#^&|`?+-*/%<>=").find(c) != std::string_view::npos;
}

// Blanks beyond ASCII that the engine reads as spaces; 0 when `text` begins with none.
size_t UnicodeSpace(std::string_view text) {
  if (text.starts_with("\xC2\xA0")) return 2;
  if (text.size() < 3) return 0;
  if (text.starts_with("\xE2\x80")) {
    const auto third = static_cast<uint8_t>(text[2]);
    return (third >= 0x80 && third <= 0x8D) || third == 0xAF ? 3 : 0;
  }
  const bool space = text.starts_with("\xE2\x81\x9F") || text.starts_with("\xE2\x81\xA0") ||
                     text.starts_with("\xE3\x80\x80") || text.starts_with("\xEF\xBB\xBF");
  return space ? 3 : 0;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {
    list_.source = source;
    list_.tokens.reserve(source.size() / 2 + 16);
  }

  TokenList Run() {
    while (SkipBlanks()) {
      Next();
    }
    return std::move(list_);
  }

 private:
  [[nodiscard]] char Peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  [[nodiscard]] std::string_view Rest() const { return source_.substr(at_); }

  // To the next token; false at the end of the text.
  bool SkipBlanks() {
    while (at_ < source_.size()) {
      if (IsAsciiBlank(Peek())) {
        ++at_;
      } else if (Peek() == '-' && Peek(1) == '-') {
        SkipLineComment();
      } else if (Peek() == '/' && Peek(1) == '*') {
        SkipBlockComment();
      } else if (const size_t space = UnicodeSpace(Rest()); space > 0) {
        at_ += space;
      } else {
        return true;
      }
    }
    return false;
  }

  void SkipLineComment() { at_ = std::min(source_.find_first_of("\r\n", at_), source_.size()); }

  void SkipBlockComment() {
    size_t depth = 0;
    while (at_ < source_.size()) {
      if (Peek() == '/' && Peek(1) == '*') {
        ++depth;
        CountRun();
        at_ += 2;
      } else if (Peek() == '*' && Peek(1) == '/') {
        at_ += 2;
        if (--depth == 0) return;
      } else {
        ++at_;
      }
    }
    list_.comment_ends = false;
  }

  void Next() {
    const size_t start = at_;
    const char c = Peek();
    if (c == '\'' || (IsStringPrefix(c) && Peek(1) == '\'')) {
      const bool escapes = c == 'e' || c == 'E';
      at_ += c == '\'' ? 1 : 2;
      Add(TokenKind::kString, start, QuotedString(escapes));
    } else if (c == '"') {
      ++at_;
      Add(TokenKind::kQuotedName, start, Quoted('"', false));
    } else if (c == '$') {
      Dollar(start);
    } else if (c == '?') {
      ++at_;
      while (IsAsciiDigit(Peek())) {
        ++at_;
      }
      Add(TokenKind::kParameter, start, true);
    } else if (IsAsciiDigit(c) || (c == '.' && IsAsciiDigit(Peek(1)))) {
      Number();
      Add(TokenKind::kNumber, start, true);
    } else if (IsWordStart(c)) {
      while (at_ < source_.size() && IsWordPart(Peek()) && UnicodeSpace(Rest()) == 0) {
        ++at_;
      }
      Add(TokenKind::kWord, start, true);
    } else {
      if (IsOperator(c)) CountOperator();
      ++at_;
      Add(SymbolKind(c), start, true);
    }
  }

  // At an operator character: a comment that opens costs the rest of the run.
  void CountRun() {
    if (run_end_ <= at_) {
      run_end_ = at_;
      while (run_end_ < source_.size() && IsOperator(source_[run_end_])) {
        ++run_end_;
      }
      if (run_end_ - at_ > list_.run_length) {
        list_.run_offset = static_cast<uint32_t>(at_);
        list_.run_length = static_cast<uint32_t>(run_end_ - at_);
      }
    }
    list_.rescanned += run_end_ - at_;
  }

  // An operator costs that too, and + or - at its end is given back after a look at all before it.
  void CountOperator() {
    CountRun();
    if (operators_end_ <= at_) {
      const std::string_view run = source_.substr(at_, run_end_ - at_);
      operators_end_ = at_ + std::min({run.size(), run.find("/*"), run.find("--")});
    }
    const uint64_t length = operators_end_ - at_;
    list_.rescanned += length * length / 2;
  }

  static bool IsStringPrefix(char c) {
    return c == 'e' || c == 'E' || c == 'x' || c == 'X' || c == 'b' || c == 'B' || c == 'n' ||
           c == 'N';
  }

  static TokenKind SymbolKind(char c) {
    if (c == '(' || c == '[' || c == '{') return TokenKind::kOpen;
    if (c == ')' || c == ']' || c == '}') return TokenKind::kClose;
    return c == ';' ? TokenKind::kSemicolon : TokenKind::kSymbol;
  }

  // After the opening quote, to behind the closing one; false at the end of the text.
  bool Quoted(char quote, bool escapes) {
    while (at_ < source_.size()) {
      const char c = Peek();
      if (escapes && c == '\\') {
        at_ = std::min(at_ + 2, source_.size());
      } else if (c != quote) {
        ++at_;
      } else if (Peek(1) == quote) {
        at_ += 2;
      } else {
        ++at_;
        return true;
      }
    }
    return false;
  }

  // A string goes on after a line break: 'a' <newline> 'b' is one literal.
  bool QuotedString(bool escapes) {
    while (Quoted('\'', escapes)) {
      const size_t after = at_;
      bool newline = false;
      while (at_ < source_.size()) {
        if (IsAsciiBlank(Peek())) {
          newline = newline || Peek() == '\n' || Peek() == '\r';
          ++at_;
        } else if (Peek() == '-' && Peek(1) == '-') {
          SkipLineComment();
        } else {
          break;
        }
      }
      if (!newline || Peek() != '\'') {
        at_ = after;
        return true;
      }
      ++at_;
    }
    return false;
  }

  void Dollar(size_t start) {
    size_t end = at_ + 1;
    if (end < source_.size() && IsWordStart(source_[end])) {
      while (end < source_.size() && (IsWordStart(source_[end]) || IsAsciiDigit(source_[end]))) {
        ++end;
      }
    }
    if (end < source_.size() && source_[end] == '$') {
      const std::string_view tag = source_.substr(at_, end + 1 - at_);
      const size_t close = source_.find(tag, end + 1);
      const bool ends = close != std::string_view::npos;
      at_ = ends ? close + tag.size() : source_.size();
      Add(TokenKind::kString, start, ends);
      return;
    }
    while (end < source_.size() && IsAsciiDigit(source_[end])) {
      ++end;
    }
    at_ = end;
    Add(end > start + 1 ? TokenKind::kParameter : TokenKind::kSymbol, start, true);
  }

  void Number() {
    if (Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X' || Peek(1) == 'b' || Peek(1) == 'B')) {
      at_ += 2;
      while (IsWordPart(Peek()) && (Peek() & 0x80) == 0) {
        ++at_;
      }
      return;
    }
    const auto digits = [this] {
      while (IsAsciiDigit(Peek()) || (Peek() == '_' && IsAsciiDigit(Peek(1)))) {
        ++at_;
      }
    };
    digits();
    if (Peek() == '.') {
      ++at_;
      digits();
    }
    if (Peek() == 'e' || Peek() == 'E') {
      const size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
      if (IsAsciiDigit(Peek(1 + sign))) {
        at_ += 1 + sign;
        digits();
      }
    }
  }

  void Add(TokenKind kind, size_t start, bool ends) {
    list_.tokens.push_back({.kind = kind,
                            .ends = ends,
                            .offset = static_cast<uint32_t>(start),
                            .length = static_cast<uint32_t>(at_ - start)});
  }

  std::string_view source_;
  size_t at_ = 0;
  size_t run_end_ = 0;        // of the operator characters at or before at_
  size_t operators_end_ = 0;  // the same, to where a comment begins
  TokenList list_;
};

void AppendEscape(std::string& out, std::string_view text, size_t& i) {
  const char c = text[i];
  switch (c) {
    case 'b':
      out += '\b';
      return;
    case 'f':
      out += '\f';
      return;
    case 'n':
      out += '\n';
      return;
    case 'r':
      out += '\r';
      return;
    case 't':
      out += '\t';
      return;
    default:
      out += c;
  }
}

// One quoted piece, from behind its opening quote; `i` ends behind the closing one.
bool DecodePiece(std::string_view text, size_t& i, char quote, bool escapes, std::string& out) {
  while (i < text.size()) {
    if (escapes && text[i] == '\\') {
      if (++i >= text.size()) return false;
      // Numeric escapes are rare in paths and names: not decoded, so never accepted.
      if (IsAsciiDigit(text[i]) || text[i] == 'x' || text[i] == 'u' || text[i] == 'U') return false;
      AppendEscape(out, text, i);
      ++i;
    } else if (text[i] != quote) {
      out += text[i++];
    } else if (i + 1 < text.size() && text[i + 1] == quote) {
      out += quote;
      i += 2;
    } else {
      ++i;
      return true;
    }
  }
  return false;
}

std::optional<std::string> DecodeDollar(std::string_view text) {
  const size_t tag_end = text.find('$', 1);
  if (tag_end == std::string_view::npos) return std::nullopt;
  const std::string_view tag = text.substr(0, tag_end + 1);
  if (text.size() < 2 * tag.size() || !text.ends_with(tag)) return std::nullopt;
  return std::string(text.substr(tag.size(), text.size() - 2 * tag.size()));
}

}  // namespace

bool TokenList::IsWord(size_t i, std::string_view lower) const {
  return Is(i, TokenKind::kWord) && EqualsIgnoringCase(Text(i), lower);
}

bool TokenList::IsSymbol(size_t i, char symbol) const {
  return i < tokens.size() && tokens[i].length == 1 && source[tokens[i].offset] == symbol;
}

std::optional<size_t> TokenList::At(uint64_t offset) const {
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), offset,
                                      [](const Token& t, uint64_t at) { return t.offset < at; });
  if (found == tokens.end() || found->offset != offset) return std::nullopt;
  return static_cast<size_t>(found - tokens.begin());
}

size_t TokenList::Closing(size_t open) const {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::kOpen) ++depth;
    if (tokens[i].kind == TokenKind::kClose && --depth == 0) return i;
  }
  return tokens.size();
}

TokenList Tokenize(std::string_view source) {
  return Lexer(source).Run();
}

std::optional<std::string> DecodeToken(std::string_view text) {
  if (text.starts_with('$')) return DecodeDollar(text);
  std::string out;
  const bool escapes = text.starts_with('e') || text.starts_with('E');
  size_t i = escapes ? 1 : 0;
  if (i >= text.size() || (text[i] != '\'' && text[i] != '"')) return std::nullopt;
  const char quote = text[i++];
  if (!DecodePiece(text, i, quote, escapes, out)) return std::nullopt;
  while (i < text.size()) {  // pieces joined over a line break
    while (i < text.size() && text[i] != quote) {
      if (text[i] == '-') i = std::min(text.find_first_of("\r\n", i), text.size());
      if (i < text.size()) ++i;
    }
    if (i >= text.size()) return std::nullopt;
    ++i;
    if (!DecodePiece(text, i, quote, escapes, out)) return std::nullopt;
  }
  return out;
}

}  // namespace ducat::guard
