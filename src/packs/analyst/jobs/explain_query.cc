#include "packs/analyst/jobs/explain_query.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "json/decode.h"
#include "packs/analyst/jobs/judged_statement.h"
#include "packs/analyst/jobs/meta.h"
#include "packs/analyst/jobs/plan_text.h"
#include "packs/analyst/jobs/row_answer.h"
#include "packs/analyst/messages/query.h"
#include "worker/child/guard/lexer.h"

namespace ducat::analyst {
namespace {

constexpr uint64_t kAnyRowLimit = 500;  // EXPLAIN is not wrapped

std::string Clipped(std::string plan) {
  const auto shown = FirstCodePoints(plan, static_cast<size_t>(kPlanCharactersMax));
  if (shown.size() == plan.size()) return plan;
  const size_t hidden = CountCodePoints(std::string_view(plan).substr(shown.size()));
  return std::string(shown) + "\xE2\x80\xA6(+" + std::to_string(hidden) + " chars)";
}

}  // namespace

std::string WithoutExplain(std::string_view sql) {
  std::string text(sql);
  const guard::TokenList list = guard::Tokenize(sql);
  if (!list.IsWord(0, "explain")) return text;
  size_t last = 0;
  if (list.IsWord(1, "analyze") || list.IsWord(1, "analyse")) {
    last = 1;
  } else if (list.Is(1, guard::TokenKind::kOpen) &&
             (list.IsWord(2, "analyze") || list.IsWord(2, "analyse") || list.IsWord(2, "format"))) {
    last = std::min(list.Closing(1), list.tokens.size() - 1);
  }
  for (size_t i = list.tokens[0].offset; i < list.tokens[last].end(); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
  return text;
}

Result<std::string> RunExplainQuery(worker::child::JobContext& context, json::View arguments) {
  const auto start = std::chrono::steady_clock::now();
  TRY_ASSIGN(const ExplainQueryIn in, json::Decode<ExplainQueryIn>(arguments));
  TRY_ASSIGN(const engine::NamedParameters parameters, ToParameters(in.params, in.param_types));
  // Judged as it stands first, so that places in messages are the caller's.
  const std::string sql = WithoutExplain(in.sql);
  TRY_ASSIGN(const guard::Verdict plain, JudgeStatement(context, sql, parameters, kAnyRowLimit));
  const std::string explain = (in.analyze ? "EXPLAIN ANALYZE\n" : "EXPLAIN\n") + sql;
  TRY_ASSIGN(const guard::Verdict verdict,
             JudgeStatement(context, explain, parameters, kAnyRowLimit));
  auto plan = PlanText(context.connection, verdict.final_sql, parameters);
  if (!plan.has_value()) return Failure(guard::ToError(plan.error(), verdict, explain));
  return SendMeta(context, ExplainQueryOut{.sql = plain.sql,
                                           .plan = Clipped(*std::move(plan)),
                                           .elapsed_ms = ElapsedMs(start),
                                           .tables = plain.tables,
                                           .analyzed = in.analyze});
}

}  // namespace ducat::analyst
