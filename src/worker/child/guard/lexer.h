#pragma once
// Tokens of a SQL text, following the engine's lexer (guard.md 6.2). Where the two differ a
// statement may only be refused, never let through, because the verdict rests on the engine's own
// tree. Linear in the text, one allocation, never fails: what does not end is marked and left to
// the parser's error.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::guard {

enum class TokenKind : uint8_t {
  kWord,        // keyword or bare name
  kQuotedName,  // "a""b"
  kString,      // 'a''b', E'a\'b', $tag$a$tag$, also several that the engine joins
  kNumber,
  kParameter,  // ?, $1, $name
  kOpen,       // ( [ {
  kClose,      // ) ] }
  kSemicolon,
  kSymbol,  // one byte of anything else
};

struct Token {
  TokenKind kind = TokenKind::kSymbol;
  bool ends = true;  // false: the text stopped inside it
  uint32_t offset = 0;
  uint32_t length = 0;

  [[nodiscard]] uint32_t end() const { return offset + length; }
};

struct TokenList {
  std::string_view source;
  std::vector<Token> tokens;
  bool comment_ends = true;  // false: the text stopped inside /* */
  // The engine's lexer takes a whole run of operator characters and gives most of it back, at each
  // operator and each opening of a comment: bytes that it reads so, and the longest run.
  uint64_t rescanned = 0;
  uint32_t run_offset = 0, run_length = 0;

  [[nodiscard]] std::string_view Text(size_t i) const {
    return source.substr(tokens[i].offset, tokens[i].length);
  }
  // ASCII case-insensitive; false beyond the last token and for quoted names.
  [[nodiscard]] bool IsWord(size_t i, std::string_view lower) const;
  [[nodiscard]] bool IsSymbol(size_t i, char symbol) const;
  [[nodiscard]] bool Is(size_t i, TokenKind kind) const {
    return i < tokens.size() && tokens[i].kind == kind;
  }
  // Index of the token that begins at this byte.
  [[nodiscard]] std::optional<size_t> At(uint64_t offset) const;
  // For an opening bracket: index of its closing one, or tokens.size().
  [[nodiscard]] size_t Closing(size_t open) const;
};

[[nodiscard]] TokenList Tokenize(std::string_view source);

// The value that a string or quoted name token stands for; nothing for forms that are not decoded
// here (bit strings, unfinished tokens, invalid escapes).
[[nodiscard]] std::optional<std::string> DecodeToken(std::string_view text);

}  // namespace ducat::guard
