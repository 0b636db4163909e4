#include "worker/child/guard/function_hints.h"

#include <string>

#include <gtest/gtest.h>

#include "base/text.h"
#include "worker/child/guard/functions.h"
#include "worker/child/guard/lexer.h"

namespace ducat::guard {
namespace {

constexpr worker::Profile kAnalyst = worker::Profile::kAnalyst;

bool Runs(std::string_view name) {
  return JudgeFunction(name, FunctionPlace::kExpression, kAnalyst).answer ==
             FunctionAnswer::kAllowed ||
         JudgeFunction(name, FunctionPlace::kTable, kAnalyst).answer == FunctionAnswer::kAllowed;
}

TEST(FunctionHints, ForeignNamesAreNotTheEngines) {
  for (const FunctionHint& hint : ForeignFunctions()) {
    EXPECT_EQ(JudgeFunction(hint.name, FunctionPlace::kExpression, kAnalyst).answer,
              FunctionAnswer::kUnknown)
        << hint.name;
    EXPECT_EQ(HintForForeign(hint.name), hint.hint);
  }
  EXPECT_EQ(HintForForeign("strftime"), "");
  EXPECT_EQ(HintForForeign("a"), "");
  EXPECT_EQ(HintForForeign("zzz"), "");
}

TEST(FunctionHints, WhatTheyNameRuns) {
  // Forms of the grammar that look like calls.
  const auto is_syntax = [](std::string_view word) {
    return word == "cast" || word == "try_cast" || word == "coalesce" || word == "interval" ||
           word == "over";
  };
  for (const FunctionHint& hint : ForeignFunctions()) {
    const TokenList tokens = Tokenize(hint.hint);
    for (size_t i = 0; i + 1 < tokens.tokens.size(); ++i) {
      const bool is_call = tokens.Is(i, TokenKind::kWord) && tokens.IsSymbol(i + 1, '(');
      if (!is_call) continue;
      const std::string word = AsciiLower(tokens.Text(i));
      EXPECT_TRUE(is_syntax(word) || Runs(word)) << hint.name << ": " << word;
    }
  }
}

}  // namespace
}  // namespace ducat::guard
