#include "worker/child/guard/statement_words.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace ducat::guard {
namespace {

constexpr std::array<std::string_view, 37> kStatementWords{
    "abort",   "alter",    "analyze", "attach",     "begin",  "call",   "checkpoint", "comment",
    "commit",  "copy",     "create",  "deallocate", "delete", "detach", "drop",       "end",
    "execute", "export",   "force",   "grant",      "import", "insert", "install",    "load",
    "lock",    "merge",    "pragma",  "prepare",    "reset",  "revoke", "rollback",   "set",
    "start",   "truncate", "update",  "use",        "vacuum"};

constexpr std::array<std::string_view, 6> kExplainFormats{"text",     "json", "html",
                                                          "graphviz", "yaml", "mermaid"};

bool IsName(const TokenList& tokens, size_t i) {
  return tokens.Is(i, TokenKind::kWord) || tokens.Is(i, TokenKind::kQuotedName);
}

size_t SkipParentheses(const TokenList& tokens, size_t i) {
  while (tokens.IsSymbol(i, '(')) {
    ++i;
  }
  return i;
}

// One `name (columns) USING KEY (...) AS MATERIALIZED (` of a CTE list: the opening bracket of its
// body.
std::optional<size_t> CteBody(const TokenList& tokens, size_t i) {
  if (!IsName(tokens, i)) return std::nullopt;
  ++i;
  if (tokens.IsSymbol(i, '(')) i = tokens.Closing(i) + 1;
  if (tokens.IsWord(i, "using") && tokens.IsWord(i + 1, "key") && tokens.IsSymbol(i + 2, '(')) {
    i = tokens.Closing(i + 2) + 1;
  }
  if (!tokens.IsWord(i, "as")) return std::nullopt;
  ++i;
  if (tokens.IsWord(i, "not")) ++i;
  if (tokens.IsWord(i, "materialized")) ++i;
  if (!tokens.IsSymbol(i, '(')) return std::nullopt;
  return i;
}

size_t FirstCte(const TokenList& tokens, size_t with) {
  return tokens.IsWord(with + 1, "recursive") ? with + 2 : with + 1;
}

void ExplainOptions(const TokenList& tokens, size_t open, ExplainPrefix& prefix) {
  size_t i = open + 1;
  while (i < tokens.tokens.size() && !tokens.IsSymbol(i, ')')) {
    if (tokens.IsWord(i, "analyze") || tokens.IsWord(i, "analyse")) {
      prefix.analyze = true;
      ++i;
    } else if (tokens.IsWord(i, "format") && i + 1 < tokens.tokens.size()) {
      const std::string_view text = tokens.Text(i + 1);
      const bool quoted = tokens.Is(i + 1, TokenKind::kString);
      prefix.format = AsciiLower(quoted ? DecodeToken(text).value_or("") : std::string(text));
      if (std::ranges::find(kExplainFormats, prefix.format) == kExplainFormats.end()) {
        prefix.fault = i + 1;
        return;
      }
      i += 2;
    } else {
      prefix.fault = i;
      return;
    }
    if (tokens.IsSymbol(i, ',')) ++i;
  }
  prefix.statement = std::min(i + 1, tokens.tokens.size());
}

}  // namespace

StatementTokens FirstStatement(const TokenList& tokens) {
  StatementTokens statement;
  const size_t count = tokens.tokens.size();
  while (tokens.Is(statement.first, TokenKind::kSemicolon)) {
    ++statement.first;
  }
  statement.last = statement.first;
  while (statement.last < count && !tokens.Is(statement.last, TokenKind::kSemicolon)) {
    ++statement.last;
  }
  size_t next = statement.last;
  while (tokens.Is(next, TokenKind::kSemicolon)) {
    ++next;
  }
  if (next < count) statement.next = next;
  return statement;
}

BracketDepth DeepestBracket(const TokenList& tokens) {
  BracketDepth deepest;
  uint64_t depth = 0;
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    if (tokens.Is(i, TokenKind::kOpen) && ++depth > deepest.depth) deepest = {depth, i};
    if (tokens.Is(i, TokenKind::kClose) && depth > 0) --depth;
  }
  return deepest;
}

double ExpandedTokens(const TokenList& tokens) {
  struct Case {
    double operand = 0, rest = 0;
    double whens = 0;
    bool in_operand = false;
    [[nodiscard]] double Total() const { return operand * std::max(whens, 1.0) + rest; }
  };
  std::vector<Case> open(1);
  const auto count = [&open](double copies) {
    (open.back().in_operand ? open.back().operand : open.back().rest) += copies;
  };
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    if (open.size() > 1 && tokens.IsWord(i, "when")) {
      open.back().in_operand = false;
      ++open.back().whens;
    }
    count(1);
    if (tokens.IsWord(i, "case")) {
      open.push_back({.in_operand = true});
    } else if (open.size() > 1 && tokens.IsWord(i, "end")) {
      const double total = open.back().Total();
      open.pop_back();
      count(total);
    }
  }
  for (; open.size() > 1; open.pop_back()) {
    open[open.size() - 2].rest += open.back().Total();
  }
  return open.front().Total();
}

ExplainPrefix PeelExplain(const TokenList& tokens, const StatementTokens& statement) {
  ExplainPrefix prefix{.statement = statement.first};
  if (!tokens.IsWord(statement.first, "explain")) return prefix;
  prefix.present = true;
  prefix.statement = statement.first + 1;
  if ((tokens.IsWord(prefix.statement, "analyze") || tokens.IsWord(prefix.statement, "analyse"))) {
    prefix.analyze = true;
    ++prefix.statement;
    return prefix;
  }
  const size_t word = prefix.statement + 1;
  const bool options = tokens.IsSymbol(prefix.statement, '(') &&
                       (tokens.IsWord(word, "analyze") || tokens.IsWord(word, "analyse") ||
                        tokens.IsWord(word, "format"));
  if (options) ExplainOptions(tokens, prefix.statement, prefix);
  return prefix;
}

bool IsStatementWord(std::string_view word) {
  return std::ranges::any_of(
      kStatementWords, [&](std::string_view listed) { return EqualsIgnoringCase(word, listed); });
}

// Brackets are at most as deep as the size limit when this is called, so recursion is bounded.
std::optional<size_t> DeniedWord(const TokenList& tokens, size_t first) {
  size_t i = SkipParentheses(tokens, first);
  if (tokens.IsWord(i, "with")) {
    for (size_t cte = FirstCte(tokens, i);; ++cte) {
      const auto body = CteBody(tokens, cte);
      if (!body.has_value()) return std::nullopt;
      if (const auto denied = DeniedWord(tokens, *body + 1)) return denied;
      cte = tokens.Closing(*body) + 1;
      if (!tokens.IsSymbol(cte, ',')) {
        i = SkipParentheses(tokens, cte);
        break;
      }
    }
  }
  if (tokens.Is(i, TokenKind::kWord) && IsStatementWord(tokens.Text(i))) return i;
  return std::nullopt;
}

size_t SkipCtes(const TokenList& tokens, size_t first) {
  if (!tokens.IsWord(first, "with")) return first;
  for (size_t cte = FirstCte(tokens, first);; ++cte) {
    const auto body = CteBody(tokens, cte);
    if (!body.has_value()) return first;
    cte = tokens.Closing(*body) + 1;
    if (!tokens.IsSymbol(cte, ',')) return cte;
  }
}

}  // namespace ducat::guard
