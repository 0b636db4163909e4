#include "worker/child/guard/plan_check.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "worker/child/guard/functions.h"
#include "worker/child/guard/readers.h"

namespace ducat::guard {
namespace {

constexpr std::array<std::string_view, 42> kOperators{"ASOF_JOIN",
                                                      "BLOCKWISE_NL_JOIN",
                                                      "CHUNK_SCAN",
                                                      "COLUMN_DATA_SCAN",
                                                      "CROSS_PRODUCT",
                                                      "CTE",
                                                      "CTE_SCAN",
                                                      "DELIM_SCAN",
                                                      "DUMMY_SCAN",
                                                      "EMPTY_RESULT",
                                                      "EXPRESSION_SCAN",
                                                      "FILTER",
                                                      "HASH_GROUP_BY",
                                                      "HASH_JOIN",
                                                      "IE_JOIN",
                                                      "INOUT_FUNCTION",
                                                      "LEFT_DELIM_JOIN",
                                                      "LIMIT",
                                                      "LIMIT_PERCENT",
                                                      "NESTED_LOOP_JOIN",
                                                      "ORDER_BY",
                                                      "PARTITIONED_AGGREGATE",
                                                      "PERFECT_HASH_GROUP_BY",
                                                      "PIECEWISE_MERGE_JOIN",
                                                      "PIVOT",
                                                      "POSITIONAL_JOIN",
                                                      "POSITIONAL_SCAN",
                                                      "PROJECTION",
                                                      "REC_CTE",
                                                      "REC_CTE_SCAN",
                                                      "REC_KEY_CTE",
                                                      "REC_REC_CTE_SCAN",
                                                      "RESERVOIR_SAMPLE",
                                                      "RIGHT_DELIM_JOIN",
                                                      "STREAMING_LIMIT",
                                                      "STREAMING_SAMPLE",
                                                      "STREAMING_WINDOW",
                                                      "TOP_N",
                                                      "UNGROUPED_AGGREGATE",
                                                      "UNION",
                                                      "UNNEST",
                                                      "WINDOW"};

// Table functions appear under their own upper-case names.
bool IsReader(std::string_view lower) {
  return ReaderFamilyOf(lower).has_value();
}

class PlanReader {
 public:
  explicit PlanReader(const PlanScope& scope) : scope_(scope) {}

  void Node(json::View node, int depth) {
    if (finding_.has_value()) return;
    const std::string name(Text(node, "name"));
    if (depth > kDepthMax) return Refuse("(too deep)");
    // Names are padded in some operators.
    Operator(std::string(Trim(name)), node.Find("extra_info").value_or(json::View()));
    node.Find("children").value_or(json::View()).ForEachElement([&](json::View child) {
      Node(child, depth + 1);
      return !finding_.has_value();
    });
  }

  std::optional<Finding> Take() { return std::move(finding_); }

 private:
  static constexpr int kDepthMax = 4'000;

  static std::string_view Text(json::View node, std::string_view field) {
    return node.Find(field).value_or(json::View()).AsString().value_or("");
  }

  void Refuse(std::string_view name) {
    finding_ = Finding{.rank = FindingClass::kOther,
                       .code = "plan_operator_not_allowed",
                       .message = "The plan of the statement has the operator " +
                                  std::string(name) + ", which is not allowed.",
                       .hint = "Write the statement without what needs " + std::string(name) + ".",
                       .token = std::string(name),
                       .rule = "plan"};
  }

  void Operator(const std::string& name, json::View info) {
    if (name == "SEQ_SCAN" || name == "TABLE_SCAN") {
      const std::string_view table = Text(info, "Table");
      if (!table.empty() && !IsWalkedTable(table)) Refuse(name + " of another table");
      return;
    }
    if (std::ranges::find(kOperators, name) != kOperators.end()) return;
    const std::string function = AsciiLower(name);
    if (IsReader(function) ? MayRead(function) : MayCall(function)) return;
    Refuse(name.empty() ? "(unnamed)" : name);
  }

  // "memory.main.orders", "db.main.orders", or a bare name.
  [[nodiscard]] bool IsWalkedTable(std::string_view table) const {
    const size_t dot = table.rfind('.');
    const std::string_view name = dot == std::string_view::npos ? table : table.substr(dot + 1);
    return std::ranges::any_of(scope_.tables, [&](const std::string& walked) {
      const worker::CatalogTable* known = scope_.catalog.Find(walked);
      if (known == nullptr) return false;
      // A view of the database file reads tables of that file.
      if (!known->db_name.empty() && table.starts_with("db.")) return true;
      return EqualsIgnoringCase(walked, name);
    });
  }

  // Views of the database file, judged when they were listed, call what the statement does not.
  [[nodiscard]] bool MayCall(std::string_view function) const {
    const bool behind_view = std::ranges::any_of(scope_.tables, [&](const std::string& walked) {
      const worker::CatalogTable* known = scope_.catalog.Find(walked);
      return known != nullptr && !known->db_name.empty();
    });
    return JudgeFunction(function, FunctionPlace::kTable, scope_.profile).answer ==
               FunctionAnswer::kAllowed &&
           (behind_view || scope_.functions.contains(std::string(function)));
  }

  // A reader that the statement calls, under any of its names, or the file behind a table.
  [[nodiscard]] bool MayRead(std::string_view function) const {
    const bool parquet = function == "read_parquet" || function == "parquet_scan";
    const bool behind_table = std::ranges::any_of(scope_.tables, [&](const std::string& walked) {
      const worker::CatalogTable* known = scope_.catalog.Find(walked);
      return known != nullptr && !known->file.empty();
    });
    if (parquet && behind_table) return true;
    return std::ranges::any_of(scope_.functions, [&](const std::string& called) {
      const auto family = ReaderFamilyOf(called);
      return called == function || (family.has_value() && *family != ReaderFamily::kNoOptions &&
                                    family == ReaderFamilyOf(function));
    });
  }

  const PlanScope& scope_;
  std::optional<Finding> finding_;
};

}  // namespace

std::optional<Finding> CheckPlan(json::View plan, const PlanScope& scope) {
  PlanReader reader(scope);
  if (plan.IsArray()) {
    plan.ForEachElement([&](json::View root) {
      reader.Node(root, 0);
      return true;
    });
  } else {
    reader.Node(plan, 0);
  }
  return reader.Take();
}

}  // namespace ducat::guard
