#pragma once
// Classes of written values, and the type that a column of them gets (analyst.md 3.4): all values
// of all rows decide, and a type is taken only when it gives every value back as written. Who
// judges a value: value_class.h. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ducat::ingest {

// One bit per class; a column's set is the OR over its values.
enum TextClass : uint32_t {
  kText = 1U << 0,
  kBooleanWord = 1U << 1,
  kSmallInteger = 1U << 2,    // at most 15 digits: exact as a double too
  kInteger64 = 1U << 3,       // larger, fits 64 bits
  kInteger128 = 1U << 4,      // larger, at most 38 digits
  kCode = 1U << 5,            // leading zeros, a plus sign, -0
  kNumber = 1U << 6,          // plain decimal of at most 17 significant digits
  kExponent = 1U << 7,        // exponent form, finite, at most 17 significant digits
  kLongNumber = 1U << 8,      // plain decimal of 18 to 38 digits
  kLostNumber = 1U << 9,      // a number that no type holds
  kSpecialNumber = 1U << 10,  // NaN, inf
  kIsoDate = 1U << 11,
  kDayFirst = 1U << 12,     // 31/12/2024
  kMonthFirst = 1U << 13,   // 12/31/2024
  kEitherFirst = 1U << 14,  // 01/02/2024
  kSameFirst = 1U << 15,    // 01/01/2024
  kTimestamp = 1U << 16,
  kTimestampZone = 1U << 17,
  kTimeOfDay = 1U << 18,
  kNullWord = 1U << 19,         // N/A, null, -
  kDecimalComma = 1U << 20,     // 1,5
  kFormattedNumber = 1U << 21,  // 1,234.50 or $5 or 10%
  kUuid = 1U << 22,             // canonical spelling
};
using TextClasses = uint32_t;
inline constexpr size_t kTextClassCount = 23;

// Where the text comes from: JSON strings never become numbers, JSON numbers always are. kTyped is
// no text at all: the column keeps the type that its reader gives it.
enum class TextOrigin : uint8_t { kDelimited, kJsonString, kJsonNumber, kTyped };

// SQL: the value whose class counts. Delimited text is trimmed and a quoted empty value is no
// value.
[[nodiscard]] std::string JudgedSql(TextOrigin origin, std::string_view column);

struct TextType {
  enum class Kind : uint8_t {
    kVarchar,
    kBoolean,
    kBigInt,
    kHugeInt,
    kDouble,
    kCommaDouble,
    kDecimal,
    kDate,
    kDayFirstDate,
    kMonthFirstDate,
    kTimestamp,
    kTimestampTz,
    kTime,
    kUuid
  } kind = Kind::kVarchar;
  uint32_t width = 0, scale = 0;  // kDecimal: found by a second look, see NeedsDigits
  // Warning of analyst.md 3.4 that the column stayed text for; empty when there is nothing to say.
  std::string_view warning;

  // "DECIMAL(21,20)"
  [[nodiscard]] std::string Name() const;
  // SQL: `judged` (JudgedSql) as this type; `column` as written for text. Fails at run time rather
  // than alter a value.
  [[nodiscard]] std::string CastSql(std::string_view judged, std::string_view column) const;
};

[[nodiscard]] TextType DecideType(TextClasses classes, TextOrigin origin);
// True when the file's decimal separator may be a comma: only decimal-comma numbers in the column.
[[nodiscard]] bool IsDecimalComma(TextClasses classes);
[[nodiscard]] bool HasDecimalPoint(TextClasses classes);
// Could the first field be a value of a column of `type`? (header rule, analyst.md 3.3)
[[nodiscard]] bool FitsType(TextClasses field, const TextType& type, TextOrigin origin);

}  // namespace ducat::ingest
