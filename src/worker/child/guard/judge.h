#pragma once
// The stages of guard.md 6.1 for one statement, without cache and suggestions: bytes, tokens,
// words, tree, rewriting, plan. Never fails: what goes wrong is a refusal. Job thread.

#include <optional>
#include <string>
#include <string_view>

#include "worker/child/engine/connection.h"
#include "worker/child/guard/guard.h"
#include "worker/child/guard/place.h"
#include "worker/child/guard/walk.h"
#include "worker/child/mounted_catalog.h"
#include "worker/hello.h"

namespace ducat::guard {

inline constexpr uint64_t kSqlBytesMax = 1'000'000;

struct JudgeContext {
  worker::Profile profile = worker::Profile::kAnalyst;
  std::string_view data_dir;
  const worker::child::MountedCatalog& catalog;
  engine::Connection& connection;
  SizeLimits limits;
};

// A verdict and what a suggestion is made from.
struct Judgement {
  Verdict verdict;
  // A name to try in the place of a part of the caller's text; empty: none.
  std::string replacement;
  std::optional<Span> replaced;
  bool replacement_is_sql = false;
  bool cacheable = true;  // false: the engine failed, or files were read
};

[[nodiscard]] Judgement JudgeStages(const Statement& statement, const JudgeContext& context);
// Stage 8 alone, for an allowed verdict whose plan has not been looked at.
void CheckPlanOf(const Statement& statement, const JudgeContext& context, Judgement& judgement);

}  // namespace ducat::guard
