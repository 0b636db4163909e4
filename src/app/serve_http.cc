// `ducat serve`, and `--http` of a pack: MCP over Streamable HTTP.
#include <algorithm>
#include <sys/resource.h>
#include <utility>

#include "app/commands.h"
#include "app/http_auth.h"
#include "app/observers.h"
#include "app/version.h"
#include "base/text.h"
#include "mcp/server.h"
#include "transport/http/http_server.h"

namespace ducat::app {
namespace {

// Each connection needs a descriptor, and workers and files some more.
void RaiseDescriptorLimit(size_t connections) {
  constexpr rlim_t kOthers = 512;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = connections + kOthers;
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// What the reference servers let pass without a token must not pass here by accident.
Status RefuseBypass() {
  const auto bypass = ProcessEnvironment()("DEV_MCP_AUTH_BYPASS");
  if (!bypass || !EqualsIgnoringCase(*bypass, "true")) return {};
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
              "DEV_MCP_AUTH_BYPASS \"true\": there is no bypass", "Unset it.");
}

Status CheckExposure(const HttpSettings& http, const transport::ListenAddress& address,
                     Terminal& terminal) {
  if (address.is_loopback()) return {};
  if (http.auth != AuthMode::kNone) {
    if (!http.options.public_url.empty() || !http.options.allowed_hosts.empty()) return {};
    return Fail(
        ErrorCode::kInvalidArgument, "invalid_setting",
        "--http \"" + http.address +
            "\" can be reached from other machines, but no name "
            "of this server is known",
        "Give --public-url or --allowed-hosts: requests that name another host are refused.");
  }
  if (!http.allow_unauthenticated) {
    return Fail(
        ErrorCode::kInvalidArgument, "invalid_setting",
        "--http \"" + http.address +
            "\" can be reached from other machines, and anybody "
            "there could call",
        "Listen on 127.0.0.1, set --auth token or jwt, or say --allow-unauthenticated if that "
        "is what you want.");
  }
  terminal.Err("warning: anybody who reaches " + http.address +
               " may call this server: --allow-unauthenticated\n");
  return {};
}

std::string Url(const HttpSettings& http, const transport::ListenAddress& address, uint16_t port,
                std::string_view path) {
  if (address.is_unix()) return "unix:" + address.unix_path;
  const bool v6 = address.host.find(':') != std::string::npos;
  const std::string scheme = http.tls_certificate.empty() ? "http://" : "https://";
  return scheme + (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(port) +
         std::string(path);
}

Status ListenAll(transport::HttpServer& server, const HttpSettings& http,
                 const transport::ListenAddress& address, Terminal& terminal) {
  TRY_ASSIGN(const uint16_t port, server.Listen(address));
  terminal.Err("listening on " + Url(http, address, port, http.options.path) + "\n");
  if (http.metrics_address.empty()) return {};
  TRY_ASSIGN(const auto for_metrics, transport::ParseListenAddress(http.metrics_address));
  TRY_ASSIGN(const uint16_t metrics_port,
             server.Listen(for_metrics, transport::HttpServer::Purpose::kMetrics));
  terminal.Err("metrics on " + Url(http, for_metrics, metrics_port, "/metrics") + "\n");
  return {};
}

}  // namespace

Result<int> ServeHttp(AnalystHost& host, Terminal& terminal) {
  const HttpSettings& http = *host.settings().http;
  TRY_ASSIGN(const transport::ListenAddress address, transport::ParseListenAddress(http.address));
  TRY(RefuseBypass());
  TRY(CheckExposure(http, address, terminal));
  transport::HttpOptions http_options = http.options;
  TRY(OpenAuth(host.settings(), host.loop(), host.log(), http_options));
  Metrics metrics(kVersion);
  TRY_ASSIGN(const std::unique_ptr<AuditLog> audit, OpenAudit(host, &metrics));
  http_options.metrics = [&metrics] { return metrics.Text(); };
  http_options.observer = &metrics;
  if (audit) http_options.on_reload = [&] { ReopenAudit(*audit, host, metrics); };
  RaiseDescriptorLimit(http.options.limits.connections_max);
  mcp::ServerOptions options;
  options.observers.push_back(&metrics);
  if (audit) options.observers.push_back(audit.get());
  options.info.version = kVersion;
  options.limits = host.settings().protocol;
  options.request_state_key = host.settings().request_state_key;
  if (http.auth != AuthMode::kNone || !address.is_loopback()) options.rate = http.rate;
  mcp::Server server(host.loop().get_executor(), host.registry(), host.clock(), host.log(),
                     std::move(options));
  transport::HttpServer transport(host.loop(), server, host.log(), std::move(http_options));
  metrics.set_states([&] { return StatesOf(host, server, transport); });
  TRY(ListenAll(transport, http, address, terminal));
  host.StartLater();
  return transport::RunHttp(host.loop(), transport);
}

}  // namespace ducat::app
