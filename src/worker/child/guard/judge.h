#pragma once
// The stages of guard.md 6.1 for one statement, without cache and suggestions. Job thread.

#include <string_view>

#include "worker/child/engine/connection.h"
#include "worker/child/guard/guard.h"
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
  std::string replacement;  // for the verdict's position; empty: none
  bool cacheable = true;    // false: the engine failed, or files were read
};

[[nodiscard]] Judgement JudgeStages(const Statement& statement, const JudgeContext& context);
// Stage 8 alone, for an allowed verdict whose plan has not been looked at.
void CheckPlanOf(const Statement& statement, const JudgeContext& context, Judgement& judgement);

}  // namespace ducat::guard
