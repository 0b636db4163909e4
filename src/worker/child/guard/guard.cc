#include "worker/child/guard/guard.h"

#include <chrono>
#include <utility>

#include "json/writer.h"
#include "worker/child/guard/judge.h"
#include "worker/child/guard/suggestions.h"
#include "worker/child/guard/verdict_cache.h"

namespace ducat::guard {

struct Guard::Impl {
  worker::Profile profile;
  std::string data_dir;
  VerdictCache cache;
};

Guard::Guard(worker::Profile profile, std::string data_dir)
    : impl_(std::make_unique<Impl>(Impl{.profile = profile, .data_dir = std::move(data_dir)})) {}

Guard::~Guard() = default;

Verdict Guard::Judge(const Statement& statement, const worker::child::MountedCatalog& catalog,
                     engine::Connection& connection) {
  const auto start = std::chrono::steady_clock::now();
  const auto stamped = [&start](Verdict verdict) {
    verdict.micros = std::chrono::duration_cast<std::chrono::microseconds>(
                         std::chrono::steady_clock::now() - start)
                         .count();
    return verdict;
  };
  const JudgeContext context{.profile = impl_->profile,
                             .data_dir = impl_->data_dir,
                             .catalog = catalog,
                             .connection = connection};
  const VerdictCache::Key key{.sql = statement.sql,
                              .parameters = ParameterShape(statement.parameters),
                              .catalog_version = catalog.version(),
                              .row_limit = statement.row_limit};
  if (VerdictCache::Entry* entry = impl_->cache.Find(key)) {
    const bool needs_plan =
        statement.check_plan && !entry->plan_checked && entry->judgement.verdict.allowed;
    if (!needs_plan) {
      Verdict verdict = entry->judgement.verdict;
      verdict.cached = true;
      return stamped(std::move(verdict));
    }
    Judgement judgement = entry->judgement;
    CheckPlanOf(statement, context, judgement);
    if (judgement.verdict.allowed) entry->plan_checked = true;
    return stamped(std::move(judgement.verdict));
  }
  Judgement judgement = JudgeStages(statement, context);
  AddSuggestion(statement, context, judgement);
  Verdict verdict = judgement.verdict;
  if (judgement.cacheable) {
    impl_->cache.Put(key,
                     {.judgement = std::move(judgement), .plan_checked = statement.check_plan});
  }
  return stamped(std::move(verdict));
}

}  // namespace ducat::guard
