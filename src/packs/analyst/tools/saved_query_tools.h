#pragma once
// Saved queries as tools (analyst.md 5.9), only with --allow-saved-queries: one to save, one to
// list, and one per saved query. Control thread only; what they borrow outlives them.

#include <functional>

#include "mcp/tool.h"
#include "packs/analyst/dataset.h"
#include "packs/analyst/saved_queries.h"

namespace ducat::analyst {

// `saved` is called after a query was kept, to offer it as a tool.
[[nodiscard]] mcp::Tool MakeSaveQuery(Dataset& dataset, SavedQueries& queries,
                                      std::function<void(const SavedQuery&)> saved);
[[nodiscard]] mcp::Tool MakeListSavedQueries(Dataset& dataset, SavedQueries& queries);

// saved_<name>, with the query's parameters as its input.
[[nodiscard]] mcp::Tool MakeSavedQuery(Dataset& dataset, const SavedQuery& query);
[[nodiscard]] std::string SavedToolName(const SavedQuery& query);

}  // namespace ducat::analyst
