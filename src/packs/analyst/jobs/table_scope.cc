#include "packs/analyst/jobs/table_scope.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "json/view.h"
#include "packs/analyst/jobs/judged_statement.h"
#include "packs/analyst/jobs/run_failure.h"
#include "worker/child/engine/connection.h"
#include "worker/child/guard/plan_check.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::analyst {
namespace {

using worker::CatalogTable;
using worker::child::JobContext;

constexpr size_t kNearNamesMax = 3;

std::string Unquoted(std::string_view name) {
  name = Trim(name);
  if (name.size() < 2 || name.front() != '"' || name.back() != '"') return std::string(name);
  std::string plain;
  for (size_t i = 1; i + 1 < name.size(); ++i) {
    plain += name[i];
    if (name[i] == '"' && i + 2 < name.size() && name[i + 1] == '"') ++i;
  }
  return plain;
}

std::string DidYouMean(const std::vector<std::string>& near, std::string_view tool) {
  if (near.empty()) return "Use " + std::string(tool) + " to see the names.";
  std::string hint = "Did you mean ";
  for (size_t i = 0; i < near.size(); ++i) {
    hint += (i == 0 ? "\"" : ", \"") + near[i] + "\"";
  }
  return hint + "?";
}

Failure UnknownTable(std::string_view name, const JobContext& context) {
  std::vector<std::string> names;
  names.reserve(context.catalog.tables().size());
  for (const auto& entry : context.catalog.tables()) {
    names.push_back(entry.first);
  }
  return Fail(
      ErrorCode::kNotFound, "unknown_table", "There is no table \"" + std::string(name) + "\"",
      DidYouMean(NearNames(name, names, kNearNamesMax, NearFallback::kContaining), "list_tables"));
}

Failure UnknownColumn(std::string_view name, const std::vector<ScopedColumn>& columns,
                      std::string_view table) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const ScopedColumn& column : columns) {
    names.push_back(column.name);
  }
  return Fail(ErrorCode::kNotFound, "unknown_column",
              "Table \"" + std::string(table) + "\" has no column \"" + std::string(name) + "\"",
              DidYouMean(NearNames(name, names, kNearNamesMax, NearFallback::kContaining),
                         "describe_table"));
}

// Readable, or why not.
Status CheckMounted(JobContext& context, const CatalogTable& table) {
  if (!table.db_name.empty()) {
    TRY(context.catalog.UseDatabase(context.connection));
  } else if (table.file.empty()) {
    return Fail(ErrorCode::kUnavailable, "table_pending",
                "Table \"" + table.name + "\" is not loaded yet",
                "Try again in a moment; list_tables shows its status.");
  }
  TRY(CheckFile(table));
  const std::string_view problem = context.catalog.Problem(table.name);
  if (problem.empty()) return {};
  return Fail(ErrorCode::kFailedPrecondition, "table_unreadable",
              "Table \"" + table.name + "\" cannot be read: " + std::string(problem),
              "Use list_tables to see its state; other tables work.");
}

// A view of the database file runs what is written in it: its plan is looked at as that of a
// caller's statement (guard.md 6.9).
Status CheckScan(JobContext& context, const TableScope& scope) {
  if (!scope.is_database_object()) return {};
  const auto plan = context.connection.ExplainJson("SELECT * FROM " + scope.Sql());
  if (!plan.has_value()) return Failure(RunFailure(plan.error(), *scope.table));
  json::Document document;
  const auto root = document.Parse(
      *plan, {.depth_max = 20'000, .nodes_max = 20'000'000, .refuse_duplicate_keys = false});
  const std::set<std::string> tables{scope.name};
  const std::set<std::string> no_functions;
  const auto finding =
      guard::CheckPlan(root.value_or(json::View()), {.tables = tables,
                                                     .functions = no_functions,
                                                     .catalog = context.catalog,
                                                     .profile = worker::Profile::kAnalyst});
  if (!finding.has_value()) return {};
  return Fail(ErrorCode::kFailedPrecondition, "table_unreadable",
              "Table \"" + scope.name + "\" cannot be read: its plan has the operator " +
                  finding->token + ", which is not allowed",
              "Use list_tables to see its state; other tables work.");
}

Result<std::vector<ScopedColumn>> ReadColumns(JobContext& context, const TableScope& scope) {
  auto rows = context.connection.RunReadable("SELECT * FROM " + scope.Sql() + " LIMIT 0");
  if (!rows.has_value()) return Failure(RunFailure(rows.error(), *scope.table));
  std::vector<ScopedColumn> columns;
  columns.reserve(rows->columns().size());
  for (size_t i = 0; i < rows->columns().size(); ++i) {
    columns.push_back({.name = rows->columns()[i].name,
                       .type = rows->columns()[i].type,
                       .read_as = rows->types()[i],
                       .position = i});
  }
  return columns;
}

const ScopedColumn* FindColumn(const std::vector<ScopedColumn>& columns, std::string_view name) {
  const auto exact = std::find_if(columns.begin(), columns.end(),
                                  [&](const ScopedColumn& column) { return column.name == name; });
  if (exact != columns.end()) return &*exact;
  const auto loose = std::find_if(columns.begin(), columns.end(), [&](const ScopedColumn& column) {
    return EqualsIgnoringCase(column.name, name);
  });
  return loose == columns.end() ? nullptr : &*loose;
}

}  // namespace

std::string ScopedColumn::Sql() const {
  return engine::QuoteIdentifier(name);
}

std::string TableScope::Sql() const {
  return "main." + engine::QuoteIdentifier(name);
}

Result<TableScope> FindScope(JobContext& context, std::string_view table,
                             const std::vector<std::string>& columns) {
  const std::string wanted = Unquoted(table);
  TableScope scope;
  scope.table = context.catalog.Find(wanted);
  if (scope.table == nullptr) return UnknownTable(wanted, context);
  scope.name = scope.table->name;
  TRY(CheckMounted(context, *scope.table));
  TRY(CheckScan(context, scope));
  TRY_ASSIGN(std::vector<ScopedColumn> all, ReadColumns(context, scope));
  scope.column_count = all.size();
  if (columns.empty()) {
    scope.columns = std::move(all);
    return scope;
  }
  for (const std::string& name : columns) {
    const ScopedColumn* column = FindColumn(all, name);
    if (column == nullptr) column = FindColumn(all, Unquoted(name));
    if (column == nullptr) return UnknownColumn(name, all, scope.name);
    const bool is_repeated =
        std::any_of(scope.columns.begin(), scope.columns.end(),
                    [&](const ScopedColumn& known) { return known.position == column->position; });
    if (!is_repeated) scope.columns.push_back(*column);
  }
  return scope;
}

}  // namespace ducat::analyst
