#include "packs/analyst/column_class.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace ducat::analyst {
namespace {

constexpr std::array<std::string_view, 14> kNumeric{
    "TINYINT",  "SMALLINT", "INTEGER",  "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT",
    "UINTEGER", "UBIGINT",  "UHUGEINT", "BIGNUM", "FLOAT",   "DOUBLE",   "DECIMAL"};
constexpr std::array<std::string_view, 4> kText{"VARCHAR", "ENUM", "UUID", "JSON"};
constexpr std::array<std::string_view, 11> kTemporal{
    "DATE",        "TIME",         "TIME_NS",      "TIME WITH TIME ZONE",      "TIMESTAMP",
    "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE", "INTERVAL",
    "TIMESTAMPTZ"};

bool IsOneOf(std::string_view type, std::span<const std::string_view> types) {
  const std::string_view base = type.substr(0, type.find('('));
  return std::ranges::any_of(
      types, [base](std::string_view one) { return EqualsIgnoringCase(base, one); });
}

}  // namespace

bool IsNumericType(std::string_view type) {
  return !type.ends_with(']') && IsOneOf(type, kNumeric);
}

bool TypeMatches(std::string_view wanted, std::string_view type) {
  if (EqualsIgnoringCase(wanted, type)) return true;
  if (type.ends_with(']')) return false;  // lists are of none of the classes
  if (EqualsIgnoringCase(wanted, "numeric")) return IsOneOf(type, kNumeric);
  if (EqualsIgnoringCase(wanted, "text")) return IsOneOf(type, kText);
  if (EqualsIgnoringCase(wanted, "temporal")) return IsOneOf(type, kTemporal);
  if (EqualsIgnoringCase(wanted, "TIMESTAMPTZ")) {
    return EqualsIgnoringCase(type, "TIMESTAMP WITH TIME ZONE");
  }
  return EqualsIgnoringCase(wanted, type.substr(0, type.find('(')));
}

}  // namespace ducat::analyst
