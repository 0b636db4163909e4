#include "worker/child/guard/backticks.h"

#include "worker/child/engine/connection.h"

namespace ducat::guard {
namespace {

// The next name in backticks at or behind token `from`; `from` then stands behind it.
std::optional<Span> NextBackticked(const TokenList& tokens, size_t& from) {
  while (from < tokens.tokens.size() && !tokens.IsSymbol(from, '`')) {
    ++from;
  }
  size_t end = from + 1;
  while (end < tokens.tokens.size() && !tokens.IsSymbol(end, '`')) {
    ++end;
  }
  if (end >= tokens.tokens.size()) return std::nullopt;
  const uint64_t start = tokens.tokens[from].offset;
  from = end + 1;
  return Span{start, tokens.tokens[end].end() - start};
}

}  // namespace

std::optional<Span> FirstBackticked(const TokenList& tokens) {
  size_t from = 0;
  return NextBackticked(tokens, from);
}

std::string WithDoubleQuotes(const TokenList& tokens) {
  std::string text;
  size_t from = 0, copied = 0;
  while (const auto name = NextBackticked(tokens, from)) {
    text += tokens.source.substr(copied, name->offset - copied);
    text += engine::QuoteIdentifier(tokens.source.substr(name->offset + 1, name->length - 2));
    copied = name->offset + name->length;
  }
  text += tokens.source.substr(copied);
  return text;
}

}  // namespace ducat::guard
