#pragma once
// How a server that wants tokens says so: the WWW-Authenticate header, and the metadata of RFC 9728
// that leads a client from it to the issuer (protocol.md 8.2). Pure.

#include <string>
#include <string_view>

#include "mcp/scopes.h"
#include "transport/http/options.h"
#include "transport/http/request_head.h"

namespace ducat::transport {

inline constexpr std::string_view kMetadataPath = "/.well-known/oauth-protected-resource";

struct Challenge {
  std::string_view error;  // empty: nothing was sent that could be wrong
  std::string scope;       // separated by blanks; empty: none in particular
};

// The value of WWW-Authenticate. Only mode jwt has metadata to point to.
[[nodiscard]] std::string ChallengeText(const Challenge& challenge, const HttpOptions& options,
                                        const RequestHead& head);

// This server as its users name it: the public URL, else what the request was sent to.
[[nodiscard]] std::string ResourceUrl(const HttpOptions& options, const RequestHead& head);

// Whether metadata lies at this path: with and without the path of MCP behind it.
[[nodiscard]] bool IsMetadataPath(std::string_view path, const HttpOptions& options);

[[nodiscard]] std::string ResourceMetadata(const HttpOptions& options, const RequestHead& head,
                                           const mcp::Scopes& scopes);

}  // namespace ducat::transport
