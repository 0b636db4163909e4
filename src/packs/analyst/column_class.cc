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

constexpr std::array<std::string_view, 11> kOther{"BOOLEAN", "BLOB",     "BIT",    "STRUCT",
                                                  "MAP",     "LIST",     "ARRAY",  "UNION",
                                                  "VARIANT", "GEOMETRY", "SQLNULL"};
struct ShortName {
  std::string_view name, type;
};
constexpr std::array<ShortName, 15> kShortNames{{{"BOOL", "BOOLEAN"},
                                                 {"BYTEA", "BLOB"},
                                                 {"DATETIME", "TIMESTAMP"},
                                                 {"FLOAT4", "FLOAT"},
                                                 {"FLOAT8", "DOUBLE"},
                                                 {"INT", "INTEGER"},
                                                 {"INT2", "SMALLINT"},
                                                 {"INT4", "INTEGER"},
                                                 {"INT8", "BIGINT"},
                                                 {"LONG", "BIGINT"},
                                                 {"REAL", "FLOAT"},
                                                 {"SHORT", "SMALLINT"},
                                                 {"STRING", "VARCHAR"},
                                                 {"CHAR", "VARCHAR"},
                                                 {"TIMETZ", "TIME WITH TIME ZONE"}}};

std::string_view Whole(std::string_view name) {
  const auto found = std::ranges::find_if(
      kShortNames, [name](const ShortName& one) { return EqualsIgnoringCase(one.name, name); });
  return found == kShortNames.end() ? name : found->type;
}

bool IsOneOf(std::string_view type, std::span<const std::string_view> types) {
  const std::string_view base = type.substr(0, type.find('('));
  return std::ranges::any_of(
      types, [base](std::string_view one) { return EqualsIgnoringCase(base, one); });
}

}  // namespace

bool IsNumericType(std::string_view type) {
  return !type.ends_with(']') && IsOneOf(type, kNumeric);
}

bool IsTypeOrClass(std::string_view wanted) {
  while (wanted.ends_with("[]")) {
    wanted.remove_suffix(2);
  }
  wanted = Whole(wanted);
  for (const std::string_view name : {"numeric", "text", "temporal"}) {
    if (EqualsIgnoringCase(wanted, name)) return true;
  }
  return IsOneOf(wanted, kNumeric) || IsOneOf(wanted, kText) || IsOneOf(wanted, kTemporal) ||
         IsOneOf(wanted, kOther);
}

std::string_view TypesAndClasses() {
  return "numeric, text, temporal, or a type such as BIGINT, DOUBLE, DECIMAL, VARCHAR, BOOLEAN, "
         "DATE, TIMESTAMP, TIME, JSON, BLOB, STRUCT or VARCHAR[]";
}

bool TypeMatches(std::string_view wanted, std::string_view type) {
  wanted = Whole(wanted);
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
