#include "mcp/tool.h"

#include <utility>

namespace ducat::mcp::internal {

Status DecodeTool(const ToolInfo& info, const json::Shape& input, json::View arguments, void* out) {
  const json::DecodeReport report = json::DecodeArguments(input, arguments, out);
  if (report.issues.empty()) return {};
  return Failure(json::ArgumentsError(info.name, report));
}

}  // namespace ducat::mcp::internal
