#pragma once
// Stages: the state of one judgement; internal to the guard. Text and tokens in judge.cc, the tree
// and the rewriting in judge_tree.cc, the plan in judge_plan.cc.

#include <optional>
#include <string>
#include <string_view>

#include "worker/child/guard/edited_text.h"
#include "worker/child/guard/finding.h"
#include "worker/child/guard/judge.h"
#include "worker/child/guard/lexer.h"
#include "worker/child/guard/parsed_sql.h"
#include "worker/child/guard/statement_words.h"
#include "worker/child/guard/walk.h"

namespace ducat::guard {

class Stages {
 public:
  Stages(const Statement& statement, const JudgeContext& context)
      : statement_(statement), context_(context), source_(statement.sql) {}

  Judgement Run();

 private:
  // judge.cc: true when the verdict is given.
  bool CheckBytes();
  bool CheckTokens();
  bool CheckSizes();
  bool CheckWords();
  void Refuse(Finding finding);
  void ExplainBackticks(Finding& finding) const;
  void RefuseToken(Finding finding, size_t token);
  void RefuseWord(size_t token);
  // Beyond a size limit, at this place.
  bool RefuseSize(std::string message, std::string hint, Span place);

  // judge_tree.cc
  void JudgeText(const EditedText& core, bool may_expand);
  void JudgeTree(json::View statement, const EditedText& core, const EditedText& candidate);
  void JudgeRefused(const EditedText& core, bool may_expand);
  void RefuseParse(const ParsedSql& parsed, const EditedText& text, const TokenList& tokens);
  void RefuseNotSelect();
  bool RefuseAsKeyword(const ParsedSql& parsed, const EditedText& text, const TokenList& tokens);
  void ExpandPivot(const EditedText& text, const TokenList& tokens);
  bool RefuseParameters(const WalkResult& walked, const TokenList& tokens, const EditedText& text);
  // The finding's span is in `text`.
  void RefuseIn(const EditedText& text, Finding finding);
  bool JudgeFinal(const EditedText& final, const WalkResult& walked);
  void Allow(const WalkResult& walked, const EditedText& core, const EditedText& final);
  [[nodiscard]] EditedText Wrapped(const EditedText& core) const;
  // The caller's statement in the tree of what runs; nothing when the text broke out of its
  // wrapper.
  [[nodiscard]] std::optional<json::View> Inner(const ParsedSql& parsed) const;
  [[nodiscard]] WalkInput InputFor(const TokenList& tokens) const;
  [[nodiscard]] std::string ExplainWords() const;

  const Statement& statement_;
  const JudgeContext& context_;
  std::string_view source_;
  TokenList tokens_;
  StatementTokens range_;
  ExplainPrefix explain_;
  Judgement judgement_;
};

// `SELECT * FROM (\n` and `\n) AS _q LIMIT n`.
inline constexpr std::string_view kWrapBefore = "SELECT * FROM (\n";
[[nodiscard]] uint64_t WrapLimit(uint64_t row_limit);

// A finding with its place in the caller's text, as the refusal that goes out.
void FillRefusal(Verdict& verdict, std::string_view source, Finding finding);

}  // namespace ducat::guard
