#include <algorithm>
#include <set>

#include "base/text.h"
#include "worker/child/guard/engine_errors.h"
#include "worker/child/guard/engine_names.h"
#include "worker/child/guard/functions.h"
#include "worker/child/guard/lexer.h"
#include "worker/child/guard/place.h"
#include "worker/child/guard/plan_check.h"
#include "worker/child/guard/stages.h"

namespace ducat::guard {
namespace {

constexpr std::string_view kExplainJson = "EXPLAIN (FORMAT JSON) ";

bool IsExplain(const Verdict& verdict) {
  return verdict.kind == StatementKind::kExplain || verdict.kind == StatementKind::kExplainAnalyze;
}

// What an EXPLAIN is put before: everything from the first mapped byte on.
uint64_t InnerStart(const Verdict& verdict) {
  return IsExplain(verdict) && !verdict.edits.empty() ? verdict.edits.front().final_offset : 0;
}

// The engine points at the table of `t.nope` and nowhere for some clauses: the column's own place
// is the first token from there on that names it.
void PointAtName(Finding& finding, const TokenList& tokens) {
  const uint64_t from = finding.span.has_value() ? finding.span->offset : 0;
  for (const Token& token : tokens.tokens) {
    if (token.offset < from) continue;
    if (token.kind != TokenKind::kWord && token.kind != TokenKind::kQuotedName) continue;
    const std::string_view text = tokens.source.substr(token.offset, token.length);
    const auto name = token.kind == TokenKind::kWord ? std::string(text) : DecodeToken(text);
    if (!name.has_value() || AsciiLower(*name) != AsciiLower(finding.token)) continue;
    finding.span = Span{token.offset, token.length};
    return;
  }
}

// A finding in final_sql, brought to the caller's text.
Finding InSource(Finding finding, const Verdict& verdict, std::string_view source) {
  const bool names_column =
      !finding.token.empty() && (finding.code == "unknown_column" || finding.code == "invalid_sql");
  if (!finding.span.has_value()) {
    if (names_column) PointAtName(finding, Tokenize(source));
    return finding;
  }
  const auto offset = SourceOffset(verdict.edits, finding.span->offset);
  if (!offset.has_value()) {
    finding.span.reset();
    return finding;
  }
  const TokenList tokens = Tokenize(source);
  finding.span = Span{*offset, 0};
  if (names_column) {
    PointAtName(finding, tokens);
  } else if (const auto token = tokens.At(*offset)) {
    finding.span->length = tokens.tokens[*token].length;
    if (finding.token.empty()) finding.token = tokens.Text(*token);
    // A text that stands in the statement stays what it is, whatever is tried.
    const bool is_text = tokens.Is(*token, TokenKind::kString);
    if (is_text && finding.message.starts_with("Could not convert string")) {
      finding.hint =
          "Write a value of that type in its place, or compare texts: CAST(column AS VARCHAR) = " +
          std::string(ClipUtf8(tokens.Text(*token), 60)) + ".";
    }
  }
  return finding;
}

// The engine says of a column that HAVING names only that it is not grouped, also when there is
// none: certain when all that is read are tables whose columns are known, and nothing else in the
// text bears the name.
void NameUngroupedColumn(Finding& finding, const Verdict& verdict, const JudgeContext& context,
                         std::string_view source) {
  if (finding.code != "invalid_sql" || finding.token.empty() || verdict.tables.empty()) return;
  if (!UngroupedColumn(finding.message).has_value() || !verdict.files.empty()) return;
  const bool calls_table = std::ranges::any_of(verdict.functions, [](const std::string& name) {
    return JudgeFunction(name, FunctionPlace::kTable, worker::Profile::kAnalyst).answer ==
           FunctionAnswer::kAllowed;
  });
  const TokenList tokens = Tokenize(source);
  size_t uses = 0;
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    uses += EqualsIgnoringCase(tokens.Text(i), finding.token) ? 1 : 0;
  }
  if (calls_table || uses > 1) return;
  std::vector<std::string> columns;
  for (const std::string& name : verdict.tables) {
    const worker::CatalogTable* table = context.catalog.Find(name);
    if (table == nullptr || table->columns.empty()) return;
    for (const worker::CatalogColumn& column : table->columns) {
      if (EqualsIgnoringCase(column.name, finding.token)) return;
      columns.push_back(column.name);
    }
  }
  finding.code = "unknown_column";
  finding.message = "There is no column \"" + finding.token + "\".";
  finding.hint = ColumnHint(finding.token, columns);
  finding.caret = true;
}

void Deny(Judgement& judgement, std::string_view source, Finding finding) {
  Finding placed = InSource(std::move(finding), judgement.verdict, source);
  Verdict& verdict = judgement.verdict;
  verdict.final_sql.clear();
  FillRefusal(verdict, source, std::move(placed));
}

// What is known of the files that were read tells more than advice on values.
Finding WithNotes(Finding finding, const Verdict& verdict) {
  if (finding.code != "sql_execution_error") return finding;
  for (const std::string& note : verdict.notes) {
    finding.hint += " " + note;
  }
  return finding;
}

}  // namespace

void CheckPlanOf(const Statement& statement, const JudgeContext& context, Judgement& judgement) {
  const Verdict& verdict = judgement.verdict;
  const uint64_t start = InnerStart(verdict);
  const engine::NamedParameters none;
  const engine::NamedParameters& parameters =
      statement.parameters == nullptr ? none : *statement.parameters;
  const auto plan =
      context.connection.ExplainJson(std::string_view(verdict.final_sql).substr(start), parameters);
  if (!plan.has_value()) {
    Finding finding = WithNotes(EngineFinding(plan.error()), verdict);
    NameUngroupedColumn(finding, verdict, context, statement.sql);
    if (finding.span.has_value()) {
      const uint64_t at = finding.span->offset + start;
      finding.span->offset = at < kExplainJson.size() ? 0 : at - kExplainJson.size();
    }
    judgement.cacheable = false;
    return Deny(judgement, statement.sql, std::move(finding));
  }
  json::Document document;
  const auto root = document.Parse(
      *plan, {.depth_max = 20'000, .nodes_max = 20'000'000, .refuse_duplicate_keys = false});
  const std::set<std::string> tables(verdict.tables.begin(), verdict.tables.end());
  const std::set<std::string> functions(verdict.functions.begin(), verdict.functions.end());
  auto finding = CheckPlan(root.value_or(json::View()), {.tables = tables,
                                                         .functions = functions,
                                                         .catalog = context.catalog,
                                                         .profile = context.profile});
  if (finding.has_value()) return Deny(judgement, statement.sql, *std::move(finding));
}

Error ToError(const engine::EngineError& error, const Verdict& verdict, std::string_view source) {
  Verdict failed;
  FillRefusal(failed, source, InSource(WithNotes(EngineFinding(error), verdict), verdict, source));
  return ToError(failed);
}

}  // namespace ducat::guard
