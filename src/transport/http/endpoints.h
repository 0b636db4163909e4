#pragma once
// The answers that are no MCP: the fixed endpoints (protocol.md 7.5), and refusals in the form that
// their route wants. Pure functions of the server's shared state.

#include <optional>

#include "transport/http/gate.h"
#include "transport/http/http_core.h"
#include "transport/http/response.h"

namespace ducat::transport {

[[nodiscard]] Response AnswerEndpoint(Route route, const HttpCore& core, const RequestHead& head);

// `head` is null when it could not be read. On /mcp the body is a JSON-RPC error.
[[nodiscard]] Response AnswerRefusal(const Refusal& refusal, bool on_mcp, const RequestHead* head);

}  // namespace ducat::transport
