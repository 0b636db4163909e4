#include "worker/child/guard/judge.h"

#include <utility>

#include "base/text.h"
#include "worker/child/guard/backticks.h"
#include "worker/child/guard/place.h"
#include "worker/child/guard/stages.h"
#include "worker/child/guard/table_names.h"

namespace ducat::guard {
namespace {

// A name, a literal or a place may be as long as the statement.
constexpr size_t kTokenBytesShown = 200;
constexpr size_t kMessageBytesShown = 1'000;
constexpr size_t kHintBytesShown = 4'000;

std::string Clipped(std::string_view text, size_t bytes_max) {
  std::string shown(ClipUtf8(text, bytes_max));
  if (shown.size() < text.size()) shown += "…";
  return shown;
}

Finding MakeFinding(std::string code, std::string message, std::string hint, std::string rule) {
  return {.code = std::move(code),
          .message = std::move(message),
          .hint = std::move(hint),
          .rule = std::move(rule)};
}

// A statement that would work, with a table that exists.
std::string Example(const worker::child::MountedCatalog& catalog) {
  if (catalog.tables().empty()) return "SELECT 1";
  return "SELECT * FROM " + SqlName(catalog.tables().begin()->first) + " LIMIT 10";
}

// Offset of the first byte that is no UTF-8 or U+0000; the size when there is none.
size_t FirstInvalidByte(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const Utf8Step step = NextUtf8(text.substr(at));
    if (!step.valid || text[at] == '\0') return at;
    at += step.length;
  }
  return at;
}

std::string_view InsteadOf(std::string_view word) {
  const std::string lower = AsciiLower(word);
  if (lower == "copy" || lower == "export") return "Query the rows with SELECT instead.";
  if (lower == "create" || lower == "insert") {
    return "Run the SELECT alone; use WITH name AS (...) for steps in between.";
  }
  if (lower == "pragma" || lower == "set" || lower == "reset") {
    return "Settings are fixed. Use DESCRIBE and SHOW TABLES to look at tables.";
  }
  if (lower == "call") return "Table functions stand in FROM: SELECT * FROM f(...).";
  if (lower == "attach" || lower == "use" || lower == "detach") {
    return "The tables are attached already; SHOW TABLES lists them.";
  }
  if (lower == "into") return "Leave INTO out: the rows are the answer.";
  if (lower == "for") return "Leave the locking clause out: nothing is ever changed here.";
  return "Only SELECT, VALUES, FROM, TABLE, WITH, DESCRIBE, SHOW, SUMMARIZE, PIVOT, UNPIVOT and "
         "EXPLAIN of these run here.";
}

}  // namespace

void FillRefusal(Verdict& verdict, std::string_view source, Finding finding) {
  verdict.allowed = false;
  verdict.code = std::move(finding.code);
  verdict.hint = Clipped(finding.hint, kHintBytesShown);
  verdict.token = Clipped(finding.token, kTokenBytesShown);
  verdict.rule = std::move(finding.rule);
  verdict.message = Clipped(finding.message, kMessageBytesShown);
  if (!finding.span.has_value()) return;
  verdict.position = PositionOf(source, *finding.span);
  const std::string where = " (" + Where(*verdict.position) + ")";
  const size_t stop =
      verdict.message.ends_with('.') ? verdict.message.size() - 1 : verdict.message.size();
  verdict.message.insert(stop, where);
  if (finding.caret) verdict.hint += "\n" + CaretLines(source, *verdict.position);
}

// Backticks are an operator to the engine, whose words about them help nobody.
void Stages::ExplainBackticks(Finding& finding) const {
  if (finding.code != "syntax_error" && finding.code != "unknown_function") return;
  const auto quoted = FirstBackticked(tokens_);
  if (!quoted.has_value()) return;
  const std::string_view name = source_.substr(quoted->offset + 1, quoted->length - 2);
  finding.code = "syntax_error";
  finding.rule = "statement_kind";
  finding.message = "Names are not quoted with backticks here.";
  finding.hint = "Write " + engine::QuoteIdentifier(name) + ", in double quotes.";
  finding.token = source_.substr(quoted->offset, quoted->length);
  finding.span = quoted;
  finding.caret = true;
}

