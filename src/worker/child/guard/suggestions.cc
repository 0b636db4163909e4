#include "worker/child/guard/suggestions.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "worker/child/guard/backticks.h"
#include "worker/child/guard/place.h"
#include "worker/child/guard/statement_words.h"
#include "worker/child/guard/table_names.h"

namespace ducat::guard {
namespace {

// Words that begin a statement or a clause; a misspelt one is put right.
constexpr std::array<std::string_view, 32> kKeywords{
    "SELECT", "FROM",   "WHERE",   "GROUP",     "ORDER",    "BY",      "HAVING",    "LIMIT",
    "OFFSET", "JOIN",   "LEFT",    "RIGHT",     "INNER",    "OUTER",   "ON",        "USING",
    "UNION",  "EXCEPT", "WITH",    "VALUES",    "DISTINCT", "BETWEEN", "AND",       "DESCRIBE",
    "SHOW",   "TABLES", "EXPLAIN", "SUMMARIZE", "PIVOT",    "QUALIFY", "INTERSECT", "RECURSIVE"};
// Reserved words that tables and columns are called by.
constexpr std::array<std::string_view, 18> kNamelike{
    "all", "asc",   "case",  "check",  "column", "default", "desc",       "end",   "union",
    "for", "group", "limit", "offset", "order",  "primary", "references", "table", "to"};
constexpr size_t kKeywordDistanceMax = 1;
constexpr size_t kShownSuggestionMax = 300;

class Suggester {
 public:
  Suggester(const Statement& statement, const JudgeContext& context, Judgement& judgement)
      : statement_(statement),
        context_(context),
        judgement_(judgement),
        verdict_(judgement.verdict),
        tokens_(Tokenize(statement.sql)),
        range_(FirstStatement(tokens_)) {}

  void Run() {
    if (range_.empty()) return;
    if (verdict_.code == "multiple_statements") {
      Offer(std::string(TextOf(range_.first, range_.last)));
    } else if (verdict_.code == "denied_keyword") {
      InsteadOfStatement();
    } else if (verdict_.code == "system_catalog_access" || verdict_.code == "denied_function") {
      InsteadOfCatalog();
    } else if (verdict_.code == "syntax_error") {
      Syntax();
    } else if (!judgement_.replacement.empty() && judgement_.replaced.has_value()) {
      const bool as_is = judgement_.replacement_is_sql || IsPlainName(judgement_.replacement);
      const bool done = as_is && Replace(*judgement_.replaced, judgement_.replacement);
      if (!done && !judgement_.replacement_is_sql) {
        Replace(*judgement_.replaced, engine::QuoteIdentifier(judgement_.replacement));
      }
    }
  }

 private:
  [[nodiscard]] std::string_view TextOf(size_t first, size_t last) const {
    last = std::min(last, tokens_.tokens.size());
    if (first >= last) return {};
    const uint64_t start = tokens_.tokens[first].offset;
    return tokens_.source.substr(start, tokens_.tokens[last - 1].end() - start);
  }

  [[nodiscard]] size_t FindWord(std::string_view word, size_t from) const {
    size_t i = from;
    while (i < range_.last && !tokens_.IsWord(i, word)) {
      i = tokens_.Is(i, TokenKind::kOpen) ? tokens_.Closing(i) + 1 : i + 1;
    }
    return std::min(i, range_.last);
  }

  // Taken when the guard allows it.
  bool Offer(std::string text, bool check_plan = false) {
    if (text.empty() || text == statement_.sql) return false;
    Statement tried = statement_;
    tried.sql = text;
    tried.check_plan = check_plan;
    if (!JudgeStages(tried, context_).verdict.allowed) return false;
    verdict_.suggestion = std::move(text);
    return true;
  }

  bool Replace(Span span, const std::string& text) {
    std::string whole(statement_.sql);
    whole.replace(span.offset, span.length, text);
    return Offer(std::move(whole));
  }

