#pragma once
// Judges and binds a saved statement without running it, with stand-in values for its parameters,
// by the same job as explain_query. Control thread only.

#include <map>
#include <string>

#include "base/task.h"
#include "mcp/call_context.h"
#include "packs/analyst/dataset.h"
#include "packs/analyst/saved_queries.h"

namespace ducat::analyst {

// Fails as query would.
[[nodiscard]] Task<void> CheckStatement(Dataset& dataset, std::string sql,
                                        std::map<std::string, SavedParameter> params,
                                        mcp::CallContext& context);

}  // namespace ducat::analyst
