#include <algorithm>
#include <array>

#include "base/text.h"
#include "worker/child/guard/function_hints.h"
#include "worker/child/guard/paths.h"
#include "worker/child/guard/tree_walk.h"

namespace ducat::guard {
namespace {

constexpr size_t kTableNamesShown = 10;

std::string FunctionHintOf(std::string_view name) {
  if (const auto hint = HintForDenied(name); !hint.empty()) return std::string(hint);
  if (ReaderFamilyOf(name).has_value()) {
    return "Files cannot be read here: query the tables; SHOW TABLES lists them.";
  }
  return "Only functions that compute values from their arguments run here.";
}

std::string Quoted(std::string_view name) {
  return '"' + std::string(ClipUtf8(name, 200)) + '"';
}

std::string Listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  return list;
}

std::string TableHint(const worker::child::MountedCatalog& catalog,
                      const std::vector<std::string>& near) {
  if (!near.empty()) return "Did you mean " + Listed(near) + "? SHOW TABLES lists all tables.";
  std::vector<std::string> names;
  for (const auto& [name, table] : catalog.tables()) {
    if (names.size() == kTableNamesShown) break;
    names.push_back(name);
  }
  if (names.empty()) return "There are no tables yet.";
  return "Tables: " + Listed(names) + (catalog.tables().size() > names.size() ? ", ..." : "") +
         ". Call list_tables or use SHOW TABLES to list them.";
}

}  // namespace

void TreeWalk::BaseTable(json::View node) {
  const uint64_t location = LocationOf(node);
  const TableName name{.catalog = TextOf(node, "catalog_name"),
                       .schema = TextOf(node, "schema_name"),
                       .name = TextOf(node, "table_name")};
  if (input_.neighbours != nullptr) return StoredTable(name, location);
  const TableVerdict verdict = names_.Resolve(name);
  switch (verdict.answer) {
    case TableAnswer::kCte:
      return;
    case TableAnswer::kTable:
      result_.tables.insert(verdict.table->name);
      result_.reads_tables = true;
      if (!verdict.table->db_name.empty()) result_.reads_database = true;
      return;
    case TableAnswer::kMaybePath:
      if (LooksLikePath(name.name)) return PathTable(node, name.name, location);
      [[fallthrough]];
    case TableAnswer::kSystem:
    case TableAnswer::kUnknown:
      return RefuseTable(verdict, name, location);
  }
}

// Only the engine's own catalogs and files are refused; who asks knows what the database has.
void TreeWalk::StoredTable(const TableName& name, uint64_t location) {
  const bool bare = name.schema.empty() && name.catalog.empty();
  if (names_.Resolve(name).answer == TableAnswer::kCte) return;
  std::string lower = AsciiLower(name.name);
  const bool beside = input_.neighbours->contains(lower);
  const bool system = IsSystemSchema(name.schema) || IsSystemSchema(name.catalog);
  if (system || (IsSystemName(name.name) && !beside)) {
    return RefuseTable({TableAnswer::kSystem}, name, location);
  }
  if (bare && !beside && LooksLikePath(name.name)) {
    return Add({.rank = FindingClass::kTableOrPath,
                .code = "file_access_denied",
                .message = "The file " + Quoted(name.name) + " is not read through a database.",
                .rule = "path"},
               location);
  }
  result_.tables.insert(std::move(lower));
}

void TreeWalk::RefuseTable(const TableVerdict& verdict, const TableName& name, uint64_t location) {
  std::string whole;
  for (const std::string_view part : {name.catalog, name.schema, name.name}) {
    if (!whole.empty()) whole += '.';
    whole += part;
  }
  if (verdict.answer == TableAnswer::kSystem) {
    return Add({.rank = FindingClass::kSystemCatalog,
                .code = "system_catalog_access",
                .message = "The engine's own catalog " + Quoted(whole) + " cannot be read.",
                .hint = "Use SHOW TABLES and DESCRIBE, or call list_tables and describe_table.",
                .token = whole,
                .rule = "table_names"},
               location);
  }
  std::vector<std::string_view> candidates;
  for (const auto& [key, table] : input_.catalog.tables()) {
    candidates.push_back(key);
  }
  const std::vector<std::string> near = NearNames(name.name, candidates, 3);
  Finding finding{.rank = FindingClass::kTableOrPath,
                  .code = "unknown_table",
                  .message = "There is no table " + Quoted(whole) + ".",
                  .hint = TableHint(input_.catalog, near),
                  .token = whole,
                  .rule = "table_names",
                  .caret = true};
  const bool bare = name.schema.empty() && name.catalog.empty();
  if (bare && near.size() == 1) finding.replacement = near[0];
  Add(std::move(finding), location);
}

void TreeWalk::Show(json::View node) {
  const std::string_view type = TextOf(node, "show_type");
  // The engine writes SHOW DATABASES down as DESCRIBE "databases".
  if (input_.neighbours != nullptr) return Unsupported("SHOW or DESCRIBE");
  if (type == "DESCRIBE" || type == "SUMMARY") {
    if (node.Find("query").value_or(json::View()).IsNull()) Unsupported(type);
    return;
  }
  const std::string_view name = TextOf(node, "table_name");
  const bool list =
      type == "SHOW_UNQUALIFIED" &&
      (name == "\"tables\"" || name == "__show_tables_expanded" || name == "\"databases\"");
  if (input_.written_paths != nullptr || (!list && type != "SHOW_FROM")) {
    return Unsupported("SHOW " + std::string(name));
  }
  if (type == "SHOW_FROM") {
    const std::string_view schema = TextOf(node, "schema_name");
    const std::string_view catalog = TextOf(node, "catalog_name");
    const TableVerdict verdict = names_.ResolveSchema(catalog, schema);
    if (verdict.answer != TableAnswer::kTable) {
      return RefuseTable(verdict, {.catalog = catalog, .name = schema}, kNowhere);
    }
  }
  result_.listings.push_back({});
}

