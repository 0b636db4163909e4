#pragma once
// Router: the ladder of protocol.md 3 as a function of one message and its session's revision:
// which era a message belongs to, or why it is refused. Decides by the body alone; over HTTP the
// headers must agree with it. Pure; views borrow from the message.

#include <optional>

#include <tl/expected.hpp>

#include "mcp/envelope.h"
#include "mcp/http_caller.h"
#include "mcp/message.h"
#include "mcp/method.h"
#include "mcp/revision.h"

namespace ducat::mcp {

// A request that may be served.
struct Routed {
  Method method = Method::kPing;
  Revision revision = kModern;
  Envelope envelope;
};

// Whether it is the request that opens a legacy session: `initialize` without a valid modern
// envelope.
[[nodiscard]] bool IsHandshake(const Message& message);

// `negotiated`: the session's revision after its handshake. `http`: null on other transports.
// Requests only.
[[nodiscard]] tl::expected<Routed, RpcError> RouteRequest(const Message& message,
                                                          std::optional<Revision> negotiated,
                                                          const HttpCaller* http = nullptr);

}  // namespace ducat::mcp