void Stages::Refuse(Finding finding) {
  ExplainBackticks(finding);
  // Where the tree gives no place, the statement as a whole is too much.
  if (finding.code == "query_too_complex" && !finding.span.has_value() && !range_.empty()) {
    const uint64_t first = tokens_.tokens[range_.first].offset;
    finding.span = Span{first, tokens_.tokens[range_.last - 1].end() - first};
  }
  judgement_.replacement = std::move(finding.replacement);
  judgement_.replacement_is_sql = finding.replacement_is_sql;
  judgement_.replaced = finding.repair_span.has_value() ? finding.repair_span : finding.span;
  FillRefusal(judgement_.verdict, source_, std::move(finding));
}

void Stages::RefuseToken(Finding finding, size_t token) {
  if (token < tokens_.tokens.size()) {
    finding.span = Span{tokens_.tokens[token].offset, tokens_.tokens[token].length};
    if (finding.token.empty()) finding.token = tokens_.Text(token);
  } else {
    finding.span = Span{source_.size(), 0};
  }
  Refuse(std::move(finding));
}

void Stages::RefuseWord(size_t token) {
  const std::string word = AsciiUpper(ClipUtf8(tokens_.Text(token), 60));
  Finding finding =
      MakeFinding("denied_keyword", word + " is not allowed: statements may only read.",
                  std::string(InsteadOf(word)), "statement_kind");
  finding.token = word;
  RefuseToken(std::move(finding), token);
}

bool Stages::CheckBytes() {
  if (source_.size() > kSqlBytesMax) {
    Refuse(MakeFinding("sql_too_large",
                       "The statement has " + WithThousands(uint64_t{source_.size()}) +
                           " bytes; at most " + WithThousands(kSqlBytesMax) + " are allowed.",
                       "Send a statement of at most " + WithThousands(kSqlBytesMax) +
                           " bytes; long lists of values belong into a file.",
                       "encoding"));
    return true;
  }
  const size_t invalid = FirstInvalidByte(source_);
  if (invalid == source_.size()) return false;
  const bool zero = source_[invalid] == '\0';
  Refuse(MakeFinding(
      "invalid_encoding",
      "The statement is not valid UTF-8 text: byte " + std::to_string(invalid) +
          (zero ? " is U+0000." : " is malformed."),
      "Send the statement as UTF-8 without U+0000; byte offset " + std::to_string(invalid) + ".",
      "encoding"));
  return true;
}

bool Stages::CheckTokens() {
  tokens_ = Tokenize(source_);
  range_ = FirstStatement(tokens_);
  if (range_.empty()) {
    if (!tokens_.comment_ends) return CheckSizes();
    Refuse(MakeFinding("empty_sql", "There is no statement in the text.",
                       "Send one statement, for example: " + Example(context_.catalog),
                       "statement_kind"));
    return true;
  }
  if (range_.next.has_value()) {
    RefuseToken(MakeFinding("multiple_statements", "There is more than one statement.",
                            "Send one statement per call.", "statement_kind"),
                *range_.next);
    return true;
  }
  return CheckSizes();
}

bool Stages::RefuseSize(std::string message, std::string hint, Span place) {
  Finding finding = MakeFinding("query_too_complex", std::move(message), std::move(hint), "size");
  finding.span = place;
  finding.token = source_.substr(place.offset, place.length);
  Refuse(std::move(finding));
  return true;
}

