#pragma once
// Messages of the jobs "describe_table" and "column_nulls" (analyst.md 5.2, 5.7). Plain values,
// shared by the control plane and the jobs; no engine. Both answer in META.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "json/shape.h"

namespace ducat::analyst {

// A call looks at no more columns than this (describe_table, profile_table).
inline constexpr int64_t kColumnsPerCallMax = 200;
// Characters shown of one sample value.
inline constexpr int64_t kSampleCharactersMax = 100;

// Fails with unknown_table, unknown_column, table_unreadable, or a run-time reason of guard.md 8.
struct DescribeTableIn {
  std::string name;
  std::vector<std::string> columns;  // empty: the first kColumnsPerCallMax
  int64_t samples = 3;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&DescribeTableIn::name>("name", "table"),
        Describe<&DescribeTableIn::columns>("columns", "columns", {.default_json = "[]"}),
        Describe<&DescribeTableIn::samples>("samples", "sample values per column",
                                            {.minimum = 0, .maximum = 10, .default_json = "3"})};
  }
};

struct DescribedColumn {
  std::string name;
  std::string type;
  bool nullable = true;
  int64_t null_count = 0;
  std::vector<json::AnyValue> sample_values;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&DescribedColumn::name>("name",
                                         "Column name, to be used in SQL (quoted when needed)."),
        Describe<&DescribedColumn::type>("type", "Type in SQL."),
        Describe<&DescribedColumn::nullable>("nullable", "Declared nullable; true for files."),
        Describe<&DescribedColumn::null_count>("null_count", "NULLs found in the column."),
        Describe<&DescribedColumn::sample_values>(
            "sample_values", "First distinct non-NULL values in row order, 100 characters each.",
            {.element_doc = "A value."})};
  }
};

struct DescribeTableOut {
  std::string name;
  int64_t row_count = 0;
  int64_t column_count =
      0;  // of the table; more than columns.size() when only the first were described
  std::vector<DescribedColumn> columns;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&DescribeTableOut::name>("name", "table"),
        Describe<&DescribeTableOut::row_count>("row_count", "rows"),
        Describe<&DescribeTableOut::column_count>("column_count", "columns of the table"),
        Describe<&DescribeTableOut::columns>("columns", "columns, in order")};
  }
};

// Job "column_nulls": NULL shares of columns that search_columns found. Tables that cannot be read
// are left out of the answer.
struct ColumnNullsTable {
  std::string name;
  std::vector<std::string> columns;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&ColumnNullsTable::name>("name", "table"),
                      Describe<&ColumnNullsTable::columns>("columns", "columns")};
  }
};

struct ColumnNullsIn {
  std::vector<ColumnNullsTable> tables;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&ColumnNullsIn::tables>("tables", "columns by table")};
  }
};

struct ColumnNulls {
  std::string table;
  std::string column;
  double null_pct = 0;  // 100 x NULLs / rows, 2 decimals, 0 for an empty table

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&ColumnNulls::table>("table", "table"),
                      Describe<&ColumnNulls::column>("column", "column"),
                      Describe<&ColumnNulls::null_pct>("null_pct", "share of NULLs in percent")};
  }
};

struct ColumnNullsOut {
  std::vector<ColumnNulls> columns;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&ColumnNullsOut::columns>("columns", "in the order asked for")};
  }
};

}  // namespace ducat::analyst
