#pragma once
// RpcError: a JSON-RPC error as it goes out, and the codes in use (protocol.md 2.4). Other codes of
// -32000 to -32099 are never sent. Plain values; any thread.

#include <string>
#include <string_view>

namespace ducat::mcp {

namespace rpc {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
inline constexpr int kResourceNotFound = -32002;  // legacy only
inline constexpr int kRateLimited = -31029;
inline constexpr int kOverloaded = -31003;
inline constexpr int kDeadlineExceeded = -31004;
}  // namespace rpc

struct RpcError {
  int code = rpc::kInternalError;
  std::string message;
  std::string data;       // a JSON object; empty: none
  int http_status = 200;  // of a reply over HTTP that is nothing but this error
};

// {"code":…,"message":…,"data":…}: the member `error` alone.
[[nodiscard]] std::string EncodeErrorObject(const RpcError& error);
// {"jsonrpc":"2.0","id":…,"error":{…}}; `id` is a raw token, empty: no id member.
[[nodiscard]] std::string EncodeError(std::string_view id, const RpcError& error);

}  // namespace ducat::mcp
