#include "mcp/tool.h"

#include <utility>

namespace ducat::mcp::internal {

Status DecodeTool(const ToolInfo& info, json::View arguments, const DecodeTarget& target) {
  const json::DecodeReport report = json::DecodeArguments(target.shape, arguments, target.out);
  target.repairs = {.aliased = report.repairs.aliased.size(),
                    .ignored = report.repairs.ignored.size(),
                    .coerced = report.repairs.coerced.size()};
  if (report.issues.empty()) return {};
  return Failure(json::ArgumentsError(info.name, report));
}

}  // namespace ducat::mcp::internal
