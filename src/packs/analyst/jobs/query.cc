#include "packs/analyst/jobs/query.h"

#include <chrono>
#include <utility>

#include "json/decode.h"
#include "json/encode.h"
#include "packs/analyst/jobs/judged_statement.h"
#include "packs/analyst/jobs/plan_text.h"
#include "packs/analyst/jobs/query_notes.h"
#include "packs/analyst/jobs/row_answer.h"
#include "packs/analyst/jobs/run_failure.h"
#include "packs/analyst/messages/query.h"

namespace ducat::analyst {
namespace {

using guard::StatementKind;
using guard::Verdict;

bool IsExplain(const Verdict& verdict) {
  return verdict.kind == StatementKind::kExplain || verdict.kind == StatementKind::kExplainAnalyze;
}

// EXPLAIN answers with one row and the column `plan`, which may be longer than other cells.
engine::EngineResult<engine::Rows> RunStatement(engine::Connection& connection,
                                                const Verdict& verdict,
                                                const engine::NamedParameters& parameters,
                                                uint64_t row_limit) {
  if (!IsExplain(verdict)) {
    return connection.RunReadable(verdict.final_sql, parameters, row_limit);
  }
  auto plan = PlanText(connection, verdict.final_sql, parameters);
  if (!plan.has_value()) return tl::unexpected(std::move(plan).error());
  const engine::NamedParameters text{
      {"1", {.kind = engine::Parameter::Kind::kText, .text = *std::move(plan)}}};
  return connection.Run("SELECT $1::VARCHAR AS plan", text);
}

RowRequest RequestOf(const QueryIn& in, const Verdict& verdict) {
  RowRequest request{.sql = verdict.sql,
                     .tables = verdict.tables,
                     .limits = in.limits,
                     .cell_offset = in.cell_offset};
  if (IsExplain(verdict)) request.limits.max_cell = kPlanCharactersMax;
  return request;
}

}  // namespace

Result<std::string> RunQuery(worker::child::JobContext& context, json::View arguments) {
  const auto start = std::chrono::steady_clock::now();
  TRY_ASSIGN(const QueryIn in, json::Decode<QueryIn>(arguments));
  TRY_ASSIGN(const engine::NamedParameters parameters, ToParameters(in.params, in.param_types));
  TRY_ASSIGN(const Verdict verdict, JudgeStatement(context, in.sql, parameters,
                                                   static_cast<uint64_t>(in.limits.max_rows)));
  const auto fail = [&](const engine::EngineError& error) {
    Error judged = guard::ToError(error, verdict, in.sql);
    const worker::CatalogTable* table =
        verdict.tables.empty() ? nullptr : context.catalog.Find(verdict.tables.front());
    return Failure(table == nullptr ? std::move(judged)
                                    : QueryFailure(error, std::move(judged), *table));
  };
  auto rows = RunStatement(context.connection, verdict, parameters,
                           static_cast<uint64_t>(in.limits.max_rows));
  if (!rows.has_value()) return fail(rows.error());
  auto answer = AnswerWithRows(context, *rows, RequestOf(in, verdict));
  if (!answer.has_value()) {
    if (answer.error().is_engine) return fail(answer.error().engine);
    return Failure(std::move(answer).error().output);
  }
  answer->counters.elapsed_ms = ElapsedMs(start);
  answer->counters.notes.insert(answer->counters.notes.end(), verdict.notes.begin(),
                                verdict.notes.end());
  if (!IsExplain(verdict)) {
    AddDataNotes(context, {.sql = verdict.sql, .elapsed_ms = answer->counters.elapsed_ms},
                 answer->counters);
  }
  return json::Encode(answer->counters);
}

}  // namespace ducat::analyst
