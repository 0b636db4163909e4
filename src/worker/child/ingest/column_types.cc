#include "worker/child/ingest/column_types.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteIdentifier;

// Columns judged in one pass; wider tables are scanned again, so that plans stay small.
constexpr size_t kColumnsPerPass = 400;
constexpr uint32_t kDecimalDigitsMax = 38;
constexpr int64_t kNullWordShare = 20;  // at most one word in so many values is worth a warning

using OneRow = std::vector<std::optional<std::string>>;

EngineResult<OneRow> FetchRow(engine::Connection& connection, const std::string& sql) {
  auto rows = connection.Run(sql);
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  if (table->empty()) return OneRow{};
  return std::move(table->front());
}

int64_t Integer(const OneRow& row, size_t i) {
  int64_t value = 0;
  if (i < row.size() && row[i].has_value()) {
    std::from_chars(row[i]->data(), row[i]->data() + row[i]->size(), value);
  }
  return value;
}

std::string Judged(const TextColumn& column) {
  return JudgedSql(column.origin, column.column);
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

TypeFinding MakeFinding(const TextColumn& column, int64_t count) {
  TypeFinding finding{
      .code = std::string(column.type.warning), .column = column.name, .count = count};
  const auto* advice = std::find_if(kAdvice.begin(), kAdvice.end(), [&](const Advice& one) {
    return one.code == column.type.warning;
  });
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

// DECIMAL(p, s) that holds every value, or text when there is none.
EngineResult<TextType> FitDecimal(engine::Connection& connection, std::string_view source_sql,
                                  const TextColumn& column) {
  auto row = FetchRow(
      connection, fmt::format("SELECT max(length(ltrim(split_part(v, '.', 1), '-'))),"
                              " max(length(split_part(v, '.', 2))) FROM (SELECT {} AS v FROM {})",
                              Judged(column), source_sql));
  if (!row.has_value()) return tl::unexpected(std::move(row).error());
  const auto whole = static_cast<uint32_t>(Integer(*row, 0));
  const auto scale = static_cast<uint32_t>(Integer(*row, 1));
  if (whole + scale > kDecimalDigitsMax) return TextType{.warning = "digits_lost"};
  return TextType{
      .kind = TextType::Kind::kDecimal, .width = std::max(whole + scale, 1U), .scale = scale};
}

// Counts the values behind the warning; a warning that few values bear out is dropped.
EngineResult<std::optional<TypeFinding>> Explain(engine::Connection& connection,
                                                 std::string_view source_sql,
                                                 const TextColumn& column) {
  auto row =
      FetchRow(connection, fmt::format("SELECT count(*) FILTER (WHERE (k & {}) <> 0), count(v) FROM"
                                       " (SELECT v, {} AS k FROM (SELECT {} AS v FROM {}))",
                                       ClassesOf(column.type.warning), ClassSql("v"),
                                       Judged(column), source_sql));
  if (!row.has_value()) return tl::unexpected(std::move(row).error());
  const int64_t count = Integer(*row, 0);
  if (column.type.warning == "null_words" && count * kNullWordShare > Integer(*row, 1)) {
    return std::optional<TypeFinding>{};
  }
  return std::optional(MakeFinding(column, count));
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
  int64_t row_count = 0;
  size_t first = 0;
  do {
    const size_t end = std::min(columns.size(), first + kColumnsPerPass);
    std::string values = "1 AS row";
    std::string sets = "count(*)";
    for (size_t i = first; i < end; ++i) {
      const std::string value = fmt::format("v{}", i);
      const bool is_typed = columns[i].origin == TextOrigin::kTyped;
      values += fmt::format(", {} AS {}", is_typed ? "NULL" : Judged(columns[i]), value);
      sets += is_typed ? ", 0" : fmt::format(", bit_or({})", ClassSql(value));
    }
    auto row = FetchRow(
        connection, fmt::format("SELECT {} FROM (SELECT {} FROM {})", sets, values, source_sql));
    if (!row.has_value()) return tl::unexpected(std::move(row).error());
    row_count = Integer(*row, 0);
    for (size_t i = first; i < end; ++i) {
      columns[i].classes |= static_cast<TextClasses>(Integer(*row, 1 + i - first));
    }
    first = end;
  } while (first < columns.size());
  return row_count;
}

EngineResult<std::vector<TypeFinding>> SettleTypes(engine::Connection& connection,
                                                   std::string_view source_sql, bool comma_decimals,
                                                   std::vector<TextColumn>& columns) {
  for (TextColumn& column : columns)
    column.type = DecideType(column.classes, column.origin);
  if (comma_decimals) UseDecimalCommas(columns);
  std::vector<TypeFinding> findings;
  for (TextColumn& column : columns) {
    if (column.type.kind == TextType::Kind::kDecimal) {
      auto fitted = FitDecimal(connection, source_sql, column);
      if (!fitted.has_value()) return tl::unexpected(std::move(fitted).error());
      column.type = *fitted;
    }
    if (column.type.warning.empty()) continue;
    auto finding = Explain(connection, source_sql, column);
    if (!finding.has_value()) return tl::unexpected(std::move(finding).error());
    if (finding->has_value()) findings.push_back(**std::move(finding));
  }
  return findings;
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