  // The first SELECT, FROM, VALUES, WITH or bracketed query at or behind a token.
  [[nodiscard]] size_t QueryFrom(size_t first) const {
    size_t i = first;
    while (i < range_.last) {
      for (const std::string_view word : {"select", "from", "values", "with", "pivot", "unpivot"}) {
        if (tokens_.IsWord(i, word)) return i;
      }
      if (tokens_.IsSymbol(i, '(') && QueryWord(i + 1)) return i;
      i = tokens_.Is(i, TokenKind::kOpen) ? tokens_.Closing(i) + 1 : i + 1;
    }
    return i;
  }

  [[nodiscard]] bool QueryWord(size_t i) const {
    return tokens_.IsWord(i, "select") || tokens_.IsWord(i, "with") || tokens_.IsWord(i, "from") ||
           tokens_.IsWord(i, "values") || tokens_.IsSymbol(i, '(');
  }

  void InsteadOfStatement() {
    size_t first = range_.first;
    if (const ExplainPrefix explain = PeelExplain(tokens_, range_); explain.present) {
      first = explain.statement;
    }
    const std::string token = AsciiLower(verdict_.token);
    if (token == "copy") return Copy(first);
    if (token == "create" || token == "insert") {
      const size_t query = QueryFrom(first + 1);
      Offer(std::string(Unbracketed(query)));
    } else if (token == "pragma") {
      Pragma(first);
    } else if (token == "call") {
      Offer("SELECT * FROM " + std::string(TextOf(first + 1, range_.last)));
    } else if (token == "into") {
      WithoutInto();
    } else if (token == "for") {
      const size_t clause = FindLast("for");
      Offer(std::string(TextOf(range_.first, clause)));
    }
  }

  // A query in brackets that is all there is stands without them.
  [[nodiscard]] std::string_view Unbracketed(size_t query) const {
    if (!tokens_.IsSymbol(query, '(')) return TextOf(query, range_.last);
    return TextOf(query + 1, tokens_.Closing(query));
  }

  [[nodiscard]] size_t FindLast(std::string_view word) const {
    for (size_t i = range_.last; i > range_.first; --i) {
      if (tokens_.IsWord(i - 1, word)) return i - 1;
    }
    return range_.last;
  }

  // COPY (query) TO ..., COPY t (columns) TO ...
  void Copy(size_t first) {
    const size_t source = first + 1;
    if (tokens_.IsSymbol(source, '(')) {
      Offer(std::string(TextOf(source + 1, tokens_.Closing(source))));
      return;
    }
    size_t end = source;
    while (end < range_.last && !tokens_.IsSymbol(end, '(') && !tokens_.IsWord(end, "to") &&
           !tokens_.IsWord(end, "from")) {
      ++end;
    }
    Offer("FROM " + std::string(TextOf(source, end)));
  }

  // The string or name in the first bracket behind a token.
  [[nodiscard]] std::string Argument(size_t from) const {
    for (size_t i = from; i < range_.last; ++i) {
      if (tokens_.Is(i, TokenKind::kString) || tokens_.Is(i, TokenKind::kQuotedName)) {
        return DecodeToken(tokens_.Text(i)).value_or("");
      }
    }
    return {};
  }

  void Describe(const std::string& table) {
    if (const auto* known = context_.catalog.Find(table)) {
      const bool plain = IsPlainName(known->name) && Offer("DESCRIBE " + known->name);
      if (!plain) Offer("DESCRIBE " + engine::QuoteIdentifier(known->name));
    }
  }

  void Pragma(size_t first) {
    if (tokens_.IsWord(first + 1, "table_info")) {
      std::string table = Argument(first + 2);
      if (table.empty() && tokens_.IsSymbol(first + 2, '(')) table = tokens_.Text(first + 3);
      return Describe(table);
    }
    if (tokens_.IsWord(first + 1, "show_tables")) Offer("SHOW TABLES");
    if (tokens_.IsWord(first + 1, "show_tables_expanded")) Offer("SHOW ALL TABLES");
  }

