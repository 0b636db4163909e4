#include "worker/child/ingest/column_types.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "worker/child/engine/chunk.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteIdentifier;

constexpr uint32_t kDecimalDigitsMax = 38;
constexpr int64_t kNullWordShare = 20;  // at most one word in so many values is worth a warning

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
void FitDecimal(TextColumn& column) {
  const uint32_t scale = column.facts.fraction_digits;
  const uint32_t width = std::max(column.facts.whole_digits + scale, 1U);
  column.type = width > kDecimalDigitsMax
                    ? TextType{.warning = "digits_lost"}
                    : TextType{.kind = TextType::Kind::kDecimal, .width = width, .scale = scale};
}

// The warning of each column with the values behind it; one that few values bear out is dropped.
std::vector<TypeFinding> Explain(const std::vector<TextColumn>& columns) {
  std::vector<TypeFinding> findings;
  for (const TextColumn& column : columns) {
    const std::string_view warning = column.type.warning;
    if (warning.empty()) continue;
    const int64_t count = column.facts.Count(ClassesOf(warning));
    const bool is_word = warning == "null_words";
    if (is_word && count * kNullWordShare > column.facts.values) continue;
    findings.push_back(MakeFinding(column, count));
  }
  return findings;
}

void UseDecimalCommas(std::vector<TextColumn>& columns) {
  const bool has_commas = std::any_of(columns.begin(), columns.end(), [](const TextColumn& c) {
    return IsDecimalComma(c.facts.classes);
  });
  const bool has_points = std::any_of(columns.begin(), columns.end(), [](const TextColumn& c) {
    return HasDecimalPoint(c.facts.classes) && c.type.kind != TextType::Kind::kVarchar;
  });
  if (!has_commas || has_points) return;
  for (TextColumn& column : columns) {
    if (IsDecimalComma(column.facts.classes)) column.type = {.kind = TextType::Kind::kCommaDouble};
  }
}

void AddAll(const engine::Vector& values, uint64_t count, ColumnFacts& facts) {
  for (uint64_t row = 0; row < count && (facts.classes & kText) == 0; ++row) {
    if (values.IsNull(row)) continue;
    const std::string_view text = values.Text(row);
    facts.Add(text.empty() ? ValueClass{} : ClassifyValue(text));
  }
}

}  // namespace

EngineResult<int64_t> ReadFacts(engine::Connection& connection, std::string_view source_sql,
                                std::vector<TextColumn>& columns) {
  std::vector<TextColumn*> texts;
  std::string items;
  for (TextColumn& column : columns) {
    if (column.origin == TextOrigin::kTyped) continue;
    texts.push_back(&column);
    items += (items.empty() ? "" : ", ") + column.column;
  }
  if (texts.empty()) items = "1";
  auto rows = connection.Run(fmt::format("SELECT {} FROM {}", items, source_sql));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  int64_t row_count = 0;
  while (true) {
    auto chunk = rows->Next();
    if (!chunk.has_value()) return tl::unexpected(std::move(chunk).error());
    if (*chunk == nullptr) return row_count;
    row_count += static_cast<int64_t>((*chunk)->row_count());
    for (size_t i = 0; i < texts.size(); ++i) {
      AddAll((*chunk)->column(i), (*chunk)->row_count(), texts[i]->facts);
    }
  }
}

std::vector<TypeFinding> SettleTypes(bool comma_decimals, std::vector<TextColumn>& columns) {
  for (TextColumn& column : columns) {
    column.type = DecideType(column.facts.classes, column.origin);
    if (column.type.kind == TextType::Kind::kDecimal) FitDecimal(column);
  }
  if (comma_decimals) UseDecimalCommas(columns);
  return Explain(columns);
}

std::string TypedSelectSql(std::string_view source_sql, const std::vector<TextColumn>& columns) {
  std::string items;
  for (const TextColumn& column : columns) {
    if (!items.empty()) items += ", ";
    const std::string value =
        column.is_typed ? column.column : column.type.CastSql(Judged(column), column.column);
    items += value + " AS " + QuoteIdentifier(column.name);
  }
  return fmt::format("SELECT {} FROM {}", items, source_sql);
}

}  // namespace ducat::ingest
