#include "worker/child/guard/engine_errors.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "worker/child/guard/engine_names.h"
#include "worker/child/guard/lexer.h"

namespace ducat::guard {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Finding Base(std::string code, std::string message, std::string hint) {
  return {.code = std::move(code), .message = std::move(message), .hint = std::move(hint)};
}

Finding UnknownColumn(const std::string& name, const engine::EngineError& error) {
  Finding finding = Base("unknown_column", "There is no column \"" + name + "\".",
                         ColumnHint(name, OfferedNames(error)));
  finding.token = name;
  finding.caret = true;
  return finding;
}

Finding BinderFinding(const engine::EngineError& error) {
  if (Has(error.message, "Referenced table")) {
    const std::string name = error.name.empty() ? FirstQuoted(error.message) : error.name;
    Finding finding = UnknownColumn(name, error);
    finding.message = "No table in FROM is called \"" + name + "\".";
    return finding;
  }
  if (const auto column = MissingColumn(error)) return UnknownColumn(*column, error);
  const std::string line = EngineWords(error.message);
  if (const auto column = UngroupedColumn(error.message)) {
    Finding finding = Base("invalid_sql", line,
                           "Add it to GROUP BY, or use an aggregate such as max(" + *column +
                               "); conditions on single rows go into WHERE.");
    finding.token = *column;
    return finding;
  }
  if (Has(error.message, "Ambiguous reference")) {
    Finding finding = Base("ambiguous_column",
                           "The column \"" + FirstQuoted(error.message) +
                               "\" is in more than one table of the FROM clause.",
                           "Put the table's name before it: t.column.");
    finding.token = FirstQuoted(error.message);
    return finding;
  }
  const bool types = Has(error.message, "explicit type casts") ||
                     Has(error.message, "Cannot compare values of type") ||
                     Has(error.message, "Cannot mix values of type") ||
                     Has(error.message, "requires a type") || error.type == "Mismatch Type" ||
                     Has(error.message, "Cannot deduce template type");
  if (types) {
    return Base("type_mismatch", line,
                "Convert with CAST(x AS type), or TRY_CAST where values may not fit.");
  }
  return Base("invalid_sql", line, "Change the statement at the place named.");
}

Finding CatalogFinding(const engine::EngineError& error) {
  if (error.name.empty() && !Has(error.message, "does not exist")) {
    return Base("invalid_sql", EngineWords(error.message), "Change the statement.");
  }
  const std::string name = error.name.empty() ? FirstQuoted(error.message) : error.name;
  if (Has(error.message, "Function with name") || Has(error.message, "Function with")) {
    Finding finding = Base("unknown_function", "There is no function " + name + " for this use.",
                           "Check the function's name and its arguments.");
    finding.caret = true;
    return finding;
  }
  if (Has(error.message, "Type with name")) {
    return Base("invalid_sql", "There is no type \"" + name + "\".",
                "Use a type such as INTEGER, BIGINT, DOUBLE, DECIMAL(18,2), VARCHAR, DATE or "
                "TIMESTAMP.");
  }
  return Base("invalid_sql", "\"" + name + "\" does not exist.", "Change the statement.");
}

struct ExecutionAdvice {
  std::string_view part, hint;
};
// By what the engine says, before what its kind of error suggests.
constexpr std::string_view kPattern =
    "Correct the regular expression (RE2: no look-around, no back-references).";
constexpr std::array<ExecutionAdvice, 18> kAdvice{
    {{"Malformed JSON",
      "A JSON value stands beside text: read it as text with column->>'$' before comparing, as in "
      "\"title\"->>'$' = 'x'."},
     {"Schema mismatch between globbed files",
      "The files have different columns: read_csv('*.csv', union_by_name = true) takes them all."},
     {"More than one row returned by a subquery",
      "Make the subquery give one row (max(x), any_value(x), LIMIT 1), or use IN or a join."},
     {"according to format specifier",
      "Correct the format, or use try_strptime(text, format), which gives NULL where it does not "
      "fit."},
     {"Failed to parse format specifier",
      "Formats have %Y, %m, %d, %H, %M, %S, %f, %j, %a, %A, %b, %B, %p, %y and %z."},
     {"extract specifier",
      "Parts are year, quarter, month, week, day, hour, minute, second, dow, doy, epoch."},
     {"Argument index", "Give format() one value for each {}."},
     {"for formatting a value of type", "Use {} in format(), or the letter of the value's type."},
     {"LIMIT", "LIMIT and OFFSET take whole numbers that are not negative."},
     {"missing )", kPattern},
     {"missing ]", kPattern},
     {"unexpected )", kPattern},
     {"repetition operator", kPattern},
     {"invalid perl operator", kPattern},
     {"invalid escape sequence", kPattern},
     {"invalid character class", kPattern},
     {"trailing \\", kPattern},
     {"bad repetition", kPattern}}};

std::string ExecutionHint(std::string_view type, std::string_view message) {
  for (const ExecutionAdvice& advice : kAdvice) {
    if (Has(message, advice.part)) return std::string(advice.hint);
  }
  if (type == "Conversion" || Has(message, "Could not convert") || Has(message, "Could not cast")) {
    return "Use TRY_CAST, which gives NULL where a value does not fit, or filter those rows out "
           "in WHERE.";
  }
  const bool wide = Has(message, "verflow") || Has(message, "out of range");
  if (wide || (type == "Out of Range" && !Has(message, "cannot take"))) {
    return "Cast to a wider type first (BIGINT, HUGEINT, DOUBLE), use TRY(expression), or filter "
           "those rows out in WHERE.";
  }
  return "Use TRY(expression), which gives NULL where it fails, or filter those rows out in WHERE.";
}

}  // namespace

