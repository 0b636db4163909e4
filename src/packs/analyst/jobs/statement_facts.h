#pragma once
// StatementFacts: what the notes of "query" want to know about a statement, read from the engine's
// own syntax tree. Only what is certain is in it: one SELECT over named tables and joins of them;
// anything else gives no facts. Pure, any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::analyst {

struct ColumnName {
  std::string qualifier;  // alias or table; empty when there is none
  std::string name;
};

struct FromTable {
  std::string name;
  std::string alias;  // the name when there is none
};

struct JoinKey {
  ColumnName left, right;
};

struct AggregateUse {
  std::string function;  // lower case
  ColumnName column;
};

struct TextFilter {
  ColumnName column;
  std::string value;
};

struct StatementFacts {
  bool has_order = false;
  std::optional<uint64_t> limit;         // when it is a constant
  std::vector<FromTable> tables;         // at least one
  std::vector<JoinKey> keys;             // of a join of exactly two tables by equalities alone
  std::vector<ColumnName> key_filters;   // of a comma join: columns that WHERE bounds besides
  std::vector<AggregateUse> aggregates;  // named functions of the select list over a bare column
  std::vector<TextFilter> text_filters;  // column = 'text', AND-ed in WHERE
};

// `tree`: answer of json_serialize_sql.
[[nodiscard]] std::optional<StatementFacts> FactsOf(std::string_view tree);

}  // namespace ducat::analyst
