#include "transport/http/gate.h"

#include <algorithm>
#include <array>
#include <utility>

#include "transport/http/challenge.h"
#include "transport/http/response.h"

namespace ducat::transport {
namespace {

struct FixedRoute {
  std::string_view path;
  Route route;
};
constexpr std::array kFixedRoutes{
    FixedRoute{"/healthz", Route::kHealth}, FixedRoute{"/readyz", Route::kReady},
    FixedRoute{"/.well-known/mcp.json", Route::kCard}, FixedRoute{"/robots.txt", Route::kRobots},
    FixedRoute{"/metrics", Route::kMetrics}};

constexpr std::string_view kAllowedRequestHeaders =
    "Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, "
    "Mcp-Name, Last-Event-ID";

std::optional<Route> FindRoute(std::string_view target, const HttpOptions& options) {
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view mcp_path = options.path;
  if (path == mcp_path) return Route::kMcp;
  if (path.ends_with('/') && path.substr(0, path.size() - 1) == mcp_path) return Route::kMcp;
  for (const FixedRoute& fixed : kFixedRoutes) {
    if (fixed.path != path) continue;
    if (fixed.route == Route::kMetrics && !options.metrics) break;
    return fixed.route;
  }
  if (options.jwt && IsMetadataPath(path, options)) return Route::kMetadata;
  return std::nullopt;
}

std::string CorsHeaders(std::string_view origin) {
  std::string out;
  AppendHeader(out, "Access-Control-Allow-Origin", origin);
  AppendHeader(out, "Vary", "Origin");
  AppendHeader(out, "Access-Control-Expose-Headers",
               "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate");
  return out;
}

// The Mcp-Param-… among the headers that a preflight asks for.
std::string ParamHeaders(const RequestHead& head) {
  constexpr std::string_view kPrefix = "mcp-param-";
  std::string out;
  std::string_view rest = head.Header("Access-Control-Request-Headers").value_or("");
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view name = Trim(rest.substr(0, end));
    if (AsciiLower(name).starts_with(kPrefix)) out.append(", ").append(name);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

void AddPreflight(const RequestHead& head, Place& place) {
  place.preflight = true;
  AppendHeader(place.cors, "Access-Control-Allow-Methods", "POST, GET, DELETE, OPTIONS");
  AppendHeader(place.cors, "Access-Control-Allow-Headers",
               std::string(kAllowedRequestHeaders) + ParamHeaders(head));
  AppendHeader(place.cors, "Access-Control-Max-Age", "600");
}

Refusal NotAllowed(std::string_view allow) {
  Refusal refusal{405, "method_not_allowed", "The method is not allowed here", {}};
  AppendHeader(refusal.headers, "Allow", allow);
  return refusal;
}

// GET opens the stream of a legacy session, DELETE ends one; without a session neither is there.
bool IsSessionRequest(const RequestHead& head, const HttpOptions& options) {
  if (!options.stateful || !head.Header("Mcp-Session-Id")) return false;
  if (head.method == "DELETE") return true;
  const std::string accept = AsciiLower(head.Header("Accept").value_or(""));
  return head.method == "GET" && accept.find(kEventStreamType) != accept.npos &&
         ReadAccept(accept).stream;
}

std::optional<Refusal> JudgeMethod(const RequestHead& head, Route route,
                                   const HttpOptions& options) {
  if (route == Route::kMcp) {
    if (head.method == "POST" || IsSessionRequest(head, options)) return {};
    return NotAllowed("POST");
  }
  if (head.method == "GET" || head.method == "HEAD") return {};
  return NotAllowed("GET, HEAD");
}

// One element of Accept, without outer blanks, as far as we care: q=0 takes it back.
bool IsTaken(std::string_view element) {
  const size_t at = element.find(';');
  if (at == element.npos) return true;
  const std::string parameters = AsciiLower(element.substr(at));
  const size_t q = parameters.find("q=");
  if (q == parameters.npos) return true;
  const std::string_view value = std::string_view(parameters).substr(q + 2);
  const std::string_view number = Trim(value.substr(0, value.find(';')));
  return number.find_first_not_of("0.") != number.npos;
}

bool IsJsonContentType(std::string_view value) {
  const size_t end = value.find(';');
  if (!EqualsIgnoringCase(Trim(value.substr(0, end)), kJsonType)) return false;
  if (end == value.npos) return true;
  std::string parameter = AsciiLower(Trim(value.substr(end + 1)));
  std::erase(parameter, '"');
  return parameter.empty() || parameter == "charset=utf-8";
}

}  // namespace

Refusal NothingHere() {
  return {404, "not_found", "There is nothing at this path", {}};
}

std::string_view Name(Route route) {
  constexpr std::array<std::string_view, 7> kNames{"mcp",      "healthz", "readyz", "card",
                                                   "metadata", "robots",  "metrics"};
  return kNames[static_cast<size_t>(route)];
}

Place FindPlace(const RequestHead& head, const HttpOptions& options, const TrustedNames& trusted) {
  Place place;
  const auto route = FindRoute(head.target, options);
  if (!route) {
    place.refusal = NothingHere();
    return place;
  }
  place.route = route;
  if (!trusted.AllowsHost(head.Header("Host").value_or(""))) {
    place.refusal = {
        403, "host_not_allowed", "The header Host names a host that is not served", {}};
    return place;
  }
  const auto origin = head.Header("Origin");
  if (origin && !trusted.AllowsOrigin(*origin)) {
    place.refusal = {403,
                     "origin_not_allowed",
                     "The header Origin names an origin that is not "
                     "allowed",
                     {}};
    return place;
  }
  if (origin) place.cors = CorsHeaders(*origin);
  if (head.method != "OPTIONS") {
    place.refusal = JudgeMethod(head, *route, options);
  } else if (origin) {
    AddPreflight(head, place);
  } else {
    place.refusal = {403, "origin_missing", "A preflight needs an allowed Origin", {}};
  }
  return place;
}

Accepted ReadAccept(std::optional<std::string_view> accept) {
  if (!accept) return {};
  Accepted accepted{.json = false, .stream = false};
  std::string_view rest = *accept;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view element = Trim(rest.substr(0, end));
    const std::string type = AsciiLower(Trim(element.substr(0, element.find(';'))));
    const bool all = type == "*/*";
    if (IsTaken(element)) {
      if (all || type == kJsonType || type == "application/*") accepted.json = true;
      if (all || type == kEventStreamType || type == "text/*") accepted.stream = true;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return accepted;
}

std::optional<Refusal> JudgePost(const RequestHead& head, const HttpLimits& limits) {
  const auto type = head.Header("Content-Type");
  if (!type || !IsJsonContentType(*type) || head.Header("Content-Encoding")) {
    return Refusal{415,
                   "unsupported_media_type",
                   "Send application/json in UTF-8, without Content-Encoding",
                   {}};
  }
  const Accepted accepted = ReadAccept(head.Header("Accept"));
  if (!accepted.json && !accepted.stream) {
    return Refusal{
        406, "not_acceptable", "Accept must allow application/json or text/event-stream", {}};
  }
  if (head.content_length.value_or(0) > limits.body_bytes_max) {
    return Refusal{413,
                   "body_too_large",
                   "The body may have at most " + std::to_string(limits.body_bytes_max) + " bytes",
                   {}};
  }
  return {};
}

}  // namespace ducat::transport