std::string EngineWords(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  std::string line(ClipUtf8(message, 500));
  for (size_t at = line.find('/'); at != std::string::npos; at = line.find('/', at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool quoted = before == '"' || before == '\'';
    if (!quoted && before != ' ' && before != '(' && before != '[') continue;
    const size_t end =
        quoted ? line.find(before, at) : std::min(line.find_first_of(" ,;)]", at), line.size());
    const size_t slash = line.rfind('/', end);
    if (end != std::string::npos && (quoted || slash > at)) line.erase(at, slash - at + 1);
  }
  return line;
}

Finding EngineFinding(const engine::EngineError& error) {
  Finding finding;
  const std::string_view type = error.type;
  if (type == "Binder" || type == "Mismatch Type" || type == "Expression" ||
      type == "Parameter Not Resolved" || type == "Parameter Not Allowed") {
    finding = BinderFinding(error);
  } else if (type == "Catalog") {
    finding = CatalogFinding(error);
  } else if (type == "Parser" || type == "Syntax" || type == "Not implemented") {
    finding = Base("invalid_sql", EngineWords(error.message), "Change the statement.");
  } else if (type == "Interrupt" || type == "INTERRUPT") {
    finding = Base("query_timeout", "The statement ran into its time limit.",
                   "Make it cheaper: filter earlier, aggregate or sample.");
  } else if (type == "Out of Memory") {
    const bool disk =
        Has(error.message, "max_temp_directory_size") || Has(error.message, "temp directory");
    finding =
        disk ? Base("temp_limit", "The statement needs more temporary disk space than it may use.",
                    "Sort or aggregate fewer rows or columns.")
             : Base("memory_limit", "The statement needs more memory than it may use.",
                    "Aggregate or filter earlier, select fewer columns, or use LIMIT.");
  } else if (type == "IO" &&
             (Has(error.message, "No space left") || Has(error.message, "duckdb_temp"))) {
    finding = Base("temp_limit", "There is no temporary disk space left for the statement.",
                   "Sort or aggregate fewer rows or columns, or try again later.");
  } else if (type == "INTERNAL" || type == "FATAL") {
    finding = Base("worker_crashed",
                   "The SQL engine failed on this statement: " + EngineWords(error.message),
                   "Write the statement in another way.");
  } else {
    finding =
        Base("sql_execution_error", EngineWords(error.message), ExecutionHint(type, error.message));
  }
  finding.rule = "engine";
  if (error.position.has_value()) finding.span = Span{*error.position, 0};
  return finding;
}

Finding ParserFinding(const engine::EngineError& error, std::string_view parsed) {
  Finding finding =
      Base("syntax_error", EngineWords(error.message),
           error.position ? "Correct the statement at the place shown." : "Correct the statement.");
  finding.rule = "statement_kind";
  finding.caret = true;
  if (error.position.has_value()) {
    finding.span = Span{ByteOffset(parsed, *error.position), 0};
  }
  // The second is the parser's own stack, ten times as deep.
  if (Has(error.message, "Max expression depth limit") ||
      error.message.starts_with("memory exhausted")) {
    finding.code = "query_too_complex";
    finding.message = "The statement is nested more than 1,000 levels deep.";
    finding.hint = "Simplify the statement: split long chains of operators.";
    finding.rule = "size";
    finding.caret = false;
  }
  return finding;
}

}  // namespace ducat::guard
