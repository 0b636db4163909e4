#pragma once
// HttpServer: MCP over Streamable HTTP (protocol.md 7): listeners, connections, legacy sessions,
// the tick of their deadlines, and the orderly end. Runs on the control thread, on the loop and the
// clock of the mcp::Server, which outlives it.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>

#include "base/log.h"
#include "base/result.h"
#include "mcp/server.h"
#include "transport/http/listen_address.h"
#include "transport/http/options.h"

namespace ducat::transport {

class HttpServer {
 public:
  HttpServer(boost::asio::io_context& loop, mcp::Server& server, Log& log, HttpOptions options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // What an address is for: one of metrics asks for no authentication and serves nothing else.
  enum class Purpose : uint8_t { kEverything, kMetrics };
  // Opens one address; gives its port, 0 for a Unix socket. Connections are taken from now on.
  [[nodiscard]] Result<uint16_t> Listen(const ListenAddress& address,
                                        Purpose purpose = Purpose::kEverything);
  // Takes nothing new, lets what runs end for as long as the limit `drain` says, then ends the
  // rest. `on_end` is called once.
  void Drain(std::function<void()> on_end);

  // Reads tokens, keys and certificates again, and whatever else wants it, at SIGHUP. Without that
  // a change of a file is seen within two seconds.
  void Reload();

  [[nodiscard]] size_t connections() const;
  [[nodiscard]] size_t sessions() const;
  [[nodiscard]] size_t requests_in_flight() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Serves until SIGTERM or SIGINT; a second signal ends at once. Runs `loop` and stops it. Gives the
// exit code.
[[nodiscard]] int RunHttp(boost::asio::io_context& loop, HttpServer& server);

}  // namespace ducat::transport
