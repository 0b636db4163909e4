#pragma once
// What the protocol's tests serve: a small registry with every kind of thing in it, and a whole
// server with a client and a clock that stands still. Nothing here reads a real clock, file or
// network.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/log.h"
#include "mcp/memory_client.h"
#include "mcp/registry.h"
#include "mcp/server.h"
#include "support/jumping_clock.h"

namespace ducat::testing {

// Shared between the fixture's tools and the test that watches them.
struct FixtureState {
  boost::asio::io_context& loop;
  mcp::TimerQueue* timers = nullptr;  // the server's, once there is one
  mcp::Registry* registry = nullptr;
  int slow_running = 0;
  int slow_cancelled = 0;
};

// Tools echo, slow, fail, fail_bracketed, throw, count, big, touch; resources test://note,
// test://item/{id}; prompt review.
void FillFixture(mcp::Registry& registry, const std::shared_ptr<FixtureState>& state);

// Loop, clock, registry, server and one client, in the order in which they must die.
struct McpFixture {
  explicit McpFixture(mcp::ServerOptions options = {},
                      std::function<void(mcp::Registry&)> fill = {});

  // The clock moves, and what became due happens.
  void Advance(std::chrono::milliseconds step);
  [[nodiscard]] std::string Ask(std::string_view text) { return client->Ask(text); }
  // initialize and initialized of that revision; the reply is thrown away.
  void Handshake(std::string_view revision);

  boost::asio::io_context loop;
  JumpingClock clock;
  std::vector<std::string> log_lines;
  Log log;
  mcp::Registry registry;
  std::shared_ptr<FixtureState> state;
  std::unique_ptr<mcp::Server> server;
  std::unique_ptr<mcp::MemoryClient> client;
};

// A modern request: `params` is the inside of the params object besides _meta.
[[nodiscard]] std::string ModernRequest(std::string_view id, std::string_view method,
                                        std::string_view params = "",
                                        std::string_view more_meta = "");
[[nodiscard]] std::string LegacyRequest(std::string_view id, std::string_view method,
                                        std::string_view params = "");

}  // namespace ducat::testing
