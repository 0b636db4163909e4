#include "worker/child/guard/pivot.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "worker/child/guard/engine_errors.h"
#include "worker/child/guard/statement_words.h"

namespace ducat::guard {
namespace {

constexpr size_t kPivotValuesSuggested = 10;

bool IsPivot(const TokenList& tokens, size_t i) {
  return tokens.IsWord(i, "pivot") || tokens.IsWord(i, "pivot_wider");
}

// A clause or a bracket behind which a PIVOT's item list cannot go on.
bool EndsStatement(const TokenList& tokens, size_t i) {
  if (i >= tokens.tokens.size() || tokens.Is(i, TokenKind::kClose)) return true;
  for (const std::string_view word : {"union", "intersect", "except"}) {
    if (tokens.IsWord(i, word)) return true;
  }
  return false;
}

bool EndsItems(const TokenList& tokens, size_t i) {
  for (const std::string_view word : {"using", "group", "order", "limit"}) {
    if (tokens.IsWord(i, word)) return true;
  }
  return EndsStatement(tokens, i);
}

size_t Next(const TokenList& tokens, size_t i) {
  return tokens.Is(i, TokenKind::kOpen) ? tokens.Closing(i) + 1 : i + 1;
}

// The last ON at the depth of the PIVOT word: those before it belong to joins of its source.
std::optional<size_t> FindOn(const TokenList& tokens, size_t pivot) {
  std::optional<size_t> on;
  for (size_t i = pivot + 1; !EndsStatement(tokens, i); i = Next(tokens, i)) {
    if (tokens.IsWord(i, "on")) on = i;
  }
  return on;
}

std::string_view TextBetween(const TokenList& tokens, size_t first, size_t last) {
  if (first >= last) return {};
  const uint64_t start = tokens.tokens[first].offset;
  return tokens.source.substr(start, tokens.tokens[last - 1].end() - start);
}

// The part of the CTE list at `with` that is complete before the token `before`.
std::string_view CtesBefore(const TokenList& tokens, size_t with, size_t before) {
  size_t last = with;
  for (size_t i = with + 1; i < before; i = Next(tokens, i)) {
    if (!tokens.IsWord(i, "as")) continue;
    size_t body = i + 1;
    if (tokens.IsWord(body, "not")) ++body;
    if (tokens.IsWord(body, "materialized")) ++body;
    if (!tokens.IsSymbol(body, '(')) continue;
    const size_t close = tokens.Closing(body);
    if (close >= before) break;
    last = close + 1;
    if (!tokens.IsSymbol(last, ',')) break;
    i = close;
  }
  return last == with ? std::string_view{} : TextBetween(tokens, with, last);
}

// The CTE lists in whose reach a token stands, outermost first.
std::vector<std::string_view> CtesInReach(const TokenList& tokens, size_t token) {
  std::vector<size_t> starts{0};
  for (size_t i = 0; i < token; ++i) {
    if (tokens.Is(i, TokenKind::kOpen)) starts.push_back(i + 1);
    if (tokens.Is(i, TokenKind::kClose) && starts.size() > 1) starts.pop_back();
  }
  std::vector<std::string_view> lists;
  for (const size_t start : starts) {
    if (!tokens.IsWord(start, "with")) continue;
    if (const auto list = CtesBefore(tokens, start, token); !list.empty()) lists.push_back(list);
  }
  return lists;
}

std::string ValuesStatement(const TokenList& tokens, size_t pivot, size_t on,
                            std::string_view item) {
  const std::string expression(item);
  std::string sql = "SELECT DISTINCT CAST(" + expression + " AS VARCHAR) AS v FROM " +
                    std::string(TextBetween(tokens, pivot + 1, on)) + "\nWHERE (" + expression +
                    ") IS NOT NULL ORDER BY 1 LIMIT " + std::to_string(kPivotValuesMax + 1);
  auto lists = CtesInReach(tokens, pivot);
  for (size_t i = lists.size(); i > 0; --i) {
    if (i < lists.size()) sql.insert(0, "SELECT * FROM (\n").append("\n) AS _p ORDER BY 1");
    sql.insert(0, "\n").insert(0, lists[i - 1]);
  }
  return sql;
}

void AddItems(const TokenList& tokens, size_t pivot, size_t on, std::vector<PivotItem>& items) {
  size_t first = on + 1;
  bool has_in = false;
  for (size_t i = first;; i = Next(tokens, i)) {
    const bool end = EndsItems(tokens, i);
    if (end || tokens.IsSymbol(i, ',')) {
      const std::string_view text = TextBetween(tokens, first, std::min(i, tokens.tokens.size()));
      if (!has_in && !text.empty()) {
        items.push_back({.span = {tokens.tokens[first].offset, text.size()},
                         .values = ValuesStatement(tokens, pivot, on, text)});
      }
      if (end) return;
      first = i + 1;
      has_in = false;
    } else if (tokens.IsWord(i, "in")) {
      has_in = true;
    }
  }
}

// The parameters that a part of the statement uses; nothing when they are only counted (?).
std::optional<engine::NamedParameters> ParametersOf(std::string_view sql,
                                                    const engine::NamedParameters* all) {
  engine::NamedParameters used;
  const TokenList tokens = Tokenize(sql);
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    if (!tokens.Is(i, TokenKind::kParameter)) continue;
    const std::string_view text = tokens.Text(i);
    if (text.starts_with('?') || all == nullptr) return std::nullopt;
    for (const auto& parameter : *all) {
      const bool named = EqualsIgnoringCase(parameter.first, text.substr(1));
      const bool known = std::ranges::any_of(
          used, [&](const auto& other) { return other.first == parameter.first; });
      if (named && !known) used.push_back(parameter);
    }
  }
  return used;
}

std::string InList(const std::vector<std::vector<std::optional<std::string>>>& rows) {
  std::string list;
  for (const auto& row : rows) {
    if (!list.empty()) list += ", ";
    list += engine::QuoteText(row.front().value_or(""));
  }
  return " IN (" + list + ")";
}

tl::unexpected<Finding> NeedsValues(std::string message) {
  return tl::unexpected(Finding{
      .code = "pivot_needs_values", .message = std::move(message), .rule = "statement_kind"});
}

}  // namespace

