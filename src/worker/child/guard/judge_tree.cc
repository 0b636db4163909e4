#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"
#include "worker/child/guard/engine_errors.h"
#include "worker/child/guard/parameters.h"
#include "worker/child/guard/pivot.h"
#include "worker/child/guard/show_tables.h"
#include "worker/child/guard/stages.h"
#include "worker/child/guard/tree_walk.h"

namespace ducat::guard {
namespace {

// The query of a statement whose FROM is DESCRIBE, SHOW or SUMMARIZE itself.
StatementKind KindOf(json::View statement) {
  const json::View node = statement.Find("node").value_or(json::View());
  const json::View from = node.Find("from_table").value_or(json::View());
  if (TextOf(from, "type") != "SHOW_REF") return StatementKind::kSelect;
  const std::string_view type = TextOf(from, "show_type");
  if (type == "DESCRIBE") return StatementKind::kDescribe;
  return type == "SUMMARY" ? StatementKind::kSummarize : StatementKind::kShow;
}

bool IsEmptyField(json::View node, std::string_view field) {
  const json::View value = node.Find(field).value_or(json::View());
  return value.IsNull() || (value.IsArray() && value.Size() == 0);
}

// Exactly SELECT * FROM (subquery) AS _q LIMIT n, nothing beside it.
bool IsWrapper(json::View statement, uint64_t limit) {
  const json::View node = statement.Find("node").value_or(json::View());
  const json::View from = node.Find("from_table").value_or(json::View());
  const json::View modifiers = node.Find("modifiers").value_or(json::View());
  const json::View columns = node.Find("select_list").value_or(json::View());
  bool shape = TextOf(node, "type") == "SELECT_NODE" && TextOf(from, "type") == "SUBQUERY" &&
               TextOf(from, "alias") == "_q" && modifiers.Size() == 1 && columns.Size() == 1;
  for (const std::string_view field :
       {"where_clause", "group_expressions", "group_sets", "having", "sample", "qualify"}) {
    shape = shape && IsEmptyField(node, field);
  }
  shape = shape && IsEmptyField(node.Find("cte_map").value_or(json::View()), "map");
  columns.ForEachElement([&](json::View column) {
    shape = shape && TextOf(column, "class") == "STAR" && IsEmptyField(column, "expr") &&
            TextOf(column, "relation_name").empty();
    return true;
  });
  modifiers.ForEachElement([&](json::View modifier) {
    const json::View count = modifier.Find("limit").value_or(json::View());
    const json::View value = count.Find("value").value_or(json::View());
    shape = shape && TextOf(modifier, "type") == "LIMIT_MODIFIER" &&
            TextOf(count, "class") == "CONSTANT" && IsEmptyField(modifier, "offset") &&
            value.Find("value").value_or(json::View()).AsUnsigned() == limit;
    return true;
  });
  return shape;
}

Finding CannotRun() {
  return {.code = "unsupported_syntax",
          .message = "The statement cannot be run in this form.",
          .hint = "Write it as a plain SELECT.",
          .rule = "grammar"};
}

std::vector<std::string> Sorted(const std::set<std::string>& names) {
  return {names.begin(), names.end()};
}

std::optional<size_t> FindWord(const TokenList& tokens, std::string_view word) {
  for (size_t i = tokens.tokens.size(); i > 0; --i) {
    if (tokens.IsWord(i - 1, word)) return i - 1;
  }
  return std::nullopt;
}

// `( DELETE FROM`: the parser stops at either word.
std::optional<size_t> BracketedStatement(const TokenList& tokens, size_t at) {
  for (size_t i = at; i > 0 && i + 1 >= at; --i) {
    const bool named =
        tokens.Is(i + 1, TokenKind::kWord) || tokens.Is(i + 1, TokenKind::kQuotedName);
    const bool statement = tokens.Is(i, TokenKind::kWord) && IsStatementWord(tokens.Text(i));
    if (named && statement && tokens.IsSymbol(i - 1, '(')) return i;
  }
  return std::nullopt;
}

}  // namespace

uint64_t WrapLimit(uint64_t row_limit) {
  return std::min<uint64_t>(row_limit, INT64_MAX - 1) + 1;
}

void Stages::RefuseIn(const EditedText& text, Finding finding) {
  if (finding.span.has_value()) {
    const auto start = text.SourceOffset(finding.span->offset);
    if (start.has_value()) {
      finding.span->offset = *start;
    } else {
      finding.span.reset();
    }
  }
  if (finding.repair_span.has_value()) {
    const auto start = text.SourceOffset(finding.repair_span->offset);
    if (start.has_value()) finding.repair_span->offset = *start;
    if (!start.has_value()) finding.replacement.clear();
  }
  if (finding.span.has_value() && finding.span->length == 0) {
    if (const auto token = tokens_.At(finding.span->offset)) {
      finding.span->length = tokens_.tokens[*token].length;
      if (finding.token.empty()) finding.token = tokens_.Text(*token);
    }
  }
  Refuse(std::move(finding));
}

// Parser errors about constructs that would write are refused as such.
bool Stages::RefuseAsKeyword(const ParsedSql& parsed, const EditedText& text,
                             const TokenList& tokens) {
  const std::string_view message = parsed.error.message;
  std::optional<size_t> token;
  if (message.starts_with("A CTE needs a SELECT")) {
    token = DeniedWord(tokens, 0);
  } else if (message.starts_with("SELECT INTO")) {
    token = FindWord(tokens, "into");
  } else if (message.starts_with("SELECT locking clause")) {
    token = FindWord(tokens, "for");
  } else if (parsed.error.position.has_value()) {
    const auto at = tokens.At(ByteOffset(text.text(), *parsed.error.position));
    if (at.has_value()) token = BracketedStatement(tokens, *at);
  }
  if (!token.has_value()) return false;
  const auto source = text.SourceOffset(tokens.tokens[*token].offset);
  const auto own = source.has_value() ? tokens_.At(*source) : std::nullopt;
  if (!own.has_value()) return false;
  RefuseWord(*own);
  return true;
}

void Stages::RefuseNotSelect() {
  const size_t first = explain_.statement;
  if (first < range_.last) return RefuseWord(first);
  Refuse({.code = "syntax_error",
          .message = "The text holds no statement.",
          .hint = "Send one statement that reads.",
          .rule = "statement_kind"});
}

void Stages::RefuseParse(const ParsedSql& parsed, const EditedText& text, const TokenList& tokens) {
  switch (parsed.outcome) {
    case ParseOutcome::kSeveral:
      return Refuse({.code = "multiple_statements",
                     .message = "There is more than one statement.",
                     .hint = "Send one statement per call.",
                     .rule = "statement_kind"});
    case ParseOutcome::kTooLarge:
      return Refuse({.code = "query_too_complex",
                     .message = "The statement is too large: " + parsed.error.message,
                     .hint = "Split the statement or simplify it.",
                     .rule = "size"});
    case ParseOutcome::kEngine:
      judgement_.cacheable = false;
      return RefuseIn(text, EngineFinding(parsed.error));
    case ParseOutcome::kNoSelect:
      return RefuseNotSelect();
    case ParseOutcome::kRefused:
    case ParseOutcome::kTree:
      break;
  }
  if (RefuseAsKeyword(parsed, text, tokens)) return;
  Finding finding = ParserFinding(parsed.error, text.text());
  if (parsed.error.message.starts_with("Mixing named and positional")) {
    finding.hint = "Use $name for all parameters, or ? for all.";
    finding.rule = "parameter";
    finding.span = MixedParameter(tokens);
  }
  RefuseIn(text, std::move(finding));
}

WalkInput Stages::InputFor(const TokenList& tokens) const {
  return {.tokens = tokens,
          .catalog = context_.catalog,
          .profile = context_.profile,
          .data_dir = context_.data_dir,
          .limits = context_.limits};
}

EditedText Stages::Wrapped(const EditedText& core) const {
  EditedText wrapped = core;
  if (!explain_.present) {
    wrapped.Wrap(kWrapBefore, "\n) AS _q LIMIT " + std::to_string(WrapLimit(statement_.row_limit)));
  }
  return wrapped;
}

std::optional<json::View> Stages::Inner(const ParsedSql& parsed) const {
  if (parsed.outcome != ParseOutcome::kTree) return std::nullopt;
  if (explain_.present) return parsed.statement;
  if (!IsWrapper(parsed.statement, WrapLimit(statement_.row_limit))) return std::nullopt;
  return parsed.statement.Find("node")->Find("from_table")->Find("subquery");
}

// What would run is parsed at once: mostly it needs no change, and one parse is enough.
void Stages::JudgeText(const EditedText& core, bool may_expand) {
  const EditedText candidate = Wrapped(core);
  const ParsedSql parsed = ParseSql(context_.connection, candidate.text());
  if (parsed.outcome == ParseOutcome::kEngine) return RefuseParse(parsed, candidate, tokens_);
  if (const auto inner = Inner(parsed)) return JudgeTree(*inner, core, candidate);
  JudgeRefused(core, may_expand);
}

// The wrapped text has no tree of the right shape: the text alone says why.
void Stages::JudgeRefused(const EditedText& core, bool may_expand) {
  const TokenList tokens = Tokenize(core.text());
  const ParsedSql parsed = ParseSql(context_.connection, core.text());
  if (parsed.outcome == ParseOutcome::kNoSelect || parsed.outcome == ParseOutcome::kRefused) {
    if (auto query = QueryAsPivotValues(tokens)) return RefuseIn(core, *std::move(query));
  }
  const bool needs_values =
      parsed.outcome == ParseOutcome::kNoSelect ||
      parsed.error.message.starts_with("PIVOT statements with pivot elements extracted");
  if (needs_values && may_expand && HasDynamicPivot(tokens)) {
    return ExpandPivot(core, tokens);
  }
  if (parsed.outcome != ParseOutcome::kTree) return RefuseParse(parsed, core, tokens);
  Refuse(CannotRun());
}

void Stages::JudgeTree(json::View statement, const EditedText& core, const EditedText& candidate) {
  const TokenList tokens = Tokenize(candidate.text());
  WalkResult walked = WalkTree(statement, InputFor(tokens));
  if (!walked.findings.empty()) return RefuseIn(candidate, walked.findings.first());
  if (RefuseParameters(walked, tokens, candidate)) return;
  judgement_.verdict.kind = KindOf(statement);
  if (!walked.listings.empty()) {
    auto listings = ListingReplacements(tokens, context_.catalog);
    walked.replacements.insert(walked.replacements.end(), listings.begin(), listings.end());
  }
  if (walked.replacements.empty()) return Allow(walked, core, candidate);
  EditedText final = candidate;
  final.Apply(walked.replacements);
  if (JudgeFinal(final, walked)) Allow(walked, core, final);
}

// SELECT DISTINCT of each pivoted item gives the values that the caller left out.
void Stages::ExpandPivot(const EditedText& text, const TokenList& tokens) {
  PivotExpansion expansion(tokens);
  EditedText probe = text;
  probe.Apply(expansion.Probe());
  const TokenList probe_tokens = Tokenize(probe.text());
  const ParsedSql parsed = ParseSql(context_.connection, probe.text());
  Finding needs{.code = "pivot_needs_values",
                .message = "The values to pivot on could not be found out.",
                .hint = "Add them: PIVOT t ON column IN ('a', 'b') USING ...",
                .rule = "statement_kind"};
  if (parsed.outcome == ParseOutcome::kRefused && RefuseAsKeyword(parsed, probe, probe_tokens)) {
    return;
  }
  if (parsed.outcome != ParseOutcome::kTree) return RefuseIn(text, std::move(needs));
  const WalkResult walked = WalkTree(parsed.statement, InputFor(probe_tokens));
  if (!walked.findings.empty()) return RefuseIn(probe, walked.findings.first());
  if (RefuseParameters(walked, probe_tokens, probe)) return;
  std::vector<Replacement> lists;
  for (const PivotItem& item : expansion.items()) {
    auto values = ReadPivotValues(item, statement_, context_);
    if (!values.has_value()) {
      judgement_.cacheable = false;
      Finding finding = std::move(values).error();
      if (finding.code == "pivot_needs_values") finding.hint = needs.hint;
      finding.span = item.span;
      if (finding.replacement_is_sql) {
        finding.repair_span = {item.span.offset + item.span.length, 0};
      }
      return RefuseIn(text, std::move(finding));
    }
    lists.push_back({.span = {item.span.offset + item.span.length, 0}, .text = *values});
  }
  EditedText expanded = text;
  expanded.Apply(std::move(lists));
  JudgeText(expanded, false);
}

bool Stages::RefuseParameters(const WalkResult& walked, const TokenList& tokens,
                              const EditedText& text) {
  auto finding = CheckParameters(walked.parameters, statement_.parameters, tokens);
  if (!finding.has_value()) return false;
  RefuseIn(text, *std::move(finding));
  return true;
}

std::string Stages::ExplainWords() const {
  std::string options = explain_.analyze ? "ANALYZE" : "";
  if (!explain_.format.empty()) {
    options += (options.empty() ? "FORMAT " : ", FORMAT ") + explain_.format;
  }
  return options.empty() ? "EXPLAIN " : "EXPLAIN (" + options + ") ";
}

// Stage 7: what was rewritten is parsed and walked again, now without any freedom.
bool Stages::JudgeFinal(const EditedText& final, const WalkResult& walked) {
  const ParsedSql parsed = ParseSql(context_.connection, final.text());
  if (parsed.outcome == ParseOutcome::kEngine) {
    RefuseParse(parsed, final, tokens_);
    return false;
  }
  const auto inner = Inner(parsed);
  if (!inner.has_value()) {
    Refuse(CannotRun());
    return false;
  }
  const TokenList no_tokens{.source = final.text()};
  // Listings and lists of files are as long as the catalog.
  SizeLimits limits = context_.limits;
  limits.tree_nodes_max = UINT64_MAX;
  limits.list_items_max = UINT64_MAX / 2;
  limits.planning_steps_max = std::numeric_limits<double>::infinity();
  limits.table_references_max += 2 * walked.listings.size();
  const WalkInput final_input{.tokens = no_tokens,
                              .catalog = context_.catalog,
                              .profile = context_.profile,
                              .data_dir = context_.data_dir,
                              .limits = limits,
                              .written_paths = &walked.written_paths};
  const WalkResult again = WalkTree(*inner, final_input);
  if (again.findings.empty() && again.tables == walked.tables) return true;
  Refuse(CannotRun());
  return false;
}

void Stages::Allow(const WalkResult& walked, const EditedText& core, const EditedText& final) {
  EditedText runs = final;
  if (explain_.present) runs.Wrap(ExplainWords(), "");
  Verdict& verdict = judgement_.verdict;
  verdict.final_sql = runs.text();
  verdict.edits = runs.edits();
  verdict.allowed = true;
  verdict.sql = core.text();
  if (explain_.present) {
    verdict.kind = explain_.analyze ? StatementKind::kExplainAnalyze : StatementKind::kExplain;
    verdict.sql = ExplainWords() + verdict.sql;
  }
  verdict.tables = Sorted(walked.tables);
  verdict.functions = Sorted(walked.functions);
  verdict.files = walked.files;
  verdict.notes = walked.notes;
}

}  // namespace ducat::guard
