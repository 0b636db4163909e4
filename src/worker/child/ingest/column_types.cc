#include "worker/child/ingest/column_types.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteIdentifier;

// Columns judged in one scan; wider tables are scanned again, so that its rows stay small.
constexpr size_t kColumnsPerScan = 1'000;
constexpr uint32_t kDecimalDigitsMax = 38;
constexpr int64_t kNullWordShare = 20;  // at most one word in so many values is worth a warning

using Texts = std::vector<std::vector<std::optional<std::string>>>;
using Pointers = std::vector<TextColumn*>;

EngineResult<Texts> Fetch(engine::Connection& connection, const std::string& sql) {
  auto rows = connection.Run(sql);
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  return rows->AllText();
}

int64_t Integer(const std::optional<std::string>& text) {
  int64_t value = 0;
  if (text.has_value()) std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

std::string Judged(const TextColumn& column) {
  return JudgedSql(column.origin, column.column);
}

// Values of many columns under each other: v, and i, the column's place in `columns`. One
// expression then judges all columns, and the plan is as small for a thousand of them as for one.
std::string StackSql(std::string_view source_sql, const Pointers& columns) {
  std::string values;
  std::string places;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string_view comma = i == 0 ? "" : ", ";
    values += fmt::format("{}{}", comma, Judged(*columns[i]));
    places += fmt::format("{}{}", comma, i);
  }
  return fmt::format("(SELECT unnest([{}]) AS v, unnest([{}]) AS i FROM {})", values, places,
                     source_sql);
}

// Runs `items` (SQL over v and i) for all columns, some at a time, and hands each its row.
template <class Take>
EngineResult<void> ForEachColumn(engine::Connection& connection, std::string_view source_sql,
                                 std::string_view items, const Pointers& columns, Take take) {
  for (size_t first = 0; first < columns.size(); first += kColumnsPerScan) {
    const size_t count = std::min(kColumnsPerScan, columns.size() - first);
    const Pointers some(columns.begin() + static_cast<ptrdiff_t>(first),
                        columns.begin() + static_cast<ptrdiff_t>(first + count));
    auto rows = Fetch(connection, fmt::format("SELECT i, {} FROM {} GROUP BY i ORDER BY i", items,
                                              StackSql(source_sql, some)));
    if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
    for (const auto& row : *rows)
      take(*some[static_cast<size_t>(Integer(row[0]))], row);
  }
  return {};
}

template <class Wanted>
Pointers Select(std::vector<TextColumn>& columns, Wanted wanted) {
  Pointers chosen;
  for (TextColumn& column : columns) {
    if (wanted(column)) chosen.push_back(&column);
  }
  return chosen;
}

struct Advice {
  std::string_view code, message, suggestion;  // {} is the quoted column
};
constexpr std::array kAdvice{
    Advice{"code_like", "values with leading zeros or a plus sign are kept as written",
           "TRY_CAST({} AS BIGINT)"},
    Advice{"null_words", "words such as N/A stand among the numbers", "TRY_CAST({} AS DOUBLE)"},
    Advice{"number_format", "numbers carry separators or units",
           "TRY_CAST(regexp_replace({}, '[^0-9.eE-]', '', 'g') AS DOUBLE)"},
    Advice{"digits_lost", "numbers have more digits than a numeric type holds",
           "TRY_CAST({} AS DOUBLE)"},
    Advice{"ambiguous_date", "day and month cannot be told apart",
           "strptime({0}, '%d/%m/%Y') or strptime({0}, '%m/%d/%Y')"},
    Advice{"mixed_dates", "day-first and month-first dates stand in one column",
           "coalesce(try_strptime({0}, '%d/%m/%Y'), try_strptime({0}, '%m/%d/%Y'))"},
};

const Advice* AdviceFor(std::string_view code) {
  return std::find_if(kAdvice.begin(), kAdvice.end(),
                      [code](const Advice& advice) { return advice.code == code; });
}

TypeFinding MakeFinding(const TextColumn& column, int64_t count) {
  TypeFinding finding{
      .code = std::string(column.type.warning), .column = column.name, .count = count};
  const auto* advice = AdviceFor(column.type.warning);
  if (advice != kAdvice.end()) {
    finding.message = "Kept as text: " + std::string(advice->message);
    finding.suggestion =
        fmt::format(fmt::runtime(advice->suggestion), QuoteIdentifier(column.name));
  }
  return finding;
}

TextClasses ClassesOf(std::string_view warning) {
  if (warning == "code_like") return kCode;
  if (warning == "null_words") return kNullWord;
  if (warning == "number_format") return kFormattedNumber | kDecimalComma;
  if (warning == "digits_lost") return kLostNumber | kInteger64 | kInteger128 | kLongNumber;
  return kDayFirst | kMonthFirst | kEitherFirst;
}

