#pragma once
// PIVOT without IN (guard.md 6.5): the engine would turn it into several statements, so the values
// are read first, by a guarded SELECT DISTINCT, and put in as literals. Job thread.

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "worker/child/guard/edited_text.h"
#include "worker/child/guard/finding.h"
#include "worker/child/guard/judge.h"
#include "worker/child/guard/lexer.h"

namespace ducat::guard {

inline constexpr uint64_t kPivotValuesMax = 1'000;

// One expression after ON that has no IN list.
struct PivotItem {
  Span span;           // of the text
  std::string values;  // the statement that reads its values
};

class PivotExpansion {
 public:
  explicit PivotExpansion(const TokenList& tokens);
  [[nodiscard]] const std::vector<PivotItem>& items() const { return items_; }
  // A made-up value in every place, so that the text can be parsed and walked.
  [[nodiscard]] std::vector<Replacement> Probe() const;

 private:
  std::vector<PivotItem> items_;
};

[[nodiscard]] bool HasDynamicPivot(const TokenList& tokens);
// `PIVOT ... IN (SELECT ...)`, which the parser refuses in words that tell nothing: a finding at
// the first such query.
[[nodiscard]] std::optional<Finding> QueryAsPivotValues(const TokenList& tokens);
// " IN ('a', 'b')".
[[nodiscard]] tl::expected<std::string, Finding> ReadPivotValues(const PivotItem& item,
                                                                 const Statement& statement,
                                                                 const JudgeContext& context);

}  // namespace ducat::guard
