// The flags of the HTTP transport.
#include "app/http_settings.h"

#include <algorithm>
#include <array>
#include <limits>

#include "app/setting_values.h"
#include "app/settings.h"
#include "base/text.h"
#include "transport/http/trusted_names.h"

namespace ducat::app {
namespace {

using std::chrono::milliseconds;
using transport::HttpLimits;
using transport::HttpOptions;

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

Failure NotAllowed(std::string expected) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting", "expected " + std::move(expected));
}

HttpOptions& Options(Settings& settings) {
  return settings.http->options;
}

template <size_t HttpLimits::* Member, int64_t Least>
Status ApplyCount(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const int64_t count, ParseWhole(value, Least, kMost));
  Options(settings).limits.*Member = static_cast<size_t>(count);
  return {};
}
template <size_t HttpLimits::* Member>
Status ApplySize(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const uint64_t bytes, ParseBytes(value, 1'024));
  if (bytes > uint64_t{1} << 30U) return NotAllowed("a size of at most 1GiB");
  Options(settings).limits.*Member = static_cast<size_t>(bytes);
  return {};
}
template <milliseconds HttpLimits::* Member>
Status ApplyDuration(std::string_view value, Settings& settings) {
  TRY_ASSIGN(Options(settings).limits.*Member, ParseDuration(value));
  return {};
}

Status ApplyHttp(std::string_view value, Settings& settings) {
  if (value.empty()) return {};
  TRY(transport::ParseListenAddress(value));
  settings.http->address = value;
  return {};
}
Status ApplyMetricsListen(std::string_view value, Settings& settings) {
  TRY(transport::ParseListenAddress(value));
  settings.http->metrics_address = value;
  return {};
}
Status ApplyPath(std::string_view value, Settings& settings) {
  const bool plain = std::ranges::all_of(value, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsAsciiDigit(c) || c == '/' ||
           c == '-' || c == '_' || c == '.';
  });
  if (!value.starts_with('/') || value.size() < 2 || value.ends_with('/') || !plain) {
    return NotAllowed("a path such as /mcp, of letters, digits, '-', '_', '.' and '/'");
  }
  Options(settings).path = value;
  return {};
}
Status ApplyPublicUrl(std::string_view value, Settings& settings) {
  const bool scheme = value.starts_with("http://") || value.starts_with("https://");
  if (!scheme || transport::HostWithoutPort(transport::AuthorityOf(value)).empty() ||
      value.ends_with('/')) {
    return NotAllowed("the URL that clients use, such as https://data.example.com/mcp");
  }
  Options(settings).public_url = value;
  return {};
}

