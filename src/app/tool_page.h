#pragma once
// The reference page of a pack's tools, from the same descriptions that clients get (docs/tools/).
// Pure function of the registry.

#include <string>
#include <string_view>

#include "mcp/registry.h"

namespace ducat::app {

[[nodiscard]] std::string ToolReference(const mcp::Registry& registry, std::string_view pack);

}  // namespace ducat::app
