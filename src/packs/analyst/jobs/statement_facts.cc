#include "packs/analyst/jobs/statement_facts.h"

#include <algorithm>

#include "base/text.h"
#include "json/view.h"

namespace ducat::analyst {
namespace {

using json::View;

std::string_view Text(View object, std::string_view key) {
  const auto member = object.Find(key);
  return member.has_value() ? member->AsString().value_or(std::string_view()) : std::string_view();
}

View Member(View object, std::string_view key) {
  return object.Find(key).value_or(View());
}

std::optional<ColumnName> ColumnOf(View expression) {
  if (Text(expression, "class") != "COLUMN_REF") return {};
  std::vector<std::string> parts;
  Member(expression, "column_names").ForEachElement([&](View part) {
    parts.emplace_back(part.AsString().value_or(std::string_view()));
    return true;
  });
  // Two parts are table and column, or a column and its field: resolving decides.
  if (parts.size() == 1) return ColumnName{.qualifier = {}, .name = parts[0]};
  if (parts.size() == 2) return ColumnName{.qualifier = parts[0], .name = parts[1]};
  return {};
}

std::optional<std::string> TextConstantOf(View expression) {
  if (Text(expression, "class") != "CONSTANT") return {};
  const View value = Member(expression, "value");
  if (Text(Member(value, "type"), "id") != "VARCHAR") return {};
  const auto text = Member(value, "value").AsString();
  return text.has_value() ? std::optional(std::string(*text)) : std::nullopt;
}

// Calls fn for each of the terms that must all hold.
template <class Fn>
void ForEachTerm(View condition, const Fn& fn) {
  if (Text(condition, "type") != "CONJUNCTION_AND") {
    if (condition.IsObject()) fn(condition);
    return;
  }
  Member(condition, "children").ForEachElement([&](View child) {
    ForEachTerm(child, fn);
    return true;
  });
}

class FactReader {
 public:
  std::optional<StatementFacts> Read(View node) {
    if (Text(node, "type") != "SELECT_NODE" || !AddTables(Member(node, "from_table"))) return {};
    if (Member(Member(node, "cte_map"), "map").Size() > 0) return {};
    AddModifiers(Member(node, "modifiers"));
    AddKeys(Member(node, "from_table"));
    AddCommaKeys(Member(node, "from_table"), Member(node, "where_clause"));
    Member(node, "select_list").ForEachElement([this](View expression) {
      AddAggregates(expression);
      return true;
    });
    ForEachTerm(Member(node, "where_clause"), [this](View term) { AddTextFilter(term); });
    return std::move(facts_);
  }

 private:
  bool AddTables(View from) {
    const std::string_view type = Text(from, "type");
    if (type == "JOIN") return AddTables(Member(from, "left")) && AddTables(Member(from, "right"));
    if (type != "BASE_TABLE" || !Text(from, "schema_name").empty()) return false;
    const std::string name(Text(from, "table_name"));
    const std::string alias(Text(from, "alias"));
    facts_.tables.push_back({.name = name, .alias = alias.empty() ? name : alias});
    return true;
  }

  void AddModifiers(View modifiers) {
    modifiers.ForEachElement([this](View modifier) {
      const std::string_view type = Text(modifier, "type");
      if (type == "ORDER_MODIFIER") facts_.has_order = true;
      if (type == "LIMIT_MODIFIER") {
        const View value = Member(Member(modifier, "limit"), "value");
        facts_.limit = Member(value, "value").AsUnsigned();
      }
      return true;
    });
  }