void TreeWalk::Function(json::View node, FunctionPlace place) {
  const uint64_t location = LocationOf(node);
  const std::string name = AsciiLower(TextOf(node, "function_name"));
  const FunctionVerdict verdict = JudgeFunction(name, place, input_.profile);
  if (verdict.answer != FunctionAnswer::kAllowed) {
    return RefuseFunction(verdict, name, place, location);
  }
  result_.functions.insert(name);
  // A macro of the database file may bear the name of an allowed function.
  const bool database = EqualsIgnoringCase(TextOf(node, "catalog"), "db") ||
                        EqualsIgnoringCase(TextOf(node, "schema"), "db");
  if (database && names_.has_database()) {
    RefuseFunction({FunctionAnswer::kDenied, "macros of the database file do not run"}, name, place,
                   location);
  }
  if (place == FunctionPlace::kExpression) Dispatch(node, name);
}

void TreeWalk::RefuseFunction(const FunctionVerdict& verdict, std::string_view name,
                              FunctionPlace place, uint64_t location) {
  const std::string shown(ClipUtf8(name, 200));
  if (verdict.answer == FunctionAnswer::kUnknown) {
    const std::string_view foreign = HintForForeign(name);
    const std::vector<std::string> near =
        foreign.empty() ? NearFunctions(name, place, input_.profile) : std::vector<std::string>{};
    Finding finding{.rank = FindingClass::kOther,
                    .code = "unknown_function",
                    .message = "There is no function " + shown + ".",
                    .hint = foreign.empty() ? near.empty() ? "Check the name of the function."
                                                           : "Did you mean " + Listed(near) + "?"
                                            : std::string(foreign),
                    .rule = "function_list",
                    .caret = true};
    if (near.size() == 1 && EditDistance(name, near[0], 2) <= 2) finding.replacement = near[0];
    return Add(std::move(finding), location);
  }
  Finding finding{.rank = FindingClass::kDeniedFunction,
                  .code = "denied_function",
                  .token = shown,
                  .rule = "function_list"};
  if (verdict.answer == FunctionAnswer::kOtherPlace) {
    const bool table = place == FunctionPlace::kTable;
    finding.message = "The function " + shown +
                      (table ? " gives a value, not a table." : " gives a table, not a value.");
    finding.hint = table ? "Use it in an expression: SELECT " + shown + "(...)."
                         : "Use it in FROM: SELECT * FROM " + shown + "(...).";
  } else {
    finding.message =
        "The function " + shown + " is not allowed (" + std::string(verdict.reason) + ").";
    finding.hint = FunctionHintOf(name);
  }
  Add(std::move(finding), location);
}

// list_aggregate(list, 'name', ...) and its kin call the aggregate that a value names.
void TreeWalk::Dispatch(json::View node, std::string_view name) {
  static constexpr std::array<std::string_view, 5> kDispatchers{
      "list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate"};
  if (std::ranges::find(kDispatchers, name) == kDispatchers.end()) return;
  const std::string_view schema = TextOf(node, "schema");
  // `column.list_aggregate('sum')`: the column becomes the first argument only when it is bound.
  const std::string_view catalog = TextOf(node, "catalog");
  const bool qualified =
      (EqualsIgnoringCase(schema, "main") || EqualsIgnoringCase(schema, "pg_catalog")) &&
      (catalog.empty() || EqualsIgnoringCase(catalog, "system"));
  const bool method = !schema.empty() && !qualified;
  size_t index = method ? 0 : 1;
  std::string_view aggregate;
  bool constant = false;
  node.Find("children").value_or(json::View()).ForEachElement([&](json::View child) {
    if (index-- > 0) return true;
    const auto value = child.Find("value").value_or(json::View()).Find("value");
    constant = TextOf(child, "class") == "CONSTANT" && value.has_value() && value->IsString();
    if (constant) aggregate = *value->AsString();
    return false;
  });
  if (constant && IsAllowedAggregate(aggregate)) return;
  Add({.rank = FindingClass::kDeniedFunction,
       .code = "denied_function",
       .message = std::string(name) + " needs the name of an allowed aggregate, as a string" +
                  (constant ? "; " + Quoted(aggregate) + " is none." : "."),
       .hint = "Write for example list_aggregate(l, 'sum'), or list_sum(l).",
       .token = std::string(name),
       .rule = "function_list"},
      LocationOf(node));
}

void TreeWalk::Parameter(json::View node) {
  std::string name = AsciiLower(TextOf(node, "identifier"));
  if (parameters_.insert(name).second) result_.parameters.push_back(std::move(name));
}

void TreeWalk::UserType(json::View node) {
  if (!TextOf(node, "catalog").empty() || !TextOf(node, "schema").empty()) {
    Unsupported("type of another schema");
  }
}

}  // namespace ducat::guard
