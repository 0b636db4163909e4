#include "packs/analyst/jobs/profile_sql.h"

#include <array>

#include <fmt/format.h>

namespace ducat::analyst {
namespace {

using engine::TypeId;

constexpr std::string_view kNothing = "NULL";
constexpr int kNativeDecimalWidth = 18;  // wider sums may overflow 128 bits

bool IsFloat(TypeId id) {
  return id == TypeId::kFloat || id == TypeId::kDouble;
}

bool IsWide(const engine::Type& type) {
  return type.id == TypeId::kHugeInt || type.id == TypeId::kUHugeInt ||
         type.id == TypeId::kBignum || type.id == TypeId::kUBigInt ||
         (type.id == TypeId::kDecimal && type.width > kNativeDecimalWidth);
}

// What is compared and counted: as callers see it.
std::string Comparable(const ScopedColumn& column) {
  const bool is_printed = column.read_as.text != column.type;  // only the engine can print it
  // Beside a JSON value the engine parses every text as JSON, and fails on most.
  const bool is_json = column.type == "JSON";
  if (is_printed || is_json || column.read_as.id == TypeId::kEnum) {
    return "CAST(" + column.Sql() + " AS VARCHAR)";
  }
  return column.Sql();
}

std::string WithoutNan(const ScopedColumn& column) {
  return IsFloat(column.read_as.id) ? fmt::format(" FILTER (WHERE NOT isnan({}))", column.Sql())
                                    : std::string();
}

std::string Extreme(const ScopedColumn& column, std::string_view function) {
  if (IsNested(column.read_as.id) || column.read_as.text != column.type) {
    return std::string(kNothing);
  }
  return fmt::format("{}({}){}", function, Comparable(column), WithoutNan(column));
}

std::string Mean(const ScopedColumn& column) {
  const std::string name = column.Sql();
  if (!IsNumeric(column.read_as.id)) return std::string(kNothing);
  if (IsFloat(column.read_as.id)) {
    // With infinities there is no mean that JSON could show as a number.
    return fmt::format(
        "CASE WHEN count_if(isinf({0})) > 0 THEN NULL"
        " ELSE round(avg(CAST({0} AS DOUBLE)) FILTER (WHERE isfinite({0})), 6) END",
        name);
  }
  return IsWide(column.read_as) ? fmt::format("round(avg(CAST({} AS DOUBLE)), 6)", name)
                                : fmt::format("round(CAST(avg({}) AS DOUBLE), 6)", name);
}

std::string Stddev(const ScopedColumn& column) {
  if (!IsNumeric(column.read_as.id)) return std::string(kNothing);
  const std::string value = fmt::format("CAST({} AS DOUBLE)", column.Sql());
  if (!IsFloat(column.read_as.id) && column.read_as.id != TypeId::kBignum) {
    return fmt::format("round(stddev_samp({}), 6)", value);
  }
  // The square of a larger value is no double: the engine fails on it, as on infinities.
  return fmt::format(
      "CASE WHEN count_if(abs({0}) > 1e150 AND NOT isnan({0})) > 0 THEN NULL ELSE"
      " round(stddev_samp({0}) FILTER (WHERE abs({0}) <= 1e150), 6) END",
      value);
}

// The three quantiles are one aggregate for the engine: it computes equal ones once.
std::string Quantile(const ScopedColumn& column, int position) {
  constexpr std::string_view kShares = "[0.25, 0.5, 0.75]";
  const engine::Type& type = column.read_as;
  if (IsTemporal(type.id)) {
    return fmt::format("quantile_disc({}, {})[{}]", column.Sql(), kShares, position);
  }
  if (!IsNumeric(type.id)) return std::string(kNothing);
  const std::string quantile = fmt::format("(quantile_cont(CAST({} AS DOUBLE), {}){})[{}]",
                                           column.Sql(), kShares, WithoutNan(column), position);
  // The mean of two decimals has at most one digit more; what follows is binary noise.
  return type.id == TypeId::kDecimal ? fmt::format("round({}, {})", quantile, type.scale + 2)
                                     : quantile;
}

std::string TextItem(const ScopedColumn& column, std::string_view form) {
  if (!IsText(column.read_as.id)) return std::string(kNothing);
  return fmt::format(fmt::runtime(form), Comparable(column));
}

std::array<std::string, kProfileItems> Items(const ScopedColumn& column, DistinctCount distinct) {
  std::array<std::string, kProfileItems> items;
  items[kItemCount] = fmt::format("count({})", column.Sql());
  const bool is_exact = distinct == DistinctCount::kExact;
  items[kItemDistinct] = fmt::format(
      "{}{})", is_exact ? "count(DISTINCT " : "approx_count_distinct(", Comparable(column));
  items[kItemMin] = Extreme(column, "min");
  items[kItemMax] = Extreme(column, "max");
  items[kItemMean] = Mean(column);
  items[kItemStddev] = Stddev(column);
  items[kItemP25] = Quantile(column, 1);
  items[kItemMedian] = Quantile(column, 2);
  items[kItemP75] = Quantile(column, 3);
  items[kItemEmpty] = TextItem(column, "count_if({} = '')");
  items[kItemNan] = IsFloat(column.read_as.id) ? fmt::format("count_if(isnan({}))", column.Sql())
                                               : std::string(kNothing);
  items[kItemMinLength] = TextItem(column, "min(length({}))");
  items[kItemMaxLength] = TextItem(column, "max(length({}))");
  items[kItemNumbersAsText] = TextItem(column,
                                       "count_if(TRY_CAST({0} AS DOUBLE) IS NOT NULL AND NOT "
                                       "regexp_matches({0}, '^ *[-+]?0[0-9]'))");
  return items;
}

}  // namespace

bool IsNumeric(TypeId id) {
  return id <= TypeId::kDecimal && id != TypeId::kBoolean;
}

bool IsTemporal(TypeId id) {
  return id >= TypeId::kDate && id <= TypeId::kTimestampTz;
}

bool IsText(TypeId id) {
  return id == TypeId::kVarchar || id == TypeId::kEnum;
}

bool IsNested(TypeId id) {
  return id == TypeId::kList || id == TypeId::kArray || id == TypeId::kStruct ||
         id == TypeId::kMap || id == TypeId::kUnion;
}

std::string StatisticsSql(const TableScope& scope, std::span<const ScopedColumn> columns,
                          DistinctCount distinct) {
  std::string list;
  for (const ScopedColumn& column : columns) {
    for (const std::string& item : Items(column, distinct)) {
      list += (list.empty() ? "" : ", ") + item;
    }
  }
  return "SELECT " + list + " FROM " + scope.Sql();
}

std::string DistinctSql(const TableScope& scope, std::span<const ScopedColumn> columns) {
  std::string list;
  for (const ScopedColumn& column : columns) {
    list += fmt::format("{}count(DISTINCT {})", list.empty() ? "" : ", ", Comparable(column));
  }
  return "SELECT " + list + " FROM " + scope.Sql();
}

std::string TopValuesSql(const TableScope& scope, const ScopedColumn& column, size_t count) {
  return fmt::format(
      "SELECT v, count(*) AS n FROM (SELECT {} AS v FROM {}) WHERE v IS NOT NULL"
      " GROUP BY v ORDER BY n DESC, v LIMIT {}",
      Comparable(column), scope.Sql(), count);
}

std::string FoldedDistinctSql(const TableScope& scope, const ScopedColumn& column) {
  return fmt::format("SELECT count(DISTINCT lower(trim({}))) FROM {}", Comparable(column),
                     scope.Sql());
}

}  // namespace ducat::analyst
