#include "worker/child/guard/functions.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ducat::guard {
namespace {

constexpr FunctionLine kLines[] = {
#include "worker/child/guard/function_lines.inc"
};

constexpr bool IsBefore(const FunctionLine& a, const FunctionLine& b) {
  return a.name != b.name ? a.name < b.name : a.kind < b.kind;
}
static_assert(std::is_sorted(std::begin(kLines), std::end(kLines), IsBefore),
              "functions.tsv must be sorted by name, then kind");

bool Fits(const FunctionLine& line, FunctionPlace place) {
  const bool table = line.kind == "table" || line.kind == "table_macro";
  const bool expression = line.kind == "scalar" || line.kind == "aggregate" ||
                          line.kind == "macro" || line.kind == "syntax";
  return place == FunctionPlace::kTable ? table : expression;
}

bool Runs(const FunctionLine& line, worker::Profile profile) {
  return line.allowed && (!line.analyst_only || profile == worker::Profile::kAnalyst);
}

std::span<const FunctionLine> LinesOf(std::string_view name) {
  const auto [first, last] =
      std::equal_range(std::begin(kLines), std::end(kLines), FunctionLine{.name = name},
                       [](const auto& a, const auto& b) { return a.name < b.name; });
  return {first, last};
}

}  // namespace

FunctionVerdict JudgeFunction(std::string_view name, FunctionPlace place, worker::Profile profile) {
  FunctionVerdict verdict;
  bool fits = false;
  for (const FunctionLine& line : LinesOf(name)) {
    const bool runs = Runs(line, profile);
    if (Fits(line, place)) {
      // Several kinds under one name share its fate: an overload cannot be told apart in the tree.
      if (!runs) return {FunctionAnswer::kDenied, line.reason};
      fits = true;
    } else if (!fits) {
      verdict = runs ? FunctionVerdict{FunctionAnswer::kOtherPlace, {}}
                     : FunctionVerdict{FunctionAnswer::kDenied, line.reason};
    }
  }
  if (fits) return {FunctionAnswer::kAllowed, {}};
  return verdict;
}

bool IsAllowedAggregate(std::string_view name) {
  const std::string lower = AsciiLower(name);
  return std::ranges::any_of(LinesOf(lower), [](const FunctionLine& line) {
    return line.kind == "aggregate" && line.allowed;
  });
}

std::vector<std::string> NearFunctions(std::string_view name, FunctionPlace place,
                                       worker::Profile profile) {
  std::vector<std::string_view> names;
  for (const FunctionLine& line : kLines) {
    if (!Fits(line, place) || !Runs(line, profile)) continue;
    if (names.empty() || names.back() != line.name) names.push_back(line.name);
  }
  return NearNames(name, names, 3);
}

std::span<const FunctionLine> AllFunctions() {
  return kLines;
}

}  // namespace ducat::guard
