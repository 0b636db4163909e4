#pragma once
// What a request says about itself: the modern envelope in params._meta (protocol.md 3.1), or for a
// legacy request its progress token alone. Views borrow from the message. Pure.

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "base/log.h"
#include "json/view.h"
#include "mcp/call_context.h"
#include "mcp/message.h"
#include "mcp/revision.h"
#include "mcp/rpc_error.h"

namespace ducat::mcp {

struct Envelope {
  std::string_view version;           // the claim; empty in the legacy era
  json::View capabilities;            // clientCapabilities
  std::optional<LogLevel> log_level;  // only what the request itself asks for
  std::string progress_token;         // raw JSON; empty: no progress
};

// The envelope of a message with a claim; -32602 names the key that is wrong. The version is not
// judged.
[[nodiscard]] tl::expected<Envelope, RpcError> ReadModernEnvelope(const Message& message);
// The part that legacy requests have.
[[nodiscard]] tl::expected<Envelope, RpcError> ReadLegacyEnvelope(const Message& message);

// What of clientCapabilities, or of initialize's capabilities, the core looks at.
[[nodiscard]] ClientCapabilities ReadClientCapabilities(json::View capabilities);

// One of the eight levels by its exact name.
[[nodiscard]] std::optional<LogLevel> ParseProtocolLogLevel(std::string_view text);

// -32021 for what only a client with the tasks extension may do.
[[nodiscard]] RpcError MissingTasksExtension(std::string_view what);

// -32602 for a modern-only method without a claim: data.missing lists the keys.
[[nodiscard]] RpcError MissingEnvelope(std::string_view method);

}  // namespace ducat::mcp
