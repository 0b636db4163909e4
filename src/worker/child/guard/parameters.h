#pragma once
// Parameters of a statement (guard.md 6.6): those that its text names must be exactly those that
// the call gives. Pure.

#include <optional>
#include <string>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/child/guard/finding.h"
#include "worker/child/guard/lexer.h"

namespace ducat::guard {

// What is wrong with them; its place is in the text of `tokens`. `named`: lower case, each once.
[[nodiscard]] std::optional<Finding> CheckParameters(const std::vector<std::string>& named,
                                                     const engine::NamedParameters* given,
                                                     const TokenList& tokens);
// The engine refuses `?` beside `$name` without saying where: the place of the first that differs
// in kind from those before.
[[nodiscard]] std::optional<Span> MixedParameter(const TokenList& tokens);

}  // namespace ducat::guard
