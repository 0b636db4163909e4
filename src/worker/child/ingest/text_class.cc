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
