#include "worker/child/ingest/column_types.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "worker/child/engine/chunk.h"
#include "worker/child/ingest/type_advice.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteIdentifier;

constexpr uint32_t kDecimalDigitsMax = 38;
constexpr int64_t kNullWordShare = 20;  // at most one word in so many values is worth a warning

std::string Judged(const TextColumn& column) {
  return JudgedSql(column.origin, column.column);
}

TypeFinding MakeFinding(const TextColumn& column, int64_t count) {
  const std::string name = QuoteIdentifier(column.name);
  Advice advice = AdviceFor(column.type.warning, column.facts, name);
  return {.code = std::string(column.type.warning),
          .column = column.name,
          .count = count,
          .message = "Kept as text: " + std::string(advice.message),
          .suggestion = std::move(advice.suggestion)};
}

bool IsDateLike(const TextColumn& column) {
  return column.type.kind == TextType::Kind::kBigInt && column.facts.Has(kDateLike) &&
         !column.facts.Has(kNotDateLike);
}

TypeFinding DateLike(const TextColumn& column) {
  return {.code = "date_like",
          .column = column.name,
          .count = column.facts.values,
          .message = "Every number is a date written YYYYMMDD; kept as numbers",
          .suggestion = fmt::format("CAST(strptime(CAST({} AS VARCHAR), '%Y%m%d') AS DATE)",
                                    QuoteIdentifier(column.name))};
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
    if (IsDateLike(column)) findings.push_back(DateLike(column));
    if (warning.empty()) continue;
    const int64_t count = column.facts.Count(ClassesOf(warning));
    const bool is_word = warning == "null_words";
    if (is_word && count * kNullWordShare > column.facts.values) continue;
    findings.push_back(MakeFinding(column, count));
  }
  return findings;
}

// Some column's commas can only be decimal separators, and no column's points are.
bool HasDecimalCommas(const std::vector<TextColumn>& columns) {
  bool proven = false;
  for (const TextColumn& column : columns) {
    const bool is_text = column.type.kind == TextType::Kind::kVarchar;
    if (!is_text && HasDecimalPoint(column.facts.classes)) return false;
    if (column.type.warning != "number_format") continue;
    if (column.facts.Has(kPointOnly)) return false;
    proven = proven || column.facts.Has(kCommaOnly);
  }
  return proven;
}

void UseDecimalCommas(std::vector<TextColumn>& columns) {
  if (!HasDecimalCommas(columns)) return;
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