  void WithoutInto() {
    const size_t into = FindWord("into", range_.first);
    const size_t from = std::min(FindWord("from", into), FindWord("where", into));
    std::string text(TextOf(range_.first, into));
    if (const std::string_view rest = TextOf(from, range_.last); !rest.empty()) {
      text += ' ';
      text += rest;
    }
    Offer(std::move(text));
  }

  [[nodiscard]] bool Names(std::initializer_list<std::string_view> names) const {
    const std::string token = AsciiLower(verdict_.token);
    return std::ranges::any_of(names, [&](std::string_view name) {
      return token == name || token.ends_with("." + std::string(name));
    });
  }

  // The only table of ours that a string of the text names.
  [[nodiscard]] std::string NamedTable() const {
    std::string named;
    for (size_t i = range_.first; i < range_.last; ++i) {
      if (!tokens_.Is(i, TokenKind::kString)) continue;
      const auto* table = context_.catalog.Find(DecodeToken(tokens_.Text(i)).value_or(""));
      if (table == nullptr || table->name == named) continue;
      if (!named.empty()) return {};
      named = table->name;
    }
    return named;
  }

  void InsteadOfCatalog() {
    if (Names({"tables", "sqlite_master", "sqlite_schema", "duckdb_tables", "duckdb_views",
               "pg_tables", "pg_class", "pg_views", "views"})) {
      Offer("SHOW TABLES");
    } else if (Names({"columns", "duckdb_columns", "pg_attribute", "pragma_table_info",
                      "pragma_show"})) {
      const std::string table = NamedTable();
      if (!table.empty()) return Describe(table);
      if (!Names({"pragma_table_info", "pragma_show"})) Offer("SHOW ALL TABLES");
    }
  }

  void Syntax() {
    if (FirstBackticked(tokens_).has_value()) {
      Offer(WithDoubleQuotes(tokens_));
      return;
    }
    // SHOW CREATE TABLE t
    const size_t first = range_.first;
    if (tokens_.IsWord(first, "show") && tokens_.IsWord(first + 1, "create") &&
        (tokens_.IsWord(first + 2, "table") || tokens_.IsWord(first + 2, "view"))) {
      std::string name(TextOf(first + 3, range_.last));
      if (name.starts_with('"')) name = DecodeToken(name).value_or("");
      return Describe(name);
    }
    if (Top()) return;
    // Either the refused word or one shortly before it is misspelt.
    const size_t refused = verdict_.position.has_value()
                               ? tokens_.At(verdict_.position->offset).value_or(range_.last)
                               : range_.last;
    for (size_t back = 0; back <= 2 && refused >= range_.first + back; ++back) {
      if (QuoteWord(refused - back)) return;
      if (CorrectWord(refused - back)) return;
    }
    for (size_t back = 0; back <= 1 && refused >= range_.first + back; ++back) {
      if (HintReserved(refused - back)) return;
    }
  }

  // SELECT TOP 5 ... of other dialects: LIMIT 5 at the end.
  bool Top() {
    size_t top = range_.first + 1;
    if (!tokens_.IsWord(range_.first, "select")) return false;
    if (tokens_.IsWord(top, "distinct") || tokens_.IsWord(top, "all")) ++top;
    const bool bracket = tokens_.Is(top + 1, TokenKind::kOpen);
    const size_t count = top + (bracket ? 2 : 1);
    const size_t last = count + (bracket ? 1 : 0);
    if (!tokens_.IsWord(top, "top") || !tokens_.Is(count, TokenKind::kNumber) ||
        last >= range_.last) {
      return false;
    }
    const std::string limit = "LIMIT " + std::string(tokens_.Text(count));
    std::string text(TextOf(range_.first, range_.last));
    const uint64_t start = tokens_.tokens[top].offset - tokens_.tokens[range_.first].offset;
    text.erase(start, tokens_.tokens[last + 1].offset - tokens_.tokens[top].offset);
    Offer(std::move(text) + " " + limit);
    AddToHint(" TOP is another dialect's: write " + limit + " at the end instead.");
    return true;
  }

