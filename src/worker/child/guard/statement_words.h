#pragma once
// What a text begins with, told by its tokens alone (guard.md 6.1 to 6.4): separators, EXPLAIN, and
// the words of statements that do more than read. Only chooses messages: the engine's tree decides.
// Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "worker/child/guard/lexer.h"

namespace ducat::guard {

// The tokens of the first statement: without leading and trailing semicolons.
struct StatementTokens {
  size_t first = 0, last = 0;  // [first, last)
  std::optional<size_t> next;  // first token of a second statement
  [[nodiscard]] bool empty() const { return first == last; }
};
[[nodiscard]] StatementTokens FirstStatement(const TokenList& tokens);

// Depth of the deepest bracket and its token.
struct BracketDepth {
  uint64_t depth = 0;
  size_t token = 0;
};
[[nodiscard]] BracketDepth DeepestBracket(const TokenList& tokens);
// Tokens once the parser has copied the operand of each `CASE operand WHEN ...` for each WHEN,
// which grows with a power when such CASEs stand in one another's operands.
[[nodiscard]] double ExpandedTokens(const TokenList& tokens);

// EXPLAIN [ANALYZE] or EXPLAIN (options) before a statement.
struct ExplainPrefix {
  bool present = false;
  bool analyze = false;
  std::string format;    // lower case, empty: not given
  size_t statement = 0;  // first token behind it
  // Token that is no option; the prefix is then not understood.
  std::optional<size_t> fault;
};
[[nodiscard]] ExplainPrefix PeelExplain(const TokenList& tokens, const StatementTokens& statement);

// A word that begins a statement which is not for reading, at `first`, in a leading parenthesis, in
// the body of a CTE or behind a CTE list. Nothing when there is none.
[[nodiscard]] std::optional<size_t> DeniedWord(const TokenList& tokens, size_t first);
// Whether the word is on the list of such statements.
[[nodiscard]] bool IsStatementWord(std::string_view word);

// The token behind a CTE list that begins at `first` (the word WITH), or `first`.
[[nodiscard]] size_t SkipCtes(const TokenList& tokens, size_t first);

}  // namespace ducat::guard