// DECIMAL(p, s) that holds every value, or text where there is none.
EngineResult<void> FitDecimals(engine::Connection& connection, std::string_view source_sql,
                               std::vector<TextColumn>& columns) {
  constexpr std::string_view kDigits =
      "max(length(ltrim(split_part(v, '.', 1), '-'))), max(length(split_part(v, '.', 2)))";
  const Pointers decimals = Select(columns, [](const TextColumn& column) {
    return column.type.kind == TextType::Kind::kDecimal;
  });
  return ForEachColumn(connection, source_sql, kDigits, decimals,
                       [](TextColumn& column, auto& row) {
                         const auto whole = static_cast<uint32_t>(Integer(row[1]));
                         const auto scale = static_cast<uint32_t>(Integer(row[2]));
                         column.type = whole + scale > kDecimalDigitsMax
                                           ? TextType{.warning = "digits_lost"}
                                           : TextType{.kind = TextType::Kind::kDecimal,
                                                      .width = std::max(whole + scale, 1U),
                                                      .scale = scale};
                       });
}

// Counts the values behind each warning; a warning that few values bear out is dropped.
EngineResult<std::vector<TypeFinding>> Explain(engine::Connection& connection,
                                               std::string_view source_sql,
                                               std::vector<TextColumn>& columns) {
  const Pointers warned =
      Select(columns, [](const TextColumn& column) { return !column.type.warning.empty(); });
  std::string items = "count(v)";
  for (const Advice& advice : kAdvice) {
    items += fmt::format(", count_if(({} & {}) <> 0)", ClassSql("v"), ClassesOf(advice.code));
  }
  std::vector<TypeFinding> findings;
  auto done =
      ForEachColumn(connection, source_sql, items, warned, [&](TextColumn& column, auto& row) {
        const size_t place = static_cast<size_t>(AdviceFor(column.type.warning) - kAdvice.begin());
        const int64_t count = Integer(row[2 + place]);
        const bool is_word = column.type.warning == "null_words";
        if (is_word && count * kNullWordShare > Integer(row[1])) return;
        findings.push_back(MakeFinding(column, count));
      });
  if (!done.has_value()) return tl::unexpected(std::move(done).error());
  return findings;
}

void UseDecimalCommas(std::vector<TextColumn>& columns) {
  const bool has_commas = std::any_of(columns.begin(), columns.end(), [](const TextColumn& c) {
    return IsDecimalComma(c.classes);
  });
  const bool has_points = std::any_of(columns.begin(), columns.end(), [](const TextColumn& c) {
    return HasDecimalPoint(c.classes) && c.type.kind != TextType::Kind::kVarchar;
  });
  if (!has_commas || has_points) return;
  for (TextColumn& column : columns) {
    if (IsDecimalComma(column.classes)) column.type = {.kind = TextType::Kind::kCommaDouble};
  }
}

}  // namespace

EngineResult<int64_t> ScanClasses(engine::Connection& connection, std::string_view source_sql,
                                  std::vector<TextColumn>& columns) {
  const Pointers texts =
      Select(columns, [](const TextColumn& column) { return column.origin != TextOrigin::kTyped; });
  int64_t row_count = 0;
  const std::string items = "count(*), bit_or(" + ClassSql("v") + ")";
  auto done =
      ForEachColumn(connection, source_sql, items, texts, [&](TextColumn& column, auto& row) {
        row_count = Integer(row[1]);
        column.classes |= static_cast<TextClasses>(Integer(row[2]));
      });
  if (!done.has_value()) return tl::unexpected(std::move(done).error());
  if (!texts.empty()) return row_count;
  auto counted = Fetch(connection, fmt::format("SELECT count(*) FROM {}", source_sql));
  if (!counted.has_value()) return tl::unexpected(std::move(counted).error());
  return Integer(counted->front().front());
}

EngineResult<std::vector<TypeFinding>> SettleTypes(engine::Connection& connection,
                                                   std::string_view source_sql, bool comma_decimals,
                                                   std::vector<TextColumn>& columns) {
  for (TextColumn& column : columns)
    column.type = DecideType(column.classes, column.origin);
  if (comma_decimals) UseDecimalCommas(columns);
  auto fitted = FitDecimals(connection, source_sql, columns);
  if (!fitted.has_value()) return tl::unexpected(std::move(fitted).error());
  return Explain(connection, source_sql, columns);
}

std::string TypedSelectSql(std::string_view source_sql, const std::vector<TextColumn>& columns) {
  std::string items;
  for (const TextColumn& column : columns) {
    if (!items.empty()) items += ", ";
    items +=
        column.type.CastSql(Judged(column), column.column) + " AS " + QuoteIdentifier(column.name);
  }
  return fmt::format("SELECT {} FROM {}", items, source_sql);
}

}  // namespace ducat::ingest
