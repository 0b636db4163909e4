#pragma once
// SQL of profile_table (analyst.md 5.3): one SELECT per batch of columns, the same items for each,
// NULL where an item does not apply to the type. Pure; any thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "packs/analyst/jobs/table_scope.h"

namespace ducat::analyst {

// Positions of a column's items in the row of StatisticsSql.
enum ProfileItem : uint8_t {
  kItemCount,
  kItemDistinct,
  kItemMin,
  kItemMax,
  kItemMean,
  kItemStddev,
  kItemP25,
  kItemMedian,
  kItemP75,
  kItemEmpty,
  kItemNan,
  kItemMinLength,
  kItemMaxLength,
  kItemNumbersAsText,  // non-empty texts that are numbers and no codes
  kProfileItems
};

// How the type of a column is treated.
[[nodiscard]] bool IsNumeric(engine::TypeId id);   // integers, DECIMAL, FLOAT, DOUBLE
[[nodiscard]] bool IsTemporal(engine::TypeId id);  // dates, times, timestamps
[[nodiscard]] bool IsText(engine::TypeId id);      // VARCHAR, JSON, ENUM
[[nodiscard]] bool IsNested(engine::TypeId id);

enum class DistinctCount : uint8_t { kExact, kEstimate };

[[nodiscard]] std::string StatisticsSql(const TableScope& scope,
                                        std::span<const ScopedColumn> columns,
                                        DistinctCount distinct);
// Exact distinct counts of some columns.
[[nodiscard]] std::string DistinctSql(const TableScope& scope,
                                      std::span<const ScopedColumn> columns);
// The `count` most frequent values: value, count; ties by value.
[[nodiscard]] std::string TopValuesSql(const TableScope& scope, const ScopedColumn& column,
                                       size_t count);
// Distinct texts after trimming and case folding.
[[nodiscard]] std::string FoldedDistinctSql(const TableScope& scope, const ScopedColumn& column);

}  // namespace ducat::analyst
