#pragma once
// The gate: what a request head must pass before anything of its body is read (protocol.md 7.3,
// stages 3 to 7 and 9 to 11; authentication stands between the two halves). Pure functions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "transport/http/options.h"
#include "transport/http/request_head.h"
#include "transport/http/trusted_names.h"

namespace ducat::transport {

enum class Route : uint8_t { kMcp, kHealth, kReady, kCard, kMetadata, kRobots, kMetrics };

// For metrics: "mcp", "healthz", …
[[nodiscard]] std::string_view Name(Route route);

// A request that goes no further. `code` is the snake_case name of the error.
struct Refusal {
  int status = 400;
  std::string_view code;
  std::string message;
  std::string headers;  // further lines, each with its CR LF
};

inline constexpr std::string_view kRateLimited = "rate_limited";

// There is nothing at this path.
[[nodiscard]] Refusal NothingHere();

// Where a request goes, after stages 3 to 7.
struct Place {
  std::optional<Route> route;  // nothing: 404
  bool preflight = false;      // answered with 204 and `cors`
  std::string cors;            // headers of every answer to an allowed origin
  std::optional<Refusal> refusal;
};
[[nodiscard]] Place FindPlace(const RequestHead& head, const HttpOptions& options,
                              const TrustedNames& trusted);

// Which forms of an answer the client takes.
struct Accepted {
  bool json = true;
  bool stream = true;
};
[[nodiscard]] Accepted ReadAccept(std::optional<std::string_view> accept);

// Stages 9 to 11, for a POST to /mcp.
[[nodiscard]] std::optional<Refusal> JudgePost(const RequestHead& head, const HttpLimits& limits);

}  // namespace ducat::transport