PivotExpansion::PivotExpansion(const TokenList& tokens) {
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    if (!IsPivot(tokens, i)) continue;
    if (const auto on = FindOn(tokens, i)) AddItems(tokens, i, *on, items_);
  }
}

std::vector<Replacement> PivotExpansion::Probe() const {
  std::vector<Replacement> probe;
  probe.reserve(items_.size());
  for (const PivotItem& item : items_) {
    probe.push_back({.span = {item.span.offset + item.span.length, 0}, .text = " IN ('?')"});
  }
  return probe;
}

bool HasDynamicPivot(const TokenList& tokens) {
  return !PivotExpansion(tokens).items().empty();
}

std::optional<Finding> QueryAsPivotValues(const TokenList& tokens) {
  for (size_t pivot = 0; pivot < tokens.tokens.size(); ++pivot) {
    if (!IsPivot(tokens, pivot)) continue;
    const bool bracketed = tokens.IsSymbol(pivot + 1, '(');
    const auto on = FindOn(tokens, pivot);
    const size_t first = on.has_value() ? *on + 1 : pivot + (bracketed ? 2 : 1);
    for (size_t i = first; !EndsItems(tokens, i); i = Next(tokens, i)) {
      if (!tokens.IsWord(i, "in") || !tokens.IsSymbol(i + 1, '(')) continue;
      const auto is = [&](std::string_view word) { return tokens.IsWord(i + 2, word); };
      if (!is("select") && !is("from") && !is("with") && !is("values")) continue;
      const Token& query = tokens.tokens[i + 2];
      return Finding{.code = "pivot_needs_values",
                     .message = "IN of a PIVOT takes a list of values, not a query.",
                     .hint =
                         "List them, as in IN ('a', 'b'), or write PIVOT t ON column without "
                         "IN, which finds all values; to keep some of them, filter the source: "
                         "PIVOT (SELECT ... WHERE column IN (SELECT ...)) ON column.",
                     .token = std::string(tokens.Text(i + 2)),
                     .rule = "statement_kind",
                     .span = Span{query.offset, query.length}};
    }
  }
  return std::nullopt;
}

tl::expected<std::string, Finding> ReadPivotValues(const PivotItem& item,
                                                   const Statement& statement,
                                                   const JudgeContext& context) {
  const auto parameters = ParametersOf(item.values, statement.parameters);
  if (!parameters.has_value()) return NeedsValues("The values to pivot on depend on parameters.");
  const Judgement judged = JudgeStages({.sql = item.values,
                                        .parameters = parameters->empty() ? nullptr : &*parameters,
                                        .row_limit = kPivotValuesMax + 1},
                                       context);
  if (!judged.verdict.allowed) {
    return NeedsValues("The values to pivot on could not be read: " + judged.verdict.code + ".");
  }
  auto rows = context.connection.Run(judged.verdict.final_sql, *parameters);
  if (!rows.has_value()) return tl::unexpected(EngineFinding(rows.error()));
  auto values = rows->AllText();
  if (!values.has_value()) return tl::unexpected(EngineFinding(values.error()));
  if (values->empty()) return NeedsValues("There is no value to pivot on.");
  if (values->size() > kPivotValuesMax) {
    values->resize(kPivotValuesSuggested);
    return tl::unexpected(Finding{
        .code = "pivot_too_wide",
        .message = "There are more than " + WithThousands(kPivotValuesMax) + " values to pivot on.",
        .hint = "Name those you need: PIVOT t ON column IN ('a', 'b').",
        .rule = "statement_kind",
        .replacement = InList(*values),
        .replacement_is_sql = true});
  }
  return InList(*values);
}

}  // namespace ducat::guard
