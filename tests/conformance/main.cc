// ducat-conformance [--http ADDRESS]: the fixtures over stdio, or over HTTP.
#include <cstdio>
#include <string>
#include <utility>

#include "fixtures.h"
#include "mcp/server.h"
#include "transport/http/http_server.h"
#include "transport/stdio.h"

namespace ducat::conformance {
namespace {

int ServeHttp(boost::asio::io_context& loop, mcp::Server& server, Log& log,
              std::string_view address) {
  transport::HttpServer http(loop, server, log, {});
  const auto where = transport::ParseListenAddress(address);
  const auto port = where ? http.Listen(*where) : Result<uint16_t>(Failure(where.error()));
  if (!port) {
    std::fprintf(stderr, "ducat-conformance: %s\n", port.error().message.c_str());
    return 1;
  }
  std::fprintf(stderr, "listening on http://127.0.0.1:%d/mcp\n", static_cast<int>(*port));
  return transport::RunHttp(loop, http);
}

int ServeStdio(boost::asio::io_context& loop, mcp::Server& server) {
  const auto descriptors = transport::ClaimStdio();
  return descriptors ? transport::RunStdio(loop, server, *descriptors, {}) : 1;
}

int Run(int argc, char** argv) {
  const bool http = argc > 1 && std::string_view(argv[1]) == "--http";
  if (argc > 3 || (argc > 1 && !http)) {
    std::fprintf(stderr, "usage: ducat-conformance [--http ADDRESS]\n");
    return 2;
  }
  boost::asio::io_context loop(1);
  const SystemClock clock;
  Log log(clock, {.level = LogLevel::kWarning});
  mcp::Registry registry;
  AddContentTools(registry);
  AddRunningTools(registry, loop);
  AddAskingTools(registry);
  AddTaskTools(registry, loop);
  AddPrompts(registry);
  AddResources(registry);
  mcp::ServerOptions options;
  // Everybody who comes here is one principal, and bench/http opens a thousand streams.
  options.limits.subscriptions_per_principal_max = options.limits.subscriptions_max;
  mcp::Server server(loop.get_executor(), registry, clock, log, std::move(options));
  if (!http) return ServeStdio(loop, server);
  return ServeHttp(loop, server, log, argc > 2 ? argv[2] : transport::kDefaultHttpAddress);
}

}  // namespace
}  // namespace ducat::conformance

int main(int argc, char** argv) {
  return ducat::conformance::Run(argc, argv);
}
