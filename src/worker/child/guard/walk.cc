#include "worker/child/guard/walk.h"

#include <algorithm>

#include "base/text.h"
#include "worker/child/guard/tree_walk.h"

namespace ducat::guard {

std::string_view TextOf(json::View node, std::string_view field) {
  const auto value = node.Find(field);
  return value.has_value() ? value->AsString().value_or("") : std::string_view{};
}

uint64_t LocationOf(json::View node) {
  const auto value = node.Find("query_location");
  return value.has_value() ? value->AsUnsigned().value_or(kNowhere) : kNowhere;
}

void TreeWalk::Statement(json::View statement) {
  Fields(StatementRule(), statement);
}

std::optional<Span> TreeWalk::SpanAt(uint64_t location) const {
  if (location == kNowhere) return std::nullopt;
  const auto token = input_.tokens.At(location);
  if (!token.has_value()) return Span{location, 0};
  return Span{location, input_.tokens.tokens[*token].length};
}

void TreeWalk::Add(Finding finding, uint64_t location) {
  if (!finding.span.has_value()) finding.span = SpanAt(location);
  if (finding.token.empty() && finding.span.has_value()) {
    finding.token = input_.tokens.source.substr(finding.span->offset, finding.span->length);
  }
  result_.findings.Add(std::move(finding), location == kNowhere ? last_location_ : location);
}

void TreeWalk::Unsupported(std::string_view what) {
  Add({.rank = FindingClass::kOther,
       .code = "unsupported_syntax",
       .message = "The construct " + std::string(what) + " is not supported here.",
       .hint = "Write the query without " + std::string(what) + ".",
       .token = std::string(what),
       .rule = "grammar"},
      last_location_);
}

void TreeWalk::TooComplex(std::string_view limit, uint64_t max, uint64_t found,
                          std::string_view hint) {
  stopped_ = true;
  Add({.rank = FindingClass::kOther,
       .code = "query_too_complex",
       .message = "The statement has " + WithThousands(found) + " " + std::string(limit) +
                  "; at most " + WithThousands(max) + " are allowed.",
       .hint = std::string(hint),
       .rule = "size"},
      last_location_);
}

void TreeWalk::CountList(json::View list, uint64_t extra) {
  const uint64_t items = list.Size();
  if (items > input_.limits.list_items_max + extra) {
    TooComplex("items in one list", input_.limits.list_items_max, items - extra);
  }
}

void TreeWalk::Node(NodePlace place, json::View node) {
  if (stopped_) return;
  const std::string_view name = TextOf(node, place == NodePlace::kExpression ? "class" : "type");
  if (const uint64_t location = LocationOf(node); location != kNowhere) last_location_ = location;
  const Rule* rule = FindNode(place, name);
  if (rule == nullptr) return Unsupported(name.empty() ? "(unnamed)" : name);
  if (place != NodePlace::kTypeInfo && ++nodes_ > input_.limits.tree_nodes_max) {
    return TooComplex("tree objects", input_.limits.tree_nodes_max, nodes_);
  }
  if (++depth_ > input_.limits.expression_depth_max) {
    TooComplex("levels of nesting", input_.limits.expression_depth_max, depth_);
  } else if (place == NodePlace::kTypeInfo) {
    Meant(*rule, node);
  } else {
    const PlanningCost::Sums before = cost_.Open(*rule);
    CheckNesting();
    Meant(*rule, node);
    cost_.Close(before, place, *rule, node);
    CheckCost();
  }
  --depth_;
}

void TreeWalk::CheckNesting() {
  if (cost_.subquery_depth() > input_.limits.subquery_depth_max) {
    TooComplex("subqueries in one another", input_.limits.subquery_depth_max,
               cost_.subquery_depth());
  }
}

void TreeWalk::CheckCost() {
  if (stopped_) return;
  if (cost_.joins_too_many()) {
    TooComplex("joined tables and scalar subqueries in one SELECT", kJoinedTablesMax,
               cost_.joined_tables() + cost_.joined_scalars(),
               "Join fewer tables at once: put a part of them into WITH name AS MATERIALIZED "
               "(SELECT ...), or give constants in the place of scalar subqueries.");
  } else if (cost_.steps() > input_.limits.planning_steps_max) {
    TooComplex("steps of planning", static_cast<uint64_t>(input_.limits.planning_steps_max),
               static_cast<uint64_t>(std::min(cost_.steps(), 1e18)),
               "Long chains of operators and nested CASE, BETWEEN, nullif or -> cost most: use "
               "list_sum([...]), concat(...), column IN (...), a join with VALUES or a path such "
               "as j->'$.a.b', or take steps with WITH.");
  }
}

void TreeWalk::Meant(const Rule& rule, json::View node) {
  switch (rule.meaning) {
    case Meaning::kSelect:
      return Query(rule, node);
    case Meaning::kRecursiveCte:
      return RecursiveCte(rule, node);
    case Meaning::kCteNode:
      return CteNode(rule, node);
    case Meaning::kLambda:
      return Lambda(rule, node);
    case Meaning::kTableFunction:
      return TableFunction(rule, node);
    case Meaning::kBaseTable:
      BaseTable(node);
      break;
    case Meaning::kShow:
      Show(node);
      break;
    case Meaning::kFunction:
      Function(node, is_table_function_ ? FunctionPlace::kTable : FunctionPlace::kExpression);
      break;
    case Meaning::kWindow:
      Function(node, FunctionPlace::kExpression);
      break;
    case Meaning::kParameter:
      Parameter(node);
      break;
    case Meaning::kUserType:
      UserType(node);
      break;
    case Meaning::kOperator:
      if (TextOf(node, "type").ends_with("IN")) {
        CountList(node.Find("children").value_or(json::View()), 1);
      }
      break;
    case Meaning::kValues:
      CountList(node.Find("values").value_or(json::View()), 0);
      break;
    case Meaning::kTableOther:
    case Meaning::kNone:
      break;
  }
  is_table_function_ = false;
  const bool counts = rule.meaning == Meaning::kBaseTable || rule.meaning == Meaning::kShow ||
                      rule.meaning == Meaning::kValues || rule.meaning == Meaning::kTableOther;
  if (counts && ++tables_ > input_.limits.table_references_max) {
    return TooComplex("table references", input_.limits.table_references_max, tables_);
  }
  Fields(rule, node);
}

void TreeWalk::Fields(const Rule& rule, json::View node, std::string_view except) {
  // The callback holds one pointer only, so that no call of it allocates. Fields stand in the tree
  // in the order of the rule, so the next one is nearly always the right one.
  struct Visit {
    TreeWalk& walk;
    const Rule& rule;
    std::string_view except;
    size_t next = 0;
  } visit{*this, rule, except};
  node.ForEachMember([&visit](std::string_view key, json::View value) {
    TreeWalk& walk = visit.walk;
    if (key == visit.except) return !walk.stopped_;
    const auto& fields = visit.rule.fields;
    const bool expected = visit.next < fields.size() && fields[visit.next].name == key;
    const FieldRule* field = expected ? &fields[visit.next] : FindField(visit.rule, key);
    if (field != nullptr) visit.next = static_cast<size_t>(field - fields.data()) + 1;
    walk.Member(visit.rule, field, key, value);
    return !walk.stopped_;
  });
}

void TreeWalk::Member(const Rule& rule, const FieldRule* field, std::string_view key,
                      json::View value) {
  if (field != nullptr) {
    Field(*field, value);
  } else if (value.IsObject() || value.IsArray()) {
    Unsupported(std::string(rule.name) + "." + std::string(key));
  }
}

void TreeWalk::Field(const FieldRule& field, json::View value) {
  const bool composite = value.IsObject() || value.IsArray();
  bool fits = false;
  switch (field.holds) {
    case Holds::kPlain:
      fits = !composite;
      break;
    case Holds::kEmpty:
      fits = !composite || (value.IsArray() && value.Size() == 0);
      break;
    case Holds::kMaybeNode:
    case Holds::kMaybeStruct:
      if (value.IsNull()) return;
      [[fallthrough]];
    case Holds::kNode:
    case Holds::kStruct:
    case Holds::kPlainOrStruct:
      fits = value.IsObject() || (field.holds == Holds::kPlainOrStruct && !composite);
      if (value.IsObject() && field.inner != nullptr) Struct(*field.inner, value);
      if (value.IsObject() && field.inner == nullptr) Node(field.place, value);
      break;
    case Holds::kNames:
    case Holds::kNumbers:
    case Holds::kNodes:
    case Holds::kNodeRows:
    case Holds::kStructs:
      fits = value.IsArray();
      if (fits) Each(field, value);
      break;
  }
  if (!fits) Unsupported(field.name == "at_clause" ? "AT (time travel)" : field.name);
}

void TreeWalk::Each(const FieldRule& field, json::View list) {
  struct Visit {
    TreeWalk& walk;
    const FieldRule& field;
  } visit{*this, field};
  list.ForEachElement([&visit](json::View element) {
    visit.walk.Element(visit.field, element);
    return !visit.walk.stopped_;
  });
}

void TreeWalk::Element(const FieldRule& field, json::View element) {
  switch (field.holds) {
    case Holds::kNumbers:
      Field({.name = field.name, .holds = Holds::kNames}, element);
      break;
    case Holds::kNodeRows:
      Field({.name = field.name, .holds = Holds::kNodes, .place = field.place}, element);
      break;
    case Holds::kNodes:
      Field({.name = field.name, .holds = Holds::kNode, .place = field.place}, element);
      break;
    case Holds::kStructs:
      Field({.name = field.name, .holds = Holds::kStruct, .inner = field.inner}, element);
      break;
    default:
      Field({.name = field.name}, element);
  }
}

void TreeWalk::Struct(const Rule& rule, json::View value) {
  if (&rule == &CteRule()) {
    Fields(rule, value);
    // Known to later CTEs of the list and to the node that carries it, not to itself.
    names_.AddCte(TextOf(value, "key"), false);
    if (names_.ctes_seen() > input_.limits.ctes_max) {
      TooComplex("CTEs", input_.limits.ctes_max, names_.ctes_seen());
    }
    return;
  }
  // Statements nest through subqueries, values through lists.
  if (++depth_ > input_.limits.expression_depth_max) {
    TooComplex("levels of nesting", input_.limits.expression_depth_max, depth_);
  } else {
    Fields(rule, value);
  }
  --depth_;
}

void TreeWalk::Query(const Rule& rule, json::View node) {
  const size_t mark = names_.Mark();
  if (const auto ctes = node.Find("cte_map")) Field(*FindField(rule, "cte_map"), *ctes);
  Fields(rule, node, "cte_map");
  names_.Forget(mark);
}

// The first arm does not see the name, so a table of the same name is meant there; the second does.
void TreeWalk::RecursiveCte(const Rule& rule, json::View node) {
  const size_t mark = names_.Mark();
  if (const auto ctes = node.Find("cte_map")) Field(*FindField(rule, "cte_map"), *ctes);
  if (const auto left = node.Find("left")) Field(*FindField(rule, "left"), *left);
  names_.AddCte(TextOf(node, "cte_name"), true);
  node.ForEachMember([&](std::string_view key, json::View value) {
    if (key != "cte_map" && key != "left") Member(rule, FindField(rule, key), key, value);
    return !stopped_;
  });
  names_.Forget(mark);
}

void TreeWalk::CteNode(const Rule& rule, json::View node) {
  const size_t mark = names_.Mark();
  if (const auto query = node.Find("query")) Field(*FindField(rule, "query"), *query);
  names_.AddCte(TextOf(node, "cte_name"), false);
  Fields(rule, node, "query");
  names_.Forget(mark);
}

void TreeWalk::Lambda(const Rule& rule, json::View node) {
  // `a -> 'b' -> 'c'`, JSON access, is a lambda in the tree too; it nests on the left.
  Fields(rule, node, "expr");
  if (++lambda_depth_ > input_.limits.lambda_depth_max) {
    TooComplex("nested lambdas", input_.limits.lambda_depth_max, lambda_depth_);
  } else if (const auto body = node.Find("expr")) {
    Field(*FindField(rule, "expr"), *body);
  }
  --lambda_depth_;
}

WalkResult WalkTree(json::View statement, const WalkInput& input) {
  WalkResult result;
  TreeWalk(input, result).Statement(statement);
  return result;
}

}  // namespace ducat::guard
