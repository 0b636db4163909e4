#pragma once
// What to send instead of a refused statement (guard.md 9): a complete statement that the guard has
// judged as allowed. Tried by reading the tokens of the refused text, so it may find nothing. Job
// thread.

#include "worker/child/guard/judge.h"

namespace ducat::guard {

// Fills verdict.suggestion of a refusal, when there is one.
void AddSuggestion(const Statement& statement, const JudgeContext& context, Judgement& judgement);

}  // namespace ducat::guard