// What must not reach the engine's lexer and parser.
bool Stages::CheckSizes() {
  const SizeLimits& limits = context_.limits;
  const std::vector<Token>& tokens = tokens_.tokens;
  if (tokens_.rescanned > limits.rescanned_bytes_max) {
    return RefuseSize("The parser would read " + WithThousands(tokens_.rescanned) +
                          " bytes of operators and comment signs that follow each other; at most " +
                          WithThousands(limits.rescanned_bytes_max) +
                          " are allowed. The longest run has " +
                          WithThousands(uint64_t{tokens_.run_length}) + ".",
                      "Put blanks between operators and between comments.",
                      {tokens_.run_offset, tokens_.run_length});
  }
  uint64_t parameters = 0;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::kParameter && ++parameters > limits.parameters_max) {
      return RefuseSize(
          "The statement has more than " + WithThousands(limits.parameters_max) + " parameters.",
          "Give long lists of values as one text and split it, as in "
          "unnest(string_split($1, ',')).",
          {token.offset, token.length});
    }
  }
  if (range_.empty()) return false;
  const Span whole{tokens[range_.first].offset,
                   tokens[range_.last - 1].end() - tokens[range_.first].offset};
  if (const double expanded = ExpandedTokens(tokens_);
      expanded > static_cast<double>(tokens.size()) && expanded > limits.expanded_tokens_max) {
    return RefuseSize("CASE in the operand of CASE makes more than " +
                          WithThousands(static_cast<uint64_t>(limits.expanded_tokens_max)) +
                          " tokens of the statement.",
                      "Write CASE WHEN x = 1 THEN ..., or take the inner CASE out with WITH.",
                      whole);
  }
  const BracketDepth deepest = DeepestBracket(tokens_);
  if (deepest.depth <= limits.bracket_depth_max) return false;
  return RefuseSize("Brackets are nested " + WithThousands(deepest.depth) + " deep; at most " +
                        WithThousands(limits.bracket_depth_max) + " are allowed.",
                    "Take the statement apart with WITH.",
                    {tokens[deepest.token].offset, tokens[deepest.token].length});
}

bool Stages::CheckWords() {
  explain_ = PeelExplain(tokens_, range_);
  if (explain_.fault.has_value()) {
    RefuseToken(MakeFinding("syntax_error", "This is no option of EXPLAIN.",
                            "Options: ANALYZE, FORMAT text, json, html, graphviz, yaml or mermaid.",
                            "statement_kind"),
                *explain_.fault);
    return true;
  }
  if (explain_.statement >= range_.last || tokens_.IsWord(explain_.statement, "explain")) {
    const bool twice = explain_.statement < range_.last && explain_.present;
    if (explain_.present) {
      Finding finding = MakeFinding(
          "syntax_error",
          twice ? "EXPLAIN cannot be applied to EXPLAIN." : "EXPLAIN needs a statement behind it.",
          "Put one EXPLAIN before a statement that reads.", "statement_kind");
      finding.caret = true;
      RefuseToken(std::move(finding), explain_.statement);
      return true;
    }
  }
  const auto denied = DeniedWord(tokens_, explain_.statement);
  if (denied.has_value()) RefuseWord(*denied);
  return denied.has_value();
}

Judgement Stages::Run() {
  if (CheckBytes() || CheckTokens() || CheckWords()) return std::move(judgement_);
  const bool empty = range_.empty();  // a comment without end: the parser says so
  const uint64_t first = empty ? 0 : tokens_.tokens[explain_.statement].offset;
  const uint64_t last = empty ? source_.size() : tokens_.tokens[range_.last - 1].end();
  // What follows the last token is blank, unless a comment there has no end.
  const uint64_t end = tokens_.comment_ends ? last : source_.size();
  JudgeText(EditedText(source_.substr(first, end - first), first), true);
  return std::move(judgement_);
}

Judgement JudgeStages(const Statement& statement, const JudgeContext& context) {
  Judgement judgement = Stages(statement, context).Run();
  if (judgement.verdict.allowed && statement.check_plan) {
    CheckPlanOf(statement, context, judgement);
  }
  return judgement;
}

}  // namespace ducat::guard
