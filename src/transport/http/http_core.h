#pragma once
// HttpCore: what all connections of one HTTP server share. Owned by HttpServer; outlives what its
// connections do, not their memory: a connection that was aborted touches it no more. Control
// thread only.

#include <cstddef>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "mcp/server.h"
#include "transport/http/authenticator.h"
#include "transport/http/legacy_sessions.h"
#include "transport/http/options.h"
#include "transport/http/response.h"
#include "transport/http/trusted_names.h"

namespace ducat::transport {

struct HttpCore {
  HttpCore(mcp::Server& mcp_server, Log& server_log, HttpOptions given)
      : options(std::move(given)),
        trusted(options),
        mcp(mcp_server),
        log(server_log),
        sessions(mcp_server, options.limits),
        authenticator(options, mcp_server) {}

  [[nodiscard]] const Clock& clock() const { return mcp.timers().clock(); }
  [[nodiscard]] const HttpLimits& limits() const { return options.limits; }

  HttpOptions options;
  TrustedNames trusted;
  mcp::Server& mcp;
  Log& log;
  LegacySessions sessions;
  Authenticator authenticator;
  DateLine date;
  size_t requests_in_flight = 0;
  uint64_t connections = 0;  // accepted so far
  bool draining = false;
};

}  // namespace ducat::transport
