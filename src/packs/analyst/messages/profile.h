#pragma once
// Messages of the job "profile_table" (analyst.md 5.3). The result is the tool's output. Plain
// values, shared by the control plane and the job; no engine. Answers in META.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "json/shape.h"
#include "packs/analyst/messages/describe.h"

namespace ducat::analyst {

// Columns with at most this many distinct values show their most frequent ones.
inline constexpr int64_t kLowCardinality = 20;

// Fails with unknown_table, unknown_column, table_unreadable, invalid_arguments (more than
// kColumnsPerCallMax columns), or a run-time reason of guard.md 8.
struct ProfileTableIn {
  std::string name;
  std::vector<std::string> columns;  // empty: all

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&ProfileTableIn::name>("name", "table"),
        Describe<&ProfileTableIn::columns>("columns", "columns", {.default_json = "[]"})};
  }
};

struct TopValue {
  json::AnyValue value;
  int64_t count = 0;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&TopValue::value>("value", ""),
                      Describe<&TopValue::count>("count", "")};
  }
};

struct ProfileWarning {
  std::string code;  // all_null, constant, near_duplicates, numbers_as_text, many_nulls
  std::string message;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&ProfileWarning::code>(
            "code", "all_null, constant, near_duplicates, numbers_as_text, many_nulls."),
        Describe<&ProfileWarning::message>("message", "")};
  }
};

struct ProfiledColumn {
  std::string name;
  std::string type;
  bool is_numeric = false;
  int64_t count = 0;
  int64_t null_count = 0;
  double null_pct = 0;
  int64_t distinct_count = 0;
  bool distinct_exact = true;
  bool is_unique = false;
  json::AnyValue min, max;
  json::Nullable<double> mean, stddev;
  json::AnyValue p25, median, p75;
  json::Nullable<int64_t> empty_count, nan_count, min_length, max_length;
  json::Nullable<std::vector<TopValue>> top_values;
  std::vector<ProfileWarning> warnings;

  static constexpr auto Fields() {
    using json::Describe;
    using C = ProfiledColumn;
    return std::array{Describe<&C::name>("name", ""),
                      Describe<&C::type>("type", ""),
                      Describe<&C::is_numeric>("is_numeric", "Integer, DECIMAL, FLOAT, DOUBLE."),
                      Describe<&C::count>("count", "Values that are not NULL."),
                      Describe<&C::null_count>("null_count", ""),
                      Describe<&C::null_pct>("null_pct", ""),
                      Describe<&C::distinct_count>("distinct_count", ""),
                      Describe<&C::distinct_exact>("distinct_exact", "False: an estimate."),
                      Describe<&C::is_unique>("is_unique", "No value twice."),
                      Describe<&C::min>("min", "Least value, NaN left out."),
                      Describe<&C::max>("max", "Greatest, as min."),
                      Describe<&C::mean>("mean", "Numeric, NaN left out."),
                      Describe<&C::stddev>("stddev", "Sample deviation (n - 1)."),
                      Describe<&C::p25>("p25", ""),
                      Describe<&C::median>("median", ""),
                      Describe<&C::p75>("p75", ""),
                      Describe<&C::empty_count>("empty_count", ""),
                      Describe<&C::nan_count>("nan_count", ""),
                      Describe<&C::min_length>("min_length", "Shortest text, characters."),
                      Describe<&C::max_length>("max_length", "Longest text."),
                      Describe<&C::top_values>("top_values", "5 most frequent, ties by value."),
                      Describe<&C::warnings>("warnings", "Look at these before use.")};
  }
};

struct ProfileTableOut {
  std::string name;
  int64_t row_count = 0;
  std::vector<ProfiledColumn> columns;
  int64_t low_cardinality_threshold = kLowCardinality;

  static constexpr auto Fields() {
    using json::Describe;
    using T = ProfileTableOut;
    return std::array{Describe<&T::name>("name", ""), Describe<&T::row_count>("row_count", ""),
                      Describe<&T::columns>("columns", ""),
                      Describe<&T::low_cardinality_threshold>(
                          "low_cardinality_threshold", "Most distinct values with top_values.")};
  }
};

}  // namespace ducat::analyst
