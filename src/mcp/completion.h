#pragma once
// completion/complete: finds the source of an argument and ranks its values (protocol.md 11.2).
// Pure but for the sources, which packs provide.

#include <string>
#include <string_view>
#include <vector>

#include "json/view.h"
#include "json/writer.h"
#include "mcp/limits.h"
#include "mcp/params.h"
#include "mcp/registry.h"

namespace ducat::mcp {

// Prefix matches first, then values that contain `typed`, both without case and in alphabetical
// order.
[[nodiscard]] std::vector<std::string> RankCompletions(std::vector<std::string> values,
                                                       std::string_view typed);

// Adds the member `completion` to an open result; -32602 for an unknown ref or argument.
[[nodiscard]] Params<void> AppendCompletion(const Registry& registry, json::View params,
                                            const Limits& limits, json::JsonWriter& out);

}  // namespace ducat::mcp