  // A word that often is a name, where a name was wanted.
  bool HintReserved(size_t i) {
    if (!tokens_.Is(i, TokenKind::kWord) || i == range_.first) return false;
    const std::string word = AsciiLower(tokens_.Text(i));
    const bool wants_name = tokens_.IsWord(i - 1, "from") || tokens_.IsWord(i - 1, "join") ||
                            tokens_.IsWord(i - 1, "select") || tokens_.IsSymbol(i - 1, ',') ||
                            tokens_.IsSymbol(i - 1, '.');
    if (!wants_name || std::ranges::find(kNamelike, word) == kNamelike.end()) return false;
    AddToHint(" The word " + AsciiUpper(word) +
              " is reserved; as a name it goes in double quotes: " + engine::QuoteIdentifier(word) +
              ".");
    return true;
  }

  // A reserved word that is the name of something, or the beginning of a table's name.
  bool QuoteWord(size_t i) {
    if (!tokens_.Is(i, TokenKind::kWord)) return false;
    const std::string word = AsciiLower(tokens_.Text(i));
    const Span span{.offset = tokens_.tokens[i].offset, .length = tokens_.tokens[i].length};
    const auto* table = context_.catalog.Find(word + "_");
    const bool is_table = table != nullptr && Replace(span, table->name);
    std::string quoted(statement_.sql);
    quoted.replace(span.offset, span.length, engine::QuoteIdentifier(word));
    if (!is_table && !Offer(std::move(quoted), true)) return false;
    AddToHint(" The word " + AsciiUpper(word) + " is reserved; " +
              (is_table ? "the table is " + table->name
                        : "as a name it goes in double quotes: " + engine::QuoteIdentifier(word)) +
              ".");
    return true;
  }

  void AddToHint(const std::string& sentence) {
    const size_t caret = verdict_.hint.find('\n');
    verdict_.hint.insert(caret == std::string::npos ? verdict_.hint.size() : caret, sentence);
  }

  bool CorrectWord(size_t i) {
    if (!tokens_.Is(i, TokenKind::kWord) || tokens_.tokens[i].length < 2) return false;
    for (const std::string_view keyword : kKeywords) {
      if (EditDistance(tokens_.Text(i), keyword, kKeywordDistanceMax) != 1) continue;
      const Token& token = tokens_.tokens[i];
      if (!Replace({.offset = token.offset, .length = token.length}, std::string(keyword))) {
        continue;
      }
      AddToHint(" Did you mean " + std::string(keyword) + "?");
      return true;
    }
    return false;
  }

  const Statement& statement_;
  const JudgeContext& context_;
  Judgement& judgement_;
  Verdict& verdict_;
  TokenList tokens_;
  StatementTokens range_;
};

// Codes whose statements are not worth a second look, or cannot be read.
bool IsHopeless(std::string_view code) {
  return code == "sql_too_large" || code == "invalid_encoding" || code == "query_too_complex" ||
         code == "empty_sql";
}

}  // namespace

void AddSuggestion(const Statement& statement, const JudgeContext& context, Judgement& judgement) {
  if (judgement.verdict.allowed || IsHopeless(judgement.verdict.code)) return;
  Suggester(statement, context, judgement).Run();
  Verdict& verdict = judgement.verdict;
  // For readers of the text alone; a long one is in the data.
  if (verdict.suggestion.empty() || verdict.suggestion.size() > kShownSuggestionMax) return;
  const size_t caret = std::min(verdict.hint.find('\n'), verdict.hint.size());
  verdict.hint.insert(caret, " Try: " + verdict.suggestion);
}

}  // namespace ducat::guard
