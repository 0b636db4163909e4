#include "worker/child/ingest/text_class.h"

#include <fmt/format.h>

namespace ducat::ingest {
namespace {

constexpr TextClasses kIntegers = kSmallInteger | kInteger64 | kInteger128;
constexpr TextClasses kPlainNumbers = kIntegers | kNumber | kLongNumber;
constexpr TextClasses kNumbers = kPlainNumbers | kExponent | kLostNumber | kSpecialNumber;
constexpr TextClasses kDoubles = kSmallInteger | kNumber | kExponent | kSpecialNumber;
constexpr TextClasses kWrittenDates = kDayFirst | kMonthFirst | kEitherFirst | kSameFirst;

bool Within(TextClasses classes, TextClasses allowed) {
  return (classes & ~allowed) == 0;
}
bool Has(TextClasses classes, TextClasses any) {
  return (classes & any) != 0;
}

// Text that begins like a number and has the form of one. {0} is the value.
constexpr std::string_view kNumberSql =
    "CASE WHEN regexp_full_match({0}, '\\+.*|-?0[0-9]+.*|-0') THEN {code}"
    " WHEN regexp_full_match({0}, '-?[0-9]+') THEN"
    " CASE WHEN length(ltrim({0}, '-')) <= 38 THEN {int128} ELSE {lost} END"
    " WHEN NOT regexp_matches({0}, '[eE]') THEN"
    " CASE WHEN length({0}) <= 17 OR {digits} <= 17 THEN {number}"
    " WHEN length(regexp_replace({0}, '[-.]', '', 'g')) <= 38 THEN {long} ELSE {lost} END"
    " WHEN {digits} <= 17 AND isfinite(TRY_CAST({0} AS DOUBLE))"
    " AND (TRY_CAST({0} AS DOUBLE) <> 0 OR NOT regexp_matches({0}, '^[-.0-9]*[1-9].*[eE]'))"
    " THEN {exponent} ELSE {lost} END";

// Significant digits of the mantissa: without sign, point, leading and (after a point) trailing
// zeros.
constexpr std::string_view kDigitsSql =
    "length(ltrim(regexp_replace(CASE WHEN contains({0}, '.')"
    " THEN rtrim(regexp_replace({0}, '[eE].*', ''), '0') ELSE regexp_replace({0}, '[eE].*', '') "
    "END,"
    " '[-.]', '', 'g'), '0'))";

// Dates written with the year last: the order is known when only one reading is a date.
constexpr std::string_view kWrittenDateSql =
    "CASE WHEN {dmy} IS NULL AND {mdy} IS NULL THEN {text}"
    " WHEN {mdy} IS NULL THEN {day} WHEN {dmy} IS NULL THEN {month}"
    " WHEN {dmy} = {mdy} THEN {same} ELSE {either} END";

// A year in front: dates and times as ISO 8601 writes them.
constexpr std::string_view kYearFirstSql =
    "CASE WHEN starts_with({0}, '0000') THEN {text}"
    " WHEN regexp_full_match({0}, '[0-9]{{4}}[-/][0-9]{{2}}[-/][0-9]{{2}}') THEN"
    " CASE WHEN TRY_CAST({0} AS DATE) IS NULL THEN {text} ELSE {date} END"
    " WHEN substr({0}, 12, 2) = '24' THEN {text}"  // would become the next day
    " WHEN regexp_full_match({0}, '[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ][0-2][0-9]:[0-9]{{2}}"
    "(:[0-9]{{2}}(\\.[0-9]{{1,6}})?)?') THEN"
    " CASE WHEN TRY_CAST({0} AS TIMESTAMP) IS NULL THEN {text} ELSE {timestamp} END"
    " WHEN regexp_full_match({0}, '[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ][0-2][0-9]:[0-9]{{2}}"
    ":[0-9]{{2}}(\\.[0-9]{{1,6}})?(Z|[-+][0-9]{{2}}(:?[0-9]{{2}})?)')"
    " AND TRY_CAST({0} AS TIMESTAMPTZ) IS NOT NULL THEN {zone} ELSE {text} END";

// The common forms first: one comparison or one short pattern each.
constexpr std::string_view kDigitFirstSql =
    "CASE WHEN strlen({0}) >= 10 AND substr({0}, 5, 1) IN ('-', '/')"
    " AND ascii(substr({0}, 4, 1)) BETWEEN 48 AND 57 THEN {year}"
    " WHEN CAST(TRY_CAST({0} AS BIGINT) AS VARCHAR) = {0} THEN"
    " CASE WHEN length(ltrim({0}, '-')) <= 15 THEN {int} ELSE {int64} END"
    " WHEN length({0}) <= 17 AND regexp_full_match({0}, '-?(0|[1-9][0-9]*)\\.[0-9]+')"
    " THEN {number}"
    " WHEN regexp_full_match({0}, '[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?')"
    " THEN {numbers}"
    " WHEN regexp_full_match({0}, '[0-9]{{1,2}}/[0-9]{{1,2}}/[0-9]{{4}}"
    "|[0-9]{{1,2}}-[0-9]{{1,2}}-[0-9]{{4}}|[0-9]{{1,2}}\\.[0-9]{{1,2}}\\.[0-9]{{4}}')"
    " THEN {written}"
    " WHEN regexp_full_match({0}, '[0-2][0-9]:[0-9]{{2}}(:[0-9]{{2}}(\\.[0-9]{{1,6}})?)?')"
    " AND TRY_CAST({0} AS TIME) IS NOT NULL THEN {time}"
    " WHEN {0} IN ('-', '--', '.') THEN {nullword}"
    " WHEN {0} IN ('-inf', '-Infinity') THEN {special}"
    " WHEN length({0}) <= 18 AND regexp_full_match({0}, '-?(0|[1-9][0-9]{{0,14}}),[0-9]{{1,15}}')"
    " THEN {comma}"
    " WHEN {formatted} THEN {fmt} WHEN {uuid} THEN {uuidbit} ELSE {text} END";

constexpr std::string_view kFormattedSql =
    "regexp_full_match({0}, '[-+]?[$€£¥]? ?[0-9]{{1,3}}([,. ''][0-9]{{3}})*([.,][0-9]+)? "
    "?[%€$£¥]?')";

constexpr std::string_view kWordSql =
    "CASE WHEN lower({0}) IN ('true', 'false') THEN {boolean}"
    " WHEN {0} IN ('NaN', 'nan', 'inf', 'Infinity') THEN {special}"
    " WHEN lower({0}) IN ('n/a', 'na', 'null', 'none', 'nil', '#n/a', '?') THEN {nullword}"
    " WHEN {formatted} THEN {fmt} ELSE {text} END";

std::string WrittenDate(std::string_view value, std::string_view format) {
  return fmt::format("TRY_STRPTIME(replace(replace({0}, '.', '/'), '-', '/'), '{1}')", value,
                     format);
}

std::string Numbers(std::string_view value) {
  using fmt::arg;
  return fmt::format(kNumberSql, value, arg("code", +kCode), arg("int128", +kInteger128),
                     arg("lost", +kLostNumber), arg("number", +kNumber), arg("long", +kLongNumber),
                     arg("exponent", +kExponent), arg("digits", fmt::format(kDigitsSql, value)));
}

std::string Written(std::string_view value) {
  using fmt::arg;
  return fmt::format(kWrittenDateSql, arg("dmy", WrittenDate(value, "%d/%m/%Y")),
                     arg("mdy", WrittenDate(value, "%m/%d/%Y")), arg("text", +kText),
                     arg("day", +kDayFirst), arg("month", +kMonthFirst), arg("same", +kSameFirst),
                     arg("either", +kEitherFirst));
}

std::string Uuid(std::string_view value) {
  return fmt::format("(length({0}) = 36 AND CAST(TRY_CAST({0} AS UUID) AS VARCHAR) = {0})", value);
}

TextType Varchar(std::string_view warning = {}) {
  return TextType{.kind = TextType::Kind::kVarchar, .warning = warning};
}

TextType DecideNumber(TextClasses classes) {
  using Kind = TextType::Kind;
  if (Within(classes, kSmallInteger | kInteger64)) return {.kind = Kind::kBigInt};
  if (Within(classes, kIntegers)) return {.kind = Kind::kHugeInt};
  if (Within(classes, kDoubles)) return {.kind = Kind::kDouble};
  if (Within(classes, kPlainNumbers)) return {.kind = Kind::kDecimal};
  return Varchar("digits_lost");
}

TextType DecideWrittenDate(TextClasses classes) {
  using Kind = TextType::Kind;
  if (Has(classes, kDayFirst) && Has(classes, kMonthFirst)) return Varchar("mixed_dates");
  if (Has(classes, kMonthFirst)) return {.kind = Kind::kMonthFirstDate};
  if (!Has(classes, kDayFirst) && Has(classes, kEitherFirst)) return Varchar("ambiguous_date");
  return {.kind = Kind::kDayFirstDate};
}

TextType DecideTemporal(TextClasses classes) {
  using Kind = TextType::Kind;
  if (Within(classes, kIsoDate)) return {.kind = Kind::kDate};
  if (Within(classes, kWrittenDates)) return DecideWrittenDate(classes);
  if (Within(classes, kIsoDate | kTimestamp)) return {.kind = Kind::kTimestamp};
  if (Within(classes, kTimestampZone)) return {.kind = Kind::kTimestampTz};
  if (Within(classes, kTimeOfDay)) return {.kind = Kind::kTime};
  if (Within(classes, kUuid)) return {.kind = Kind::kUuid};
  return Varchar();
}

}  // namespace

std::string ClassSql(std::string_view value) {
  using fmt::arg;
  const std::string formatted = fmt::format(kFormattedSql, value);
  const std::string year =
      fmt::format(kYearFirstSql, value, arg("text", +kText), arg("date", +kIsoDate),
                  arg("timestamp", +kTimestamp), arg("zone", +kTimestampZone));
  const std::string digits = fmt::format(
      kDigitFirstSql, value, arg("int", +kSmallInteger), arg("int64", +kInteger64),
      arg("number", +kNumber), arg("year", year), arg("numbers", Numbers(value)),
      arg("written", Written(value)), arg("time", +kTimeOfDay), arg("nullword", +kNullWord),
      arg("special", +kSpecialNumber), arg("comma", +kDecimalComma), arg("formatted", formatted),
      arg("fmt", +kFormattedNumber), arg("uuid", Uuid(value)), arg("uuidbit", +kUuid),
      arg("text", +kText));
  const std::string words =
      fmt::format(kWordSql, value, arg("boolean", +kBooleanWord), arg("special", +kSpecialNumber),
                  arg("nullword", +kNullWord), arg("formatted", formatted),
                  arg("fmt", +kFormattedNumber), arg("text", +kText));
  // The first character (43 to 57: + , - . / 0-9) sends most text to its class in one comparison.
  return fmt::format(
      "CASE WHEN {0} IS NULL THEN 0 WHEN ascii({0}) BETWEEN 43 AND 57 THEN {1}"
      " WHEN length({0}) <= 24 THEN {2} WHEN {3} THEN {4} ELSE {5} END",
      value, digits, words, Uuid(value), +kUuid, +kText);
}

std::string JudgedSql(TextOrigin origin, std::string_view column) {
  if (origin != TextOrigin::kDelimited) return std::string(column);
  // trim itself costs as much as all the rest, so it is kept for the few values that need it.
  return fmt::format(
      "NULLIF(CASE WHEN ascii({0}) = 32 OR ends_with({0}, ' ') THEN trim({0}) ELSE {0} END, '')",
      column);
}

std::string TextType::Name() const {
  switch (kind) {
    case Kind::kVarchar:
      return "VARCHAR";
    case Kind::kBoolean:
      return "BOOLEAN";
    case Kind::kBigInt:
      return "BIGINT";
    case Kind::kHugeInt:
      return "HUGEINT";
    case Kind::kDouble:
    case Kind::kCommaDouble:
      return "DOUBLE";
    case Kind::kDecimal:
      return fmt::format("DECIMAL({},{})", width, scale);
    case Kind::kDate:
    case Kind::kDayFirstDate:
    case Kind::kMonthFirstDate:
      return "DATE";
    case Kind::kTimestamp:
      return "TIMESTAMP";
    case Kind::kTimestampTz:
      return "TIMESTAMP WITH TIME ZONE";
    case Kind::kTime:
      return "TIME";
    case Kind::kUuid:
      return "UUID";
  }
  return "VARCHAR";
}

std::string TextType::CastSql(std::string_view judged, std::string_view column) const {
  constexpr std::string_view kYearLast =
      "CAST(strptime(replace(replace({0}, '.', '/'), '-', '/'), '{1}') AS DATE)";
  switch (kind) {
    case Kind::kVarchar:
      return std::string(column);
    case Kind::kCommaDouble:
      return fmt::format("CAST(replace({}, ',', '.') AS DOUBLE)", judged);
    case Kind::kDayFirstDate:
      return fmt::format(kYearLast, judged, "%d/%m/%Y");
    case Kind::kMonthFirstDate:
      return fmt::format(kYearLast, judged, "%m/%d/%Y");
    default:
      return fmt::format("CAST({} AS {})", judged, Name());
  }
}

TextType DecideType(TextClasses classes, TextOrigin origin) {
  if (classes == 0) return Varchar();
  if (origin == TextOrigin::kJsonNumber) {
    // A JSON number has no leading zeros or plus sign: the only code is -0, a plain number.
    if (Has(classes, kCode)) classes = (classes & ~kCode) | kNumber;
    return Within(classes, kNumbers) ? DecideNumber(classes) : Varchar("digits_lost");
  }
  if (origin == TextOrigin::kJsonString) {
    const TextType type = DecideTemporal(classes);
    const bool is_written = Has(classes, kWrittenDates);
    return is_written ? Varchar(type.warning) : type;
  }
  if (Within(classes, kBooleanWord)) return {.kind = TextType::Kind::kBoolean};
  if (Within(classes, kNumbers)) return DecideNumber(classes);
  if (Within(classes, kNumbers | kCode)) return Varchar("code_like");
  if (Has(classes, kNumbers) && Within(classes, kNumbers | kNullWord)) return Varchar("null_words");
  if (Has(classes, kFormattedNumber | kDecimalComma) &&
      Within(classes, kNumbers | kFormattedNumber | kDecimalComma)) {
    return Varchar("number_format");
  }
  return DecideTemporal(classes);
}

bool IsDecimalComma(TextClasses classes) {
  return Has(classes, kDecimalComma) && Within(classes, kSmallInteger | kDecimalComma);
}

bool HasDecimalPoint(TextClasses classes) {
  return Has(classes, kNumber | kLongNumber);
}

bool FitsType(TextClasses field, const TextType& type, TextOrigin origin) {
  if (field == 0) return true;
  if (type.kind == TextType::Kind::kCommaDouble) return IsDecimalComma(field);
  if (type.kind == TextType::Kind::kTimestamp) return Within(field, kIsoDate | kTimestamp);
  if (type.kind == TextType::Kind::kDayFirstDate || type.kind == TextType::Kind::kMonthFirstDate) {
    return Within(field, kWrittenDates);
  }
  const TextType own = DecideType(field, origin);
  if (own.kind == type.kind) return true;
  const bool wants_number =
      type.kind == TextType::Kind::kBigInt || type.kind == TextType::Kind::kHugeInt ||
      type.kind == TextType::Kind::kDouble || type.kind == TextType::Kind::kDecimal;
  return wants_number && Within(field, kNumbers);
}

}  // namespace ducat::ingest
