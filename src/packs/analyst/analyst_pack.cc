#include "packs/analyst/analyst_pack.h"

#include <utility>

#include "packs/analyst/instructions.h"
#include "packs/analyst/tools/analyst_tools.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/saved_query_tools.h"

namespace ducat::analyst {

namespace {

std::string SavedQueriesFile(const AnalystSettings& settings) {
  if (!settings.saved_queries_file.empty()) return settings.saved_queries_file;
  return settings.state_dir.empty() ? "" : settings.state_dir + "/saved_queries.json";
}

std::string ShippedQueriesFile(const AnalystSettings& settings) {
  return settings.data_root.empty() ? "" : settings.data_root + "/saved_queries.json";
}

}  // namespace

AnalystPack::AnalystPack(const DatasetParts& parts, FileScan scan)
    : log_(parts.log),
      dataset_(parts, std::move(scan)),
      saved_queries_(SavedQueriesFile(parts.settings), ShippedQueriesFile(parts.settings)),
      resources_(dataset_) {}

Status AnalystPack::RegisterSavedQueries(mcp::Registry& registry) {
  for (const Error& problem : saved_queries_.Load()) {
    log_.Write(LogLevel::kWarning, "a saved query was left out", {{"reason", problem.reason}});
  }
  registry.WillChange(mcp::Registry::Change::kTools);
  TRY(registry.AddTool(MakeSaveQuery(
      dataset_, saved_queries_,
      [this, &registry](const SavedQuery& query) { OfferSavedQuery(registry, query); })));
  TRY(registry.AddTool(MakeListSavedQueries(dataset_, saved_queries_)));
  registry.AddDisabledTool(
      {.name = "saved_*",
       .reason = "unknown_saved_query",
       .why = "no saved query is offered under this name",
       .hint = "list_saved_queries shows all; names above 34 characters become no tool."});
  for (const SavedQuery* query : saved_queries_.All()) {
    OfferSavedQuery(registry, *query);
  }
  return {};
}

// A query that cannot be a tool stays saved: list_saved_queries shows it.
void AnalystPack::OfferSavedQuery(mcp::Registry& registry, const SavedQuery& query) {
  registry.RemoveTool(SavedToolName(query));
  if (query.name.size() > kSavedToolNameMax) return;
  if (const Status added = registry.AddTool(MakeSavedQuery(dataset_, query)); !added) {
    log_.Write(LogLevel::kWarning, "a saved query cannot be offered as a tool",
               {{"reason", added.error().reason}});
  }
}

Status AnalystPack::Register(mcp::Registry& registry) {
  TRY(registry.AddTool(MakeListTables(dataset_)));
  TRY(registry.AddTool(MakeDescribeTable(dataset_)));
  TRY(registry.AddTool(MakeProfileTable(dataset_)));
  TRY(registry.AddTool(MakeSampleRows(dataset_)));
  TRY(registry.AddTool(MakeQuery(dataset_)));
  TRY(registry.AddTool(MakeExplainQuery(dataset_)));
  TRY(registry.AddTool(MakeSearchColumns(dataset_)));
  TRY(registry.AddTool(MakeTableRelationships(dataset_)));
  if (dataset_.settings().allow_saved_queries) {
    TRY(RegisterSavedQueries(registry));
  } else {
    for (const char* const name : {"save_query", "list_saved_queries", "saved_*"}) {
      registry.AddDisabledTool({.name = name,
                                .reason = "saved_queries_disabled",
                                .why = "saved queries are off",
                                .hint = "Start ducat with --allow-saved-queries to have it."});
    }
  }
  TRY(resources_.Register(registry));
  registry.SetInstructions(
      [this] {
        dataset_.TryListNow();
        return Instructions(dataset_);
      },
      {std::string(kReadScope)});
  return {};
}

}  // namespace ducat::analyst
