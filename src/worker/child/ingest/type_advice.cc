#include "worker/child/ingest/type_advice.h"

#include <fmt/format.h>

namespace ducat::ingest {
namespace {

constexpr uint32_t kBigIntDigits = 18;
constexpr uint32_t kExactDigits = 15;  // as a double
constexpr uint32_t kDecimalDigits = 38;
constexpr uint32_t kGroupDigits = 3;

std::string ExactType(uint32_t whole, uint32_t fraction) {
  if (whole + fraction <= kExactDigits || whole + fraction > kDecimalDigits) return "DOUBLE";
  return fmt::format("DECIMAL({},{})", whole + fraction, fraction);
}

bool IsDoubleOnly(const ColumnFacts& facts) {
  return facts.Has(kScientific) || (facts.classes & kSpecialNumber) != 0;
}

// The type that holds every number among the values.
std::string NumberType(const ColumnFacts& facts) {
  if (IsDoubleOnly(facts)) return "DOUBLE";
  if (facts.Has(kFractional)) return ExactType(facts.whole_digits, facts.fraction_digits);
  if (facts.whole_digits <= kBigIntDigits) return "BIGINT";
  return facts.whole_digits <= kDecimalDigits ? "HUGEINT" : "DOUBLE";
}

// Of numbers with separators: what looks like a fraction may be a group of the whole.
std::string FormattedType(const ColumnFacts& facts) {
  if (IsDoubleOnly(facts)) return "DOUBLE";
  return ExactType(facts.whole_digits + kGroupDigits, facts.fraction_digits);
}

std::string WithPoints(std::string_view value, std::string_view type) {
  return fmt::format("TRY_CAST(regexp_replace({}, '[, ''$€£¥%]', '', 'g') AS {})", value, type);
}

std::string WithCommas(std::string_view value, std::string_view type) {
  return fmt::format(
      "TRY_CAST(replace(regexp_replace({}, '[. ''$€£¥%]', '', 'g'), ',', '.') AS {})", value, type);
}

// Each value by its own separators. All are numbers, so a comma is decimal when it is the only one
// and the last mark, and points are not when there are two.
std::string ByItself(std::string_view value, std::string_view type) {
  const std::string bare = fmt::format("regexp_replace({}, '[ ''$€£¥%]', '', 'g')", value);
  return fmt::format(
      "CASE WHEN regexp_full_match({0}, '[+-]?[1-9][0-9]{{0,2}}[.,][0-9]{{3}}') THEN NULL"
      " WHEN regexp_full_match({0}, '[^,]*,[0-9]+|.*[.].*[.].*') THEN {1} ELSE {2} END",
      bare, WithCommas(value, type), WithPoints(value, type));
}

Advice NumberFormat(const ColumnFacts& facts, std::string_view value) {
  const std::string type = FormattedType(facts);
  const bool point = facts.Has(kPointOnly);
  const bool comma = facts.Has(kCommaOnly);
  if (point && comma) {
    return {.message =
                "numbers with decimal points and with decimal commas stand in one column; "
                "the expression gives NULL for one that could be either",
            .suggestion = ByItself(value, type)};
  }
  if (comma) {
    return {.message = "numbers carry decimal commas, separators or units",
            .suggestion = WithCommas(value, type)};
  }
  if (!point && facts.Has(kPointOrComma)) {
    return {.message = "thousands separator and decimal separator cannot be told apart",
            .suggestion = WithPoints(value, type) + " or " + WithCommas(value, type)};
  }
  return {.message = "numbers carry separators or units", .suggestion = WithPoints(value, type)};
}

// The values with one separator, and that separator.
struct WrittenDates {
  std::string value;
  char separator = '/';
};

WrittenDates DatesOf(const ColumnFacts& facts, std::string_view value) {
  const ValueMarks marks = facts.marks & (kSlashed | kDotted | kDashed);
  if (marks == kSlashed) return {.value = std::string(value)};
  if (marks == kDotted) return {.value = std::string(value), .separator = '.'};
  if (marks == kDashed) return {.value = std::string(value), .separator = '-'};
  return {.value = fmt::format("replace(replace({}, '.', '/'), '-', '/')", value)};
}

std::string ParseDate(std::string_view function, const WrittenDates& dates, bool day_first) {
  return fmt::format("CAST({}({}, '%{}{}%{}{}%Y') AS DATE)", function, dates.value,
                     day_first ? 'd' : 'm', dates.separator, day_first ? 'm' : 'd',
                     dates.separator);
}

Advice AmbiguousDate(const ColumnFacts& facts, std::string_view value) {
  const WrittenDates dates = DatesOf(facts, value);
  return {.message = "day and month cannot be told apart",
          .suggestion =
              ParseDate("strptime", dates, true) + " or " + ParseDate("strptime", dates, false)};
}

Advice MixedDates(const ColumnFacts& facts, std::string_view value) {
  const WrittenDates dates = DatesOf(facts, value);
  const std::string day = ParseDate("try_strptime", dates, true);
  const std::string month = ParseDate("try_strptime", dates, false);
  return {.message =
              "day-first and month-first dates stand in one column; the expression gives "
              "NULL for one that could be either",
          .suggestion = fmt::format("CASE WHEN coalesce({0} = {1}, true) THEN coalesce({0}, {1}) "
                                    "END",
                                    day, month)};
}

}  // namespace

Advice AdviceFor(std::string_view warning, const ColumnFacts& facts, std::string_view column) {
  const std::string value =
      facts.needs_trim ? fmt::format("NULLIF(trim({}), '')", column) : std::string(column);
  if (warning == "number_format") return NumberFormat(facts, value);
  if (warning == "ambiguous_date") return AmbiguousDate(facts, value);
  if (warning == "mixed_dates") return MixedDates(facts, value);
  if (warning == "digits_lost") {
    return {.message =
                "numbers have more digits than a numeric type holds; the expression gives "
                "the nearest double",
            .suggestion = fmt::format("TRY_CAST({} AS DOUBLE)", value)};
  }
  return {.message = warning == "code_like"
                         ? "values with leading zeros or a plus sign are kept as written"
                         : "words such as N/A stand among the numbers",
          .suggestion = fmt::format("TRY_CAST({} AS {})", value, NumberType(facts))};
}

}  // namespace ducat::ingest