  void AddKeys(View from) {
    if (Text(from, "type") != "JOIN" || facts_.tables.size() != 2 ||
        Text(from, "ref_type") != "REGULAR") {
      return;
    }
    std::vector<JoinKey> keys;
    bool is_certain = true;
    ForEachTerm(Member(from, "condition"), [&](View term) {
      const auto left = ColumnOf(Member(term, "left"));
      const auto right = ColumnOf(Member(term, "right"));
      is_certain = is_certain && Text(term, "type") == "COMPARE_EQUAL" && left.has_value() &&
                   right.has_value();
      if (is_certain) keys.push_back({.left = *left, .right = *right});
    });
    Member(from, "using_columns").ForEachElement([&](View column) {
      const std::string name(column.AsString().value_or(std::string_view()));
      keys.push_back({.left = {.qualifier = facts_.tables[0].alias, .name = name},
                      .right = {.qualifier = facts_.tables[1].alias, .name = name}});
      return true;
    });
    if (is_certain) facts_.keys = std::move(keys);
  }

  // FROM a, b WHERE a.x = b.y: certain when every other term compares a column with a constant.
  void AddCommaKeys(View from, View where) {
    if (Text(from, "type") != "JOIN" || facts_.tables.size() != 2 ||
        Text(from, "ref_type") != "CROSS") {
      return;
    }
    std::vector<JoinKey> keys;
    bool is_certain = true;
    ForEachTerm(where, [&](View term) {
      auto left = ColumnOf(Member(term, "left"));
      auto right = ColumnOf(Member(term, "right"));
      if (Text(term, "type") == "COMPARE_EQUAL" && left.has_value() && right.has_value()) {
        keys.push_back({.left = *std::move(left), .right = *std::move(right)});
        return;
      }
      if (!left.has_value()) std::swap(left, right);
      const bool is_filter = Text(term, "class") == "COMPARISON" && left.has_value() &&
                             (Text(Member(term, "right"), "class") == "CONSTANT" ||
                              Text(Member(term, "left"), "class") == "CONSTANT");
      is_certain = is_certain && is_filter;
      if (is_filter) facts_.key_filters.push_back(*std::move(left));
    });
    if (is_certain) facts_.keys = std::move(keys);
  }

  // Anywhere in an expression: sum(a) / count(*).
  void AddAggregates(View expression) {
    if (expression.IsArray()) {
      expression.ForEachElement([this](View element) {
        AddAggregates(element);
        return true;
      });
      return;
    }
    if (!expression.IsObject() || Text(expression, "class") == "SUBQUERY") return;
    AddAggregate(expression);
    expression.ForEachMember([this](std::string_view, View member) {
      AddAggregates(member);
      return true;
    });
  }

  void AddAggregate(View expression) {
    if (Text(expression, "class") != "FUNCTION") return;
    if (Member(expression, "is_operator").AsBoolean().value_or(true)) return;
    if (Member(expression, "distinct").AsBoolean().value_or(true)) return;
    std::optional<ColumnName> column;
    Member(expression, "children").ForEachElement([&](View argument) {
      column = ColumnOf(argument);
      return false;
    });
    if (!column.has_value()) return;
    facts_.aggregates.push_back(
        {.function = AsciiLower(Text(expression, "function_name")), .column = *column});
  }

  void AddTextFilter(View term) {
    if (Text(term, "type") != "COMPARE_EQUAL") return;
    View column = Member(term, "left");
    View constant = Member(term, "right");
    if (!ColumnOf(column).has_value()) std::swap(column, constant);
    const auto name = ColumnOf(column);
    auto value = TextConstantOf(constant);
    if (!name.has_value() || !value.has_value()) return;
    facts_.text_filters.push_back({.column = *name, .value = *std::move(value)});
  }

  StatementFacts facts_;
};

}  // namespace

std::optional<StatementFacts> FactsOf(std::string_view tree) {
  // As deep and as large as the guard lets statements be.
  constexpr json::ParseLimits kLimits{
      .depth_max = 4'000, .nodes_max = 4'000'000, .refuse_duplicate_keys = false};
  json::Document document;
  const auto root = document.Parse(tree, kLimits);
  if (!root.has_value()) return {};
  View node;
  Member(*root, "statements").ForEachElement([&](View statement) {
    node = Member(statement, "node");
    return false;
  });
  return FactReader().Read(node);
}

}  // namespace ducat::analyst
