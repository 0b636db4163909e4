#pragma once
// Messages of the jobs "query", "explain_query" and "sample_rows" (analyst.md 5.4 to 5.6). Plain
// values, shared by the control plane and the jobs; no engine. "query" and "sample_rows" answer
// with META, ROWS and TEXT, and with counters in DONE, since what the rows held is known only at
// their end; "explain_query" answers in META.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "json/shape.h"

namespace ducat::analyst {

enum class RowFormat : uint8_t { kRows, kMarkdown, kBoth };

// What a parameter of a saved query is declared to be; its values are bound as that.
enum class ParameterType : uint8_t { kInteger, kNumber, kString, kBoolean, kDate, kTimestamp };

}  // namespace ducat::analyst

template <>
struct ducat::json::EnumNames<ducat::analyst::RowFormat> {
  static constexpr std::array<std::string_view, 3> kNames{"rows", "markdown", "both"};
};
template <>
struct ducat::json::EnumNames<ducat::analyst::ParameterType> {
  static constexpr std::array<std::string_view, 6> kNames{"integer", "number", "string",
                                                          "boolean", "date",   "timestamp"};
};

namespace ducat::analyst {

// Caps of one result (analyst.md 1). The text form has the same byte cap as the rows.
struct RowLimits {
  int64_t max_rows = 500;
  int64_t max_cells = 20'000;
  int64_t max_bytes = 32'768;
  int64_t max_cell = 1'000;  // characters

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&RowLimits::max_rows>("max_rows", "rows", {.minimum = 1, .default_json = "500"}),
        Describe<&RowLimits::max_cells>("max_cells", "rows x columns",
                                        {.minimum = 1, .default_json = "20000"}),
        Describe<&RowLimits::max_bytes>("max_bytes", "bytes of rows, and of their text",
                                        {.minimum = 1, .default_json = "32768"}),
        Describe<&RowLimits::max_cell>("max_cell", "characters of one cell",
                                       {.minimum = 1, .default_json = "1000"})};
  }
};

struct QueryIn {
  std::string sql;
  RowLimits limits;  // max_rows already lowered by the call's `limit`
  std::map<std::string, json::AnyValue> params;
  std::map<std::string, ParameterType> param_types;  // of those with a declared one
  RowFormat format = RowFormat::kRows;
  int64_t cell_offset = 0;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&QueryIn::sql>("sql", "one statement"),
        Describe<&QueryIn::limits>("limits", "caps of the result"),
        Describe<&QueryIn::params>("params", "values of parameters", {.default_json = "{}"}),
        Describe<&QueryIn::param_types>("param_types", "declared types", {.default_json = "{}"}),
        Describe<&QueryIn::format>("format", "where rows go", {.default_json = "\"rows\""}),
        Describe<&QueryIn::cell_offset>("cell_offset", "first character of shown text cells",
                                        {.minimum = 0, .default_json = "0"})};
  }
};

struct SampleRowsIn {
  std::string name;
  int64_t n = 10;
  int64_t seed = 42;
  std::vector<std::string> columns;  // empty: all
  RowLimits limits;
  RowFormat format = RowFormat::kRows;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&SampleRowsIn::name>("name", "table"),
        Describe<&SampleRowsIn::n>("n", "rows", {.minimum = 1, .default_json = "10"}),
        Describe<&SampleRowsIn::seed>("seed", "seed", {.default_json = "42"}),
        Describe<&SampleRowsIn::columns>("columns", "columns", {.default_json = "[]"}),
        Describe<&SampleRowsIn::limits>("limits", "caps of the result"),
        Describe<&SampleRowsIn::format>("format", "where rows go", {.default_json = "\"rows\""})};
  }
};

struct QueryColumn {
  std::string name;
  std::string type;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&QueryColumn::name>("name", "unique in the result"),
                      Describe<&QueryColumn::type>("type", "type in SQL")};
  }
};

// META of "query" and "sample_rows".
struct QueryMeta {
  std::string sql;  // as executed, without the wrapper
  std::vector<QueryColumn> columns;
  int64_t row_limit = 0;
  std::vector<std::string> tables;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&QueryMeta::sql>("sql", "as executed, without the wrapper"),
                      Describe<&QueryMeta::columns>("columns", "columns, in order"),
                      Describe<&QueryMeta::row_limit>("row_limit", "rows that the caps allow"),
                      Describe<&QueryMeta::tables>("tables", "catalog tables used")};
  }
};

// DONE counters of "query" and "sample_rows".
struct QueryCounters {
  int64_t row_count = 0;
  bool truncated = false;
  int64_t bytes = 0;
  int64_t clipped_cells = 0;
  double elapsed_ms = 0;
  std::vector<std::string> json;  // per column: number, string, boolean, array, object, mixed
  std::vector<std::string> notes;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&QueryCounters::row_count>("row_count", "rows sent"),
        Describe<&QueryCounters::truncated>("truncated", "more rows exist"),
        Describe<&QueryCounters::bytes>("bytes", "bytes of rows"),
        Describe<&QueryCounters::clipped_cells>("clipped_cells", "cells that were cut"),
        Describe<&QueryCounters::elapsed_ms>("elapsed_ms", "time in the worker"),
        Describe<&QueryCounters::json>("json", "JSON form of each column's values"),
        Describe<&QueryCounters::notes>("notes", "notes for the caller")};
  }
};

struct ExplainQueryIn {
  std::string sql;
  std::map<std::string, json::AnyValue> params;
  std::map<std::string, ParameterType> param_types;
  bool analyze = false;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&ExplainQueryIn::sql>("sql", "one statement"),
        Describe<&ExplainQueryIn::params>("params", "values of parameters", {.default_json = "{}"}),
        Describe<&ExplainQueryIn::param_types>("param_types", "declared types",
                                               {.default_json = "{}"}),
        Describe<&ExplainQueryIn::analyze>("analyze", "run it", {.default_json = "false"})};
  }
};

struct ExplainQueryOut {
  std::string sql;
  std::string plan;
  double elapsed_ms = 0;
  std::vector<std::string> tables;
  bool analyzed = false;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&ExplainQueryOut::sql>("sql", "What was explained."),
                      Describe<&ExplainQueryOut::plan>("plan", ""),
                      Describe<&ExplainQueryOut::elapsed_ms>("elapsed_ms", ""),
                      Describe<&ExplainQueryOut::tables>("tables", ""),
                      Describe<&ExplainQueryOut::analyzed>("analyzed", "")};
  }
};

}  // namespace ducat::analyst
