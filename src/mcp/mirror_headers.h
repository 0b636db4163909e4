#pragma once
// The headers of a modern POST that repeat what its body says (protocol.md 3.1, 7.6). A proxy may
// route by them, so they must agree with the body. Pure functions over the headers that an
// HttpCaller has; on stdio there is none and nothing is checked.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mcp/http_caller.h"
#include "mcp/message.h"
#include "mcp/params.h"
#include "mcp/tool.h"

namespace ducat::mcp {

inline constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";
inline constexpr std::string_view kMethodHeader = "Mcp-Method";
inline constexpr std::string_view kNameHeader = "Mcp-Name";
inline constexpr std::string_view kParamHeaderPrefix = "Mcp-Param-";

// The text that a header's value stands for: itself, or what its base64 marks hold; nothing when
// that is malformed.
[[nodiscard]] std::optional<std::string> DecodeHeaderValue(std::string_view value);

// Whether the version header names a modern revision.
[[nodiscard]] bool NamesModern(const HttpCaller* http);

// -32020 when a header is there and differs from the body. Version and method.
[[nodiscard]] Params<void> CheckPresentHeaders(const HttpCaller* http, std::string_view version,
                                               std::string_view method);
// -32020 when one of the two is missing.
[[nodiscard]] Params<void> CheckRequiredHeaders(const HttpCaller* http);
// -32020 unless every Mcp-Param-… header of the tool repeats its argument, and is missing where
// that is null or absent.
[[nodiscard]] Params<void> CheckParamHeaders(const HttpCaller* http,
                                             std::span<const ParamHeader> headers,
                                             json::View arguments);
// -32020 unless Mcp-Name is what the body's name, uri or taskId says.
[[nodiscard]] Params<void> CheckNameHeader(const HttpCaller* http, const Message& message);

}  // namespace ducat::mcp
