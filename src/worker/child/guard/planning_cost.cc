#include "worker/child/guard/planning_cost.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "worker/child/guard/functions.h"
#include "worker/child/guard/tree_walk.h"

namespace ducat::guard {
namespace {

// Steps of one node, measured on the pinned engine; a step is some 20 ns.
constexpr double kConstantSteps = 200;
constexpr double kNodeSteps = 500;
constexpr double kCaseSteps = 2'000;
constexpr double kAggregateSteps = 4'000;
constexpr double kWindowSteps = 8'000;
constexpr double kCopyingMacroSteps = 8'000;
// A constant expression is computed at each level, a constant text is copied as well.
constexpr double kConstantFactor = 2.5;
constexpr double kConstantTextFactor = 6;
// Disjuncts of several conditions are compared with each other.
constexpr double kDisjunctPairSteps = 250;
constexpr double kBetweenCopies = 4;
// `a -> b` is bound as a lambda first and then, as access to JSON, once more.
constexpr double kArrowCopies = 2;
constexpr double kBindingSteps = 10;
constexpr double kLeafBindings = 1, kNodeBindings = 10, kSubqueryBindings = 200;

struct Macro {
  std::string_view name;
  double copies;
};
constexpr std::array<Macro, 13> kCopyingMacros{{{"array_pop_back", 2},
                                                {"array_to_string", 2},
                                                {"array_to_string_comma_default", 2},
                                                {"fmod", 2},
                                                {"json_group_array", 2},
                                                {"json_group_object", 2},
                                                {"json_group_structure", 2},
                                                {"nullif", 2},
                                                {"round_even", 3},
                                                {"roundbankers", 3},
                                                {"split_part", 2},
                                                {"wavg", 2},
                                                {"weighted_avg", 2}}};

struct NodeCost {
  double own = kNodeSteps;
  double copies = 1;    // of everything below, in what is optimised
  double attempts = 1;  // of everything below, while it is bound
  double bindings = kLeafBindings;
  double constant_factor = kConstantFactor;
  bool varies = false;  // never a constant expression
};

NodeCost CostOfFunction(json::View node) {
  NodeCost cost{.bindings = kNodeBindings};
  const std::string_view name = TextOf(node, "function_name");
  if (name == "||") cost.constant_factor = kConstantTextFactor;
  if (name.empty() || AsciiLower(name[0]) < 'a' || AsciiLower(name[0]) > 'z') return cost;
  cost.copies = MacroCopies(name);
  if (cost.copies > 1) {
    cost.own = kCopyingMacroSteps;
  } else if (IsAllowedAggregate(name)) {
    cost.own = kAggregateSteps;
    cost.varies = true;
  }
  return cost;
}

double PairsOfDisjuncts(json::View node) {
  if (TextOf(node, "type") != "CONJUNCTION_OR") return 0;
  double count = 0;
  node.Find("children").value_or(json::View()).ForEachElement([&count](json::View child) {
    count += TextOf(child, "class") == "CONJUNCTION" ? 1 : 0;
    return true;
  });
  return count * count;
}

NodeCost CostOf(std::string_view name, json::View node) {
  if (name == "CONSTANT" || name == "PARAMETER") return {.own = kConstantSteps};
  if (name == "FUNCTION") return CostOfFunction(node);
  if (name == "WINDOW") return {.own = kWindowSteps, .varies = true};
  if (name == "BETWEEN") return {.copies = kBetweenCopies, .bindings = kNodeBindings};
  if (name == "LAMBDA") return {.attempts = kArrowCopies, .bindings = kNodeBindings};
  if (name == "CASE") return {.own = kCaseSteps};
  if (name == "SUBQUERY") return {.bindings = kSubqueryBindings, .varies = true};
  if (name == "CONJUNCTION") {
    return {.own = kNodeSteps + kDisjunctPairSteps * PairsOfDisjuncts(node)};
  }
  const bool varies = name == "COLUMN_REF" || name == "LAMBDA_REF" || name == "STAR" ||
                      name == "POSITIONAL_REFERENCE";
  return {.varies = varies};
}

}  // namespace

double MacroCopies(std::string_view function) {
  const auto found = std::ranges::find_if(kCopyingMacros, [function](const Macro& macro) {
    return EqualsIgnoringCase(macro.name, function);
  });
  return found == kCopyingMacros.end() ? 1 : found->copies;
}

PlanningCost::Sums PlanningCost::Open(const Rule& rule) {
  if (rule.name == "SUBQUERY" && rule.meaning == Meaning::kNone) ++depth_;
  return std::exchange(now_, {});
}

void PlanningCost::Close(const Sums& before, NodePlace place, const Rule& rule, json::View node) {
  if (place == NodePlace::kExpression) {
    CloseExpression(rule, node);
  } else {
    now_.foldings = 0;
    if (place != NodePlace::kModifier) {
      now_.is_constant = false;
      now_.steps += kNodeSteps;
    }
    if (place == NodePlace::kTable) CloseTable(rule, node);
    if (place == NodePlace::kQuery) CloseQuery(node);
  }
  now_.size += before.size;
  now_.foldings += before.foldings;
  now_.steps += before.steps;
  now_.bindings += before.bindings;
  now_.is_constant = now_.is_constant && before.is_constant;
  now_.inner += before.inner;
  now_.outer += before.outer;
  now_.scalars += before.scalars;
}

void PlanningCost::CloseExpression(const Rule& rule, json::View node) {
  const NodeCost cost = CostOf(rule.name, node);
  now_.is_constant = now_.is_constant && !cost.varies;
  now_.size = 1 + cost.copies * now_.size;
  now_.foldings = now_.size + cost.copies * now_.foldings;
  now_.steps = cost.own + cost.copies * now_.steps +
               now_.foldings * (now_.is_constant ? cost.constant_factor : 1);
  now_.bindings = cost.bindings + cost.copies * cost.attempts * now_.bindings;
  if (rule.name != "SUBQUERY") return;
  --depth_;
  now_.inner = now_.outer = 0;
  now_.scalars = TextOf(node, "subquery_type") == "SCALAR" ? 1 : 0;
}

void PlanningCost::CloseTable(const Rule& rule, json::View node) {
  if (rule.name != "JOIN") {
    now_.inner = rule.name == "EMPTY" ? 0 : 1;
    now_.outer = now_.scalars = 0;
    return;
  }
  joined_tables_ = now_.inner;
  joined_scalars_ = now_.scalars;
  if (TextOf(node, "join_type") == "INNER") return;
  // The sides of another join keep their places, unless a condition in WHERE makes it an inner one.
  now_.outer += now_.inner - 1;
  now_.inner = 1;
}

void PlanningCost::CloseQuery(json::View node) {
  const auto where = node.Find("where_clause");
  const bool filters = where.has_value() && !where->IsNull();
  joined_tables_ = now_.inner + (filters ? now_.outer : 0);
  joined_scalars_ = filters ? now_.scalars : 0;
  now_.inner = now_.outer = now_.scalars = 0;
}

double PlanningCost::steps() const {
  return now_.steps + kBindingSteps * now_.bindings;
}

bool PlanningCost::joins_too_many() const {
  return joined_tables_ * kScalarSubqueriesMax + joined_scalars_ * kJoinedTablesMax >
         kJoinedTablesMax * kScalarSubqueriesMax;
}

}  // namespace ducat::guard
