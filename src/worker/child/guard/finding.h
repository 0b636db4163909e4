#pragma once
// What is wrong with a statement: one finding is kept, the one of the first class in the order of
// guard.md 7 and, within a class, the first in the text. Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "worker/child/guard/place.h"

namespace ducat::guard {

// Report order when several rules are broken.
enum class FindingClass : uint8_t {
  kDeniedFunction,
  kSystemCatalog,
  kTableOrPath,
  kOther,
};

struct Finding {
  FindingClass rank = FindingClass::kOther;
  std::string code, message, hint, token, rule;
  // In the text that was walked; nowhere: the tree gives no place.
  std::optional<Span> span;
  bool caret = false;  // the hint shows the place
  // A repair to try as the suggestion: this put in the place of `repair_span`, or else of `span`.
  std::string replacement;
  std::optional<Span> repair_span;
  bool replacement_is_sql = false;  // else a name, quoted where it must be
};

// Keeps the finding that is reported.
class Findings {
 public:
  // `order`: byte offset, or what stands for it where the tree has none.
  void Add(Finding finding, uint64_t order) {
    if (first_.has_value() && !IsBefore(finding.rank, order)) return;
    first_ = std::move(finding);
    order_ = order;
  }
  [[nodiscard]] bool empty() const { return !first_.has_value(); }
  [[nodiscard]] const Finding& first() const { return *first_; }

 private:
  [[nodiscard]] bool IsBefore(FindingClass rank, uint64_t order) const {
    return rank != first_->rank ? rank < first_->rank : order < order_;
  }

  std::optional<Finding> first_;
  uint64_t order_ = 0;
};

}  // namespace ducat::guard