// Several, separated by commas or given one by one.
template <std::vector<std::string> HttpOptions::* Member, bool (*Fits)(std::string_view)>
Status ApplyNames(std::string_view value, Settings& settings) {
  while (!value.empty()) {
    const size_t end = std::min(value.find(','), value.size());
    const std::string_view name = Trim(value.substr(0, end));
    if (!Fits(name)) {
      return NotAllowed(
          "exact names without a pattern: origins such as https://app.example.com, "
          "hosts such as data.example.com");
    }
    (Options(settings).*Member).emplace_back(name);
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return {};
}
bool IsHost(std::string_view name) {
  return !transport::HostWithoutPort(name).empty();
}
bool IsOrigin(std::string_view name) {
  const bool scheme = name.starts_with("http://") || name.starts_with("https://");
  return scheme && IsHost(name.substr(name.find("//") + 2));
}

Status ApplySessionMode(std::string_view value, Settings& settings) {
  constexpr std::array<std::string_view, 3> kModes{"stateful", "stateless", "auto"};
  TRY_ASSIGN(const size_t mode, ParseChoice(value, kModes));
  Options(settings).stateful = mode != 1;
  return {};
}
Status ApplyReplayEvents(std::string_view value, Settings& settings) {
  // The reference servers switch it off with MCP_HTTP_RESUMABILITY=false.
  const bool off = EqualsIgnoringCase(value, "false");
  TRY_ASSIGN(const int64_t count, ParseWhole(off ? "0" : value, 0, 100'000));
  Options(settings).limits.replay_events_max = static_cast<size_t>(count);
  return {};
}
Status ApplyAuth(std::string_view value, Settings& settings) {
  // The last is how the reference servers call jwt with a JWKS.
  constexpr std::array<std::string_view, 4> kModes{"none", "token", "jwt", "oauth"};
  TRY_ASSIGN(const size_t mode, ParseChoice(value, kModes));
  settings.http->auth = static_cast<AuthMode>(std::min<size_t>(mode, 2));
  return {};
}
template <std::string JwtSettings::* Member>
Status ApplyJwtText(std::string_view value, Settings& settings) {
  settings.http->jwt.*Member = value;
  return {};
}
template <milliseconds transport::JwksLimits::* Member>
Status ApplyJwksTime(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.http->jwt.limits.*Member, ParseDuration(value));
  return {};
}
Status ApplyJwks(std::string_view value, Settings& settings) {
  if (value.find("://") != value.npos) {
    TRY(transport::CheckJwksUrl(value));
  }
  settings.http->jwt.jwks = value;
  return {};
}
template <std::string HttpSettings::* Member>
Status ApplyText(std::string_view value, Settings& settings) {
  (*settings.http).*Member = value;
  return {};
}
// "50/200": a second, and at once.
Status ApplyRateLimit(std::string_view value, Settings& settings) {
  const size_t slash = std::min(value.find('/'), value.size());
  const auto rate = ParseWhole(value.substr(0, slash), 1, 1'000'000);
  const auto burst = ParseWhole(value.substr(std::min(slash + 1, value.size())), 1, 1'000'000);
  if (!rate || !burst || *burst < *rate) {
    return NotAllowed("RATE/BURST such as 50/200: requests a second, and at least as many at once");
  }
  settings.http->rate = {.per_second = static_cast<double>(*rate),
                         .burst = static_cast<double>(*burst)};
  return {};
}
Status ApplyAllowUnauthenticated(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.http->allow_unauthenticated, ParseSwitch(value));
  return {};
}

using L = HttpLimits;
constexpr std::array kFlags{
    Flag{"http", "ADDRESS", "serve HTTP on HOST:PORT or unix:/path; 127.0.0.1:8931", "", false,
         &ApplyHttp, true},
    Flag{"path", "PATH", "where MCP is served; /mcp", "MCP_HTTP_ENDPOINT_PATH", false, &ApplyPath},
    Flag{"public-url", "URL", "the URL that clients use, when a proxy stands before",
         "MCP_PUBLIC_URL", false, &ApplyPublicUrl},
    Flag{"allowed-origins", "LIST", "web origins that may call, besides loopback",
         "MCP_ALLOWED_ORIGINS", true, &ApplyNames<&HttpOptions::allowed_origins, &IsOrigin>},
    Flag{"allowed-hosts", "LIST", "names of this server, besides loopback and the public URL's", "",
         true, &ApplyNames<&HttpOptions::allowed_hosts, &IsHost>},
    Flag{"auth", "MODE", "none, token (of the token file) or jwt (of an issuer); none",
         "MCP_AUTH_MODE", false, &ApplyAuth},
    Flag{"token-file", "FILE", "hashed tokens; $DUCAT_HOME/state/tokens", "", false,
         &ApplyText<&HttpSettings::token_file>},
    Flag{"jwt-issuer", "URL", "who signs the tokens of --auth jwt: their iss",
         "OAUTH_ISSUER_URL MCP_JWT_EXPECTED_ISSUER", false, &ApplyJwtText<&JwtSettings::issuer>},
    Flag{"jwt-audience", "URL", "what their aud must name; the public URL",
         "OAUTH_AUDIENCE MCP_JWT_EXPECTED_AUDIENCE MCP_SERVER_RESOURCE_IDENTIFIER", false,
         &ApplyJwtText<&JwtSettings::audience>},
    Flag{"jwks", "FILE|URL", "the issuer's public keys; https, or http on loopback",
         "OAUTH_JWKS_URI", false, &ApplyJwks},
    Flag{"jwks-cooldown", "TIME", "between fetches for unknown keys; 300s",
         "OAUTH_JWKS_COOLDOWN_MS", false, &ApplyJwksTime<&transport::JwksLimits::cooldown>},
    Flag{"jwks-timeout", "TIME", "for one fetch; 5s", "OAUTH_JWKS_TIMEOUT_MS", false,
         &ApplyJwksTime<&transport::JwksLimits::timeout>},
    Flag{"jwt-key-file", "FILE", "secret of HS256, or DUCAT_JWT_SECRET; at least 32 bytes", "",
         false, &ApplyJwtText<&JwtSettings::key_file>},
    Flag{"tls-cert", "FILE", "serve HTTPS with this certificate (PEM, with those above it)", "",
         false, &ApplyText<&HttpSettings::tls_certificate>},
    Flag{"tls-key", "FILE", "the certificate's key (PEM, without a password)", "", false,
         &ApplyText<&HttpSettings::tls_key>},
    Flag{"allow-unauthenticated", "", "listen beyond loopback although anybody may call", "", false,
         &ApplyAllowUnauthenticated},
    Flag{"metrics-listen", "ADDRESS", "/metrics for anybody, on HOST:PORT or unix:/path; off", "",
         false, &ApplyMetricsListen},
    Flag{"rate-limit", "RATE/BURST",
         "requests of one caller a second, and at once; 50/200; none on loopback without auth", "",
         false, &ApplyRateLimit},
    Flag{"max-body", "SIZE", "body of one request; 4MiB", "MCP_HTTP_MAX_BODY_BYTES", false,
         &ApplySize<&L::body_bytes_max>},
    Flag{"session-mode", "MODE", "legacy sessions: stateful or stateless", "MCP_SESSION_MODE",
         false, &ApplySessionMode},
    Flag{"session-idle", "TIME", "a legacy session ends after so long without use; 30min",
         "MCP_STATEFUL_SESSION_STALE_TIMEOUT_MS", false, &ApplyDuration<&L::session_idle>},
    Flag{"replay-events", "N", "events kept for a client that lost its stream; 256",
         "MCP_HTTP_RESUMABILITY_MAX_EVENTS", false, &ApplyReplayEvents},
    Flag{"replay-ttl", "TIME", "how long they are kept; 5min", "MCP_HTTP_RESUMABILITY_TTL_MS",
         false, &ApplyDuration<&L::replay_ttl>},
    Flag{"drain", "TIME", "what runs may end in at SIGTERM; 10s", "", false,
         &ApplyDuration<&L::drain>},
    Flag{"limit-head-bytes", "SIZE", "request line and headers; 16KiB", "", false,
         &ApplySize<&L::head_bytes_max>},
    Flag{"limit-header-lines", "N", "headers of one request; 100", "", false,
         &ApplyCount<&L::header_lines_max, 8>},
    Flag{"limit-target-bytes", "N", "target of one request; 2048", "", false,
         &ApplyCount<&L::target_bytes_max, 16>},
    Flag{"limit-connections", "N", "open connections; 4096", "", false,
         &ApplyCount<&L::connections_max, 1>},
    Flag{"limit-requests", "N", "requests in flight; 1024", "", false,
         &ApplyCount<&L::requests_max, 1>},
    Flag{"limit-unsent-bytes", "SIZE", "of one stream that its client does not read; 1MiB", "",
         false, &ApplySize<&L::unsent_bytes_max>},
    Flag{"limit-unsent-events", "N", "of such a stream; 256", "", false,
         &ApplyCount<&L::unsent_events_max, 1>},
    Flag{"limit-sessions", "N", "legacy sessions; 10000", "", false,
         &ApplyCount<&L::sessions_max, 1>},
    Flag{"limit-sessions-per-principal", "N", "of one caller; 1000", "", false,
         &ApplyCount<&L::sessions_per_principal_max, 1>},
    Flag{"limit-replay-bytes", "SIZE", "events kept by one session; 1MiB", "", false,
         &ApplySize<&L::replay_bytes_max>},
    Flag{"limit-handshake-time", "TIME", "for the handshake of TLS; 10s", "", false,
         &ApplyDuration<&L::handshake_time>},
    Flag{"limit-head-time", "TIME", "for a request's head to arrive; 10s", "", false,
         &ApplyDuration<&L::head_time>},
    Flag{"limit-body-time", "TIME", "for a request's body to arrive; 60s", "", false,
         &ApplyDuration<&L::body_time>},
    Flag{"limit-body-rate", "N", "bytes a second that a body must come with after 10 s; 1024", "",
         false, &ApplyCount<&L::body_rate_min, 0>},
    Flag{"limit-idle", "TIME", "a connection without a request; 120s", "", false,
         &ApplyDuration<&L::idle>},
    Flag{"limit-stalled-write", "TIME", "a client that does not read; 30s", "", false,
         &ApplyDuration<&L::stalled_write>},
};

}  // namespace

std::span<const Flag> HttpFlags() {
  return kFlags;
}

}  // namespace ducat::app
