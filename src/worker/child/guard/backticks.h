#pragma once
// Names in backticks, as MySQL, BigQuery and Spark quote them: to the engine they are operators.
// Pure.

#include <optional>
#include <string>

#include "worker/child/guard/lexer.h"
#include "worker/child/guard/place.h"

namespace ducat::guard {

// From the first backtick that has a partner to that one.
[[nodiscard]] std::optional<Span> FirstBackticked(const TokenList& tokens);
// The text with every such name in double quotes.
[[nodiscard]] std::string WithDoubleQuotes(const TokenList& tokens);

}  // namespace ducat::guard
