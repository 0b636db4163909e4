#pragma once
// What the payload of a verified token says (protocol.md 8.1): whether it holds now and here, and
// who calls with it. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "mcp/session.h"

namespace ducat::transport {

struct JwtRules {
  std::string issuer;
  std::string audience;
  std::chrono::seconds skew{60};  // between the issuer's clock and ours
};

struct JwtClaims {
  mcp::Caller caller;
  std::vector<std::string> scopes;
  WallTime expires;  // without the skew
};

// Fails with "invalid_token"; the message is for the log and has nothing of the token.
[[nodiscard]] Result<JwtClaims> ReadJwtClaims(std::string_view payload, const JwtRules& rules,
                                              WallTime now);

}  // namespace ducat::transport
