#include "worker/child/guard/grammar.h"

#include <algorithm>

namespace ducat::guard {
namespace {

using enum Holds;

constexpr FieldRule Plain(std::string_view name) {
  return {.name = name};
}
constexpr FieldRule Empty(std::string_view name) {
  return {.name = name, .holds = kEmpty};
}
constexpr FieldRule Names(std::string_view name) {
  return {.name = name, .holds = kNames};
}
constexpr FieldRule Expression(std::string_view name) {
  return {.name = name, .holds = kNode};
}
constexpr FieldRule MaybeExpression(std::string_view name) {
  return {.name = name, .holds = kMaybeNode};
}
constexpr FieldRule Expressions(std::string_view name) {
  return {.name = name, .holds = kNodes};
}
constexpr FieldRule Table(std::string_view name) {
  return {.name = name, .holds = kNode, .place = NodePlace::kTable};
}
constexpr FieldRule Query(std::string_view name, Holds holds = kNode) {
  return {.name = name, .holds = holds, .place = NodePlace::kQuery};
}
constexpr FieldRule Struct(std::string_view name, const Rule* inner, Holds holds = kStruct) {
  return {.name = name, .holds = holds, .inner = inner};
}

// Types and values
// ------------------------------------------------------------------------------------------------
extern const Rule kValue;

constexpr FieldRule kTypeFields[] = {
    Plain("id"), {.name = "type_info", .holds = kMaybeNode, .place = NodePlace::kTypeInfo}};
constexpr Rule kType{"type", kTypeFields};

// Beside plain values: wide integers have two halves, nested values have children.
constexpr FieldRule kWideFields[] = {Plain("upper"), Plain("lower"),
                                     Struct("children", &kValue, kStructs)};
constexpr Rule kWide{"wide value", kWideFields};
constexpr FieldRule kValueFields[] = {Struct("type", &kType), Plain("is_null"),
                                      Struct("value", &kWide, kPlainOrStruct)};
constinit const Rule kValue{"value", kValueFields};

constexpr FieldRule kChildTypeFields[] = {Plain("first"), Struct("second", &kType)};
constexpr Rule kChildType{"child type", kChildTypeFields};

constexpr FieldRule kPlainInfo[] = {Plain("type"), Plain("alias"), Empty("extension_info")};
constexpr FieldRule kListInfo[] = {Plain("type"), Plain("alias"), Empty("extension_info"),
                                   Struct("child_type", &kType)};
constexpr FieldRule kStructInfo[] = {Plain("type"), Plain("alias"), Empty("extension_info"),
                                     Struct("child_types", &kChildType, kStructs)};
constexpr FieldRule kEnumInfo[] = {Plain("type"), Plain("alias"), Empty("extension_info"),
                                   Names("values")};
constexpr FieldRule kUnboundInfo[] = {Plain("type"),
                                      Plain("alias"),
                                      Empty("extension_info"),
                                      Plain("name"),
                                      Plain("catalog"),
                                      Plain("schema"),
                                      Struct("user_type_modifiers", &kValue, kStructs)};
constexpr Rule kTypeInfos[] = {{"GENERIC_TYPE_INFO", kPlainInfo},
                               {"DECIMAL_TYPE_INFO", kPlainInfo},
                               {"STRING_TYPE_INFO", kPlainInfo},
                               {"INTEGER_LITERAL_TYPE_INFO", kPlainInfo},
                               {"LIST_TYPE_INFO", kListInfo},
                               {"ARRAY_TYPE_INFO", kListInfo},
                               {"STRUCT_TYPE_INFO", kStructInfo},
                               {"ENUM_TYPE_INFO", kEnumInfo},
                               {"UNBOUND_TYPE_INFO", kUnboundInfo, Meaning::kUserType}};

// Parts of nodes
// ------------------------------------------------------------------------------------------------
constexpr FieldRule kOrderFields[] = {Plain("type"), Plain("null_order"), Expression("expression")};
constexpr Rule kOrder{"order", kOrderFields};

constexpr FieldRule kCaseCheckFields[] = {Expression("when_expr"), Expression("then_expr")};
constexpr Rule kCaseCheck{"case", kCaseCheckFields};

constexpr FieldRule kParameterNameFields[] = {Plain("key"), Plain("value")};
constexpr Rule kParameterName{"parameter", kParameterNameFields};
constexpr FieldRule kStatementFields[] = {Query("node"),
                                          Struct("named_param_map", &kParameterName, kStructs)};
constexpr Rule kStatement{"statement", kStatementFields};

constexpr FieldRule kCteInfoFields[] = {Names("aliases"), Struct("query", &kStatement),
                                        Plain("materialized"), Expressions("key_targets")};
constexpr Rule kCteInfo{"cte", kCteInfoFields};
constexpr FieldRule kCteFields[] = {Plain("key"), Struct("value", &kCteInfo)};
constexpr Rule kCte{"cte", kCteFields};
constexpr FieldRule kCteMapFields[] = {Struct("map", &kCte, kStructs)};
constexpr Rule kCteMap{"cte list", kCteMapFields};

constexpr FieldRule kSampleFields[] = {Struct("sample_size", &kValue), Plain("is_percentage"),
                                       Plain("method"), Plain("seed")};
constexpr Rule kSample{"sample", kSampleFields};

constexpr FieldRule kColumnNameFields[] = {Plain("catalog"), Plain("schema"), Plain("table"),
                                           Plain("column")};
constexpr Rule kColumnName{"column name", kColumnNameFields};
constexpr FieldRule kReplaceFields[] = {Plain("key"), Expression("value")};
constexpr Rule kReplace{"replace", kReplaceFields};
constexpr FieldRule kRenameFields[] = {Struct("key", &kColumnName), Plain("value")};
constexpr Rule kRename{"rename", kRenameFields};

constexpr FieldRule kPivotEntryFields[] = {Struct("values", &kValue, kStructs),
                                           MaybeExpression("star_expr"), Plain("alias")};
constexpr Rule kPivotEntry{"pivot value", kPivotEntryFields};
constexpr FieldRule kPivotColumnFields[] = {
    Expressions("pivot_expressions"), Names("unpivot_names"),
    Struct("entries", &kPivotEntry, kStructs), Plain("pivot_enum")};
constexpr Rule kPivotColumn{"pivot column", kPivotColumnFields};

// Query nodes
// ------------------------------------------------------------------------------------------------
constexpr FieldRule Modifiers() {
  return {.name = "modifiers", .holds = kNodes, .place = NodePlace::kModifier};
}
constexpr FieldRule kSelectFields[] = {Plain("type"),
                                       Modifiers(),
                                       Struct("cte_map", &kCteMap),
                                       Expressions("select_list"),
                                       Table("from_table"),
                                       MaybeExpression("where_clause"),
                                       Expressions("group_expressions"),
                                       {.name = "group_sets", .holds = kNumbers},
                                       Plain("aggregate_handling"),
                                       MaybeExpression("having"),
                                       Struct("sample", &kSample, kMaybeStruct),
                                       MaybeExpression("qualify")};
constexpr FieldRule kSetOperationFields[] = {
    Plain("type"), Modifiers(),    Struct("cte_map", &kCteMap), Plain("setop_type"),
    Query("left"), Query("right"), Plain("setop_all"),          Query("children", kNodes)};
constexpr FieldRule kRecursiveFields[] = {
    Plain("type"),     Modifiers(),        Struct("cte_map", &kCteMap),
    Plain("cte_name"), Plain("union_all"), Query("left"),
    Query("right"),    Names("aliases"),   Expressions("key_targets")};
constexpr FieldRule kCteNodeFields[] = {
    Plain("type"),     Modifiers(),          Struct("cte_map", &kCteMap),
    Plain("cte_name"), Query("query"),       Query("child"),
    Names("aliases"),  Plain("materialized")};
constexpr Rule kQueries[] = {{"SELECT_NODE", kSelectFields, Meaning::kSelect},
                             {"SET_OPERATION_NODE", kSetOperationFields, Meaning::kSelect},
                             {"RECURSIVE_CTE_NODE", kRecursiveFields, Meaning::kRecursiveCte},
                             {"CTE_NODE", kCteNodeFields, Meaning::kCteNode}};

// Modifiers
// ------------------------------------------------------------------------------------------------
constexpr FieldRule kLimitFields[] = {Plain("type"), MaybeExpression("limit"),
                                      MaybeExpression("offset")};
constexpr FieldRule kOrderModifierFields[] = {Plain("type"), Struct("orders", &kOrder, kStructs)};
constexpr FieldRule kDistinctFields[] = {Plain("type"), Expressions("distinct_on_targets")};
constexpr Rule kModifiers[] = {{"LIMIT_MODIFIER", kLimitFields},
                               {"LIMIT_PERCENT_MODIFIER", kLimitFields},
                               {"ORDER_MODIFIER", kOrderModifierFields},
                               {"DISTINCT_MODIFIER", kDistinctFields}};

// Table references
// ------------------------------------------------------------------------------------------------
#define TABLE_FIELDS \
  Plain("type"), Plain("alias"), Struct("sample", &kSample, kMaybeStruct), Plain("query_location")
constexpr FieldRule kBaseTableFields[] = {TABLE_FIELDS,          Plain("schema_name"),
                                          Plain("table_name"),   Names("column_name_alias"),
                                          Plain("catalog_name"), Empty("at_clause")};
constexpr FieldRule kJoinFields[] = {TABLE_FIELDS,
                                     Table("left"),
                                     Table("right"),
                                     MaybeExpression("condition"),
                                     Plain("join_type"),
                                     Plain("ref_type"),
                                     Names("using_columns"),
                                     Plain("delim_flipped"),
                                     Empty("duplicate_eliminated_columns")};
constexpr FieldRule kSubqueryRefFields[] = {TABLE_FIELDS, Struct("subquery", &kStatement),
                                            Names("column_name_alias")};
constexpr FieldRule kTableFunctionFields[] = {TABLE_FIELDS, Expression("function"),
                                              Names("column_name_alias"), Plain("with_ordinality")};
constexpr FieldRule kEmptyFromFields[] = {TABLE_FIELDS};
constexpr FieldRule kExpressionListFields[] = {TABLE_FIELDS,
                                               Names("expected_names"),
                                               Struct("expected_types", &kType, kStructs),
                                               {.name = "values", .holds = kNodeRows}};
constexpr FieldRule kPivotFields[] = {TABLE_FIELDS,
                                      Table("source"),
                                      Expressions("aggregates"),
                                      Names("unpivot_names"),
                                      Struct("pivots", &kPivotColumn, kStructs),
                                      Names("groups"),
                                      Names("column_name_alias"),
                                      Plain("include_nulls")};
constexpr FieldRule kShowFields[] = {
    TABLE_FIELDS,       Plain("table_name"),   Query("query", kMaybeNode),
    Plain("show_type"), Plain("catalog_name"), Plain("schema_name")};
#undef TABLE_FIELDS
constexpr Rule kTables[] = {{"BASE_TABLE", kBaseTableFields, Meaning::kBaseTable},
                            {"JOIN", kJoinFields},
                            {"SUBQUERY", kSubqueryRefFields, Meaning::kTableOther},
                            {"TABLE_FUNCTION", kTableFunctionFields, Meaning::kTableFunction},
                            {"EMPTY", kEmptyFromFields},
                            {"EXPRESSION_LIST", kExpressionListFields, Meaning::kValues},
                            {"PIVOT", kPivotFields, Meaning::kTableOther},
                            {"SHOW_REF", kShowFields, Meaning::kShow}};

// Expressions
// ------------------------------------------------------------------------------------------------
#define EXPRESSION_FIELDS Plain("class"), Plain("type"), Plain("alias"), Plain("query_location")
constexpr FieldRule kBetweenFields[] = {EXPRESSION_FIELDS, Expression("input"), Expression("lower"),
                                        Expression("upper")};
constexpr FieldRule kCaseFields[] = {
    EXPRESSION_FIELDS, Struct("case_checks", &kCaseCheck, kStructs), Expression("else_expr")};
constexpr FieldRule kCastFields[] = {EXPRESSION_FIELDS, Expression("child"),
                                     Struct("cast_type", &kType), Plain("try_cast")};
constexpr FieldRule kCollateFields[] = {EXPRESSION_FIELDS, Expression("child"), Plain("collation")};
constexpr FieldRule kColumnFields[] = {EXPRESSION_FIELDS, Names("column_names")};
constexpr FieldRule kLambdaRefFields[] = {EXPRESSION_FIELDS, Plain("lambda_idx"),
                                          Plain("column_name")};
constexpr FieldRule kComparisonFields[] = {EXPRESSION_FIELDS, Expression("left"),
                                           Expression("right")};
constexpr FieldRule kChildrenFields[] = {EXPRESSION_FIELDS, Expressions("children")};
constexpr FieldRule kConstantFields[] = {EXPRESSION_FIELDS, Struct("value", &kValue)};
constexpr FieldRule kFunctionFields[] = {
    EXPRESSION_FIELDS,
    Plain("function_name"),
    Plain("schema"),
    Expressions("children"),
    MaybeExpression("filter"),
    {.name = "order_bys", .holds = kMaybeNode, .place = NodePlace::kModifier},
    Plain("distinct"),
    Plain("is_operator"),
    Plain("export_state"),
    Plain("catalog")};
constexpr FieldRule kLambdaFields[] = {EXPRESSION_FIELDS, Expression("lhs"), Expression("expr"),
                                       Plain("syntax_type")};
constexpr FieldRule kParameterFields[] = {EXPRESSION_FIELDS, Plain("identifier")};
constexpr FieldRule kPositionalFields[] = {EXPRESSION_FIELDS, Plain("index")};
constexpr FieldRule kStarFields[] = {EXPRESSION_FIELDS,
                                     Plain("relation_name"),
                                     Names("exclude_list"),
                                     Struct("replace_list", &kReplace, kStructs),
                                     Plain("columns"),
                                     MaybeExpression("expr"),
                                     Plain("unpacked"),
                                     Struct("qualified_exclude_list", &kColumnName, kStructs),
                                     Struct("rename_list", &kRename, kStructs)};
constexpr FieldRule kSubqueryFields[] = {EXPRESSION_FIELDS, Plain("subquery_type"),
                                         Struct("subquery", &kStatement), MaybeExpression("child"),
                                         Plain("comparison_type")};
constexpr FieldRule kWindowFields[] = {EXPRESSION_FIELDS,
                                       Plain("function_name"),
                                       Plain("schema"),
                                       Plain("catalog"),
                                       Expressions("children"),
                                       Expressions("partitions"),
                                       Struct("orders", &kOrder, kStructs),
                                       Plain("start"),
                                       Plain("end"),
                                       MaybeExpression("start_expr"),
                                       MaybeExpression("end_expr"),
                                       MaybeExpression("offset_expr"),
                                       MaybeExpression("default_expr"),
                                       Plain("ignore_nulls"),
                                       MaybeExpression("filter_expr"),
                                       Plain("exclude_clause"),
                                       Plain("distinct"),
                                       Struct("arg_orders", &kOrder, kStructs)};
#undef EXPRESSION_FIELDS
constexpr Rule kExpressions[] = {{"BETWEEN", kBetweenFields},
                                 {"CASE", kCaseFields},
                                 {"CAST", kCastFields},
                                 {"COLLATE", kCollateFields},
                                 {"COLUMN_REF", kColumnFields},
                                 {"COMPARISON", kComparisonFields},
                                 {"CONJUNCTION", kChildrenFields},
                                 {"CONSTANT", kConstantFields},
                                 {"FUNCTION", kFunctionFields, Meaning::kFunction},
                                 {"LAMBDA", kLambdaFields, Meaning::kLambda},
                                 {"LAMBDA_REF", kLambdaRefFields},
                                 {"OPERATOR", kChildrenFields, Meaning::kOperator},
                                 {"PARAMETER", kParameterFields, Meaning::kParameter},
                                 {"POSITIONAL_REFERENCE", kPositionalFields},
                                 {"STAR", kStarFields},
                                 {"SUBQUERY", kSubqueryFields},
                                 {"WINDOW", kWindowFields, Meaning::kWindow}};

std::span<const Rule> NodesOf(NodePlace place) {
  switch (place) {
    case NodePlace::kQuery:
      return kQueries;
    case NodePlace::kTable:
      return kTables;
    case NodePlace::kExpression:
      return kExpressions;
    case NodePlace::kModifier:
      return kModifiers;
    case NodePlace::kTypeInfo:
      return kTypeInfos;
  }
  return {};
}

}  // namespace

const Rule* FindNode(NodePlace place, std::string_view name) {
  const auto nodes = NodesOf(place);
  const auto found = std::ranges::find(nodes, name, &Rule::name);
  return found == nodes.end() ? nullptr : &*found;
}

const FieldRule* FindField(const Rule& rule, std::string_view name) {
  const auto found = std::ranges::find(rule.fields, name, &FieldRule::name);
  return found == rule.fields.end() ? nullptr : &*found;
}

const Rule& StatementRule() {
  return kStatement;
}
const Rule& CteRule() {
  return kCte;
}

}  // namespace ducat::guard
