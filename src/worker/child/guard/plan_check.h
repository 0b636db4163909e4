#pragma once
// The second layer (guard.md 6.9): every operator of the physical plan is on a list, and scans
// touch only what the walk has found. Catches what the walk of the tree could miss. Pure.

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "json/view.h"
#include "worker/child/guard/finding.h"
#include "worker/child/mounted_catalog.h"
#include "worker/hello.h"

namespace ducat::guard {

struct PlanScope {
  const std::set<std::string>& tables;     // that the walk found
  const std::set<std::string>& functions;  // lower case
  const worker::child::MountedCatalog& catalog;
  worker::Profile profile;
};

// `plan`: the parsed EXPLAIN (FORMAT JSON). Nothing when the plan may run.
[[nodiscard]] std::optional<Finding> CheckPlan(json::View plan, const PlanScope& scope);

}  // namespace ducat::guard
