#pragma once
// HttpSettings: what `ducat serve` and `--http` are told besides a pack's settings (protocol.md
// 1.3, 9). Filled through the flags of HttpFlags() in settings.h. Plain values.

#include <string>

#include "mcp/rate_limiter.h"
#include "transport/http/jwt/jwks_url.h"
#include "transport/http/listen_address.h"
#include "transport/http/options.h"

namespace ducat::app {

enum class AuthMode : uint8_t { kNone, kToken, kJwt };

// One of key file, secret and JWKS says what tokens are signed with.
struct JwtSettings {
  std::string key_file;
  std::string secret;  // from the environment alone
  std::string jwks;    // a file or a URL
  std::string issuer;
  std::string audience;  // empty: the public URL
  transport::JwksLimits limits;
};

struct HttpSettings {
  std::string address{transport::kDefaultHttpAddress};
  transport::HttpOptions options;
  bool allow_unauthenticated = false;
  AuthMode auth = AuthMode::kNone;
  std::string token_file;  // empty: below the home directory
  JwtSettings jwt;
  std::string tls_certificate;                          // --tls-cert
  std::string tls_key;                                  // --tls-key
  std::string metrics_address;                          // --metrics-listen; empty: none
  mcp::RateLimit rate{.per_second = 50, .burst = 200};  // --rate-limit
};

}  // namespace ducat::app
