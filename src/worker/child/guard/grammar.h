#pragma once
// The closed grammar of the engine's syntax tree (guard.md 6.6): every node and field that may
// occur, as constant tables. A node that is not here is refused, and so is an unknown field that
// holds an object or a list: what a later engine adds is refused until someone has looked at it.

#include <cstdint>
#include <span>
#include <string_view>

namespace ducat::guard {

// Where a node stands; names of nodes are looked up per place.
enum class NodePlace : uint8_t { kQuery, kTable, kExpression, kModifier, kTypeInfo };

enum class Holds : uint8_t {
  kPlain,    // text, number, boolean or null
  kEmpty,    // null, or a list without elements
  kNames,    // list of plain values
  kNumbers,  // list of lists of plain values
  kNode,     // a node of `place`
  kMaybeNode,
  kNodes,     // list of nodes
  kNodeRows,  // list of lists of nodes
  kStruct,    // an object with the fields of `inner`
  kMaybeStruct,
  kPlainOrStruct,
  kStructs,
};

struct Rule;

struct FieldRule {
  std::string_view name;
  Holds holds = Holds::kPlain;
  NodePlace place = NodePlace::kExpression;
  const Rule* inner = nullptr;
};

// Nodes whose meaning is checked beyond their shape.
enum class Meaning : uint8_t {
  kNone,
  kBaseTable,
  kTableFunction,
  kShow,
  kFunction,
  kWindow,
  kParameter,
  kLambda,
  kOperator,
  kValues,
  kSelect,
  kRecursiveCte,
  kCteNode,
  kUserType,
  kTableOther,
};

struct Rule {
  std::string_view name;
  std::span<const FieldRule> fields;
  Meaning meaning = Meaning::kNone;
};

// The rule of a node by its `class` (expressions) or `type` (all else); null when it is not
// allowed.
[[nodiscard]] const Rule* FindNode(NodePlace place, std::string_view name);
[[nodiscard]] const FieldRule* FindField(const Rule& rule, std::string_view name);

// The root: {node, named_param_map}.
[[nodiscard]] const Rule& StatementRule();
// The entry of a CTE list: {key, value}.
[[nodiscard]] const Rule& CteRule();

}  // namespace ducat::guard
