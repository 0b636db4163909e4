#include "packs/analyst/jobs/plan_text.h"

#include <utility>

#include "worker/child/guard/plan_files.h"

namespace ducat::analyst {

engine::EngineResult<std::string> PlanText(engine::Connection& connection,
                                           std::string_view explain_sql,
                                           const engine::NamedParameters& parameters) {
  auto rows = parameters.empty() ? connection.RunWhole(explain_sql)
                                 : connection.Run(explain_sql, parameters);
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  std::string plan;
  // Rows of a key ("physical_plan") and its text.
  for (const auto& row : *table) {
    if (row.empty()) continue;
    if (!plan.empty()) plan.push_back('\n');
    plan += row.back().value_or("");
  }
  return guard::WithoutFileNames(connection.WithoutFolders(std::move(plan)));
}

}  // namespace ducat::analyst
