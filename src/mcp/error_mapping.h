#pragma once
// How a failure of a tool, resource or prompt looks on the wire: the one table from ErrorCode to
// numbers (protocol.md 14.5), the tool result with both surfaces, the JSON-RPC error. Pure
// functions.

#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/revision.h"
#include "mcp/rpc_error.h"
#include "mcp/tool.h"

namespace ducat::mcp {

// Reasons that any tool may answer with; tools declare only further ones.
namespace reason {
inline constexpr std::string_view kInvalidArguments = "invalid_arguments";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kOverloaded = "overloaded";
inline constexpr std::string_view kRateLimited = "rate_limited";
inline constexpr std::string_view kResultTooLarge = "result_too_large";
inline constexpr std::string_view kClientInputUnavailable = "client_input_unavailable";
inline constexpr std::string_view kWorkerCrashed = "worker_crashed";
// The client has not declared what the call needs; `data` names it.
inline constexpr std::string_view kMissingCapability = "missing_client_capability";
// The call ends with questions to the client; never seen by it.
inline constexpr std::string_view kInputRequired = "input_required";
inline constexpr std::string_view kInternalError = "internal_error";
inline constexpr std::string_view kResourceNotFound = "resource_not_found";
}  // namespace reason

inline constexpr std::string_view kInternalErrorText = "Internal error. Quote the request id.";

// The code inside a tool's error object.
[[nodiscard]] int ToolErrorCode(const Error& error);
// The code of a JSON-RPC error for a failure outside tools/call.
[[nodiscard]] int RpcErrorCode(const Error& error, Revision revision);
// Whether trying again can help: the declaration of the reason decides, else error and code.
[[nodiscard]] bool IsRetryable(const Error& error, const ToolInfo* info);

// The text of a tool error, plain.
[[nodiscard]] std::string ErrorText(const Error& error, const ToolInfo& info,
                                    std::string_view request_id);
// {"error":{…}}: the structured form.
[[nodiscard]] std::string ErrorStructured(const Error& error, const ToolInfo& info,
                                          std::string_view request_id);

// For methods other than tools/call. `uri`: the resource asked for, goes into data; may be empty.
[[nodiscard]] RpcError ToRpcError(const Error& error, Revision revision,
                                  std::string_view request_id, std::string_view uri);

// The object schema of the member `error` of a tool's outputSchema.
[[nodiscard]] std::string ErrorSchema(const ToolInfo& info);

}  // namespace ducat::mcp
