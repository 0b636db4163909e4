#pragma once
// The rules that a tool or prompt must keep to be registered (protocol.md 7.6, 14.1, 14.2): clients
// drop whole lists over one bad schema, so a broken rule stops the start. Pure functions.

#include "base/result.h"
#include "mcp/resource.h"
#include "mcp/tool.h"

namespace ducat::mcp {

inline constexpr size_t kToolNameMax = 40;
inline constexpr size_t kTitleMax = 60;           // characters
inline constexpr size_t kDescriptionMax = 1'024;  // characters

// Reason "invalid_tool"; the message names the tool, the field and the rule.
[[nodiscard]] Status CheckTool(const Tool& tool);
// Reason "invalid_prompt".
[[nodiscard]] Status CheckPrompt(const Prompt& prompt);

}  // namespace ducat::mcp
