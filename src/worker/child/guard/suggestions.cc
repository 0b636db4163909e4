#include "worker/child/guard/suggestions.h"

#include "worker/child/guard/guard.h"

namespace ducat::guard {

void AddSuggestion(const Statement& statement, const JudgeContext& context, Judgement& judgement) {
  Verdict& verdict = judgement.verdict;
  if (verdict.allowed || judgement.replacement.empty() || !verdict.position.has_value()) return;
  std::string text(statement.sql);
  text.replace(verdict.position->offset, verdict.position->length, judgement.replacement);
  Statement tried = statement;
  tried.sql = text;
  tried.check_plan = false;
  if (JudgeStages(tried, context).verdict.allowed) verdict.suggestion = text;
}

}  // namespace ducat::guard
