// ducat-echo: one tool, nothing else, to measure the protocol alone.
#include <array>
#include <cstdlib>

#include <boost/asio/io_context.hpp>

#include "base/clock.h"
#include "base/log.h"
#include "mcp/registry.h"
#include "mcp/server.h"
#include "transport/stdio.h"

namespace ducat {
namespace {

struct EchoIn {
  std::string message;
  static constexpr auto Fields() {
    return std::array{json::Describe<&EchoIn::message>("message", "Text to give back.")};
  }
};
struct EchoOut {
  std::string message;
  static constexpr auto Fields() {
    return std::array{json::Describe<&EchoOut::message>("message", "The text as it came.")};
  }
};

Task<EchoOut> Echo(EchoIn in, mcp::CallContext&) {
  co_return EchoOut{.message = std::move(in.message)};
}

int Main() {
  auto descriptors = transport::ClaimStdio();
  if (!descriptors) return EXIT_FAILURE;
  const SystemClock clock;
  Log log(clock, {.level = LogLevel::kWarning});
  mcp::Registry registry;
  const Status added = registry.AddTool(mcp::MakeTool<EchoIn, EchoOut>(
      {.name = "echo", .title = "Echo", .description = "Gives a text back."}, Echo,
      [](const EchoOut& out, mcp::Text& text) { text.Add("Echo: ").Add(out.message); }));
  if (!added) return EXIT_FAILURE;
  boost::asio::io_context loop(1);
  mcp::Server server(loop.get_executor(), registry, clock, log, {});
  return transport::RunStdio(loop, server, *descriptors, {});
}

}  // namespace
}  // namespace ducat

int main() {
  return ducat::Main();
}
