#pragma once
// One JSON-RPC message, decoded but not yet judged by method (protocol.md 2 and the shape rungs of
// 3). Views and string_views borrow from the parsed document and the text. Pure; nothing here
// blocks.

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "json/view.h"
#include "mcp/rpc_error.h"

namespace ducat::mcp {

inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClientInfoKey = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSubscriptionIdKey = "io.modelcontextprotocol/subscriptionId";

inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

inline constexpr size_t kIdBytesMax = 256;
inline constexpr size_t kMethodBytesMax = 128;

struct Message {
  enum class Kind : uint8_t { kRequest, kNotification, kResponse };
  Kind kind = Kind::kNotification;
  std::string id;  // raw token, echoed as it came; empty without one
  std::string_view method;
  json::View params;  // object, or null when absent
  json::View meta;    // params._meta: object, or null when absent
  bool has_claim = false;
  // Set when params or _meta is no object; the request is refused with it once its era is known.
  const char* malformed_params = nullptr;
};

// The id of a message that may be broken: its raw token, else empty. For a text that does not
// parse.
[[nodiscard]] std::string ScanId(std::string_view text);

// Shape of one message (an object of a batch, or the whole). `id` is its raw token as ScanId gives
// it. Fails with -32600 for what is no message.
[[nodiscard]] tl::expected<Message, RpcError> DecodeMessage(json::View value, std::string id);

// A form of an id that is equal for equal ids: key of the in-flight table and of
// cancelled.requestId. Empty for what is no id.
[[nodiscard]] std::string IdKey(json::View id);

// True for an object with the claim of a modern envelope in params._meta.
[[nodiscard]] bool HasClaim(json::View value);

}  // namespace ducat::mcp
