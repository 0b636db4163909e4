#pragma once
// The stdio transport: one MCP client on two descriptors (protocol.md 6). Reads never wait for a
// handler, all replies that are ready leave in one write, and at the end of input or a signal what
// runs gets a short while to finish. Runs on the control thread; no thread of its own.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include <boost/asio/io_context.hpp>

#include "mcp/server.h"
#include "transport/stdio_descriptors.h"
#include "transport/stdio_limits.h"

namespace ducat::transport {

struct StdioOptions {
  StdioLimits limits;
  std::chrono::milliseconds grace_after_end{5'000};   // for requests in flight at end of input
  std::chrono::milliseconds grace_after_signal{500};  // the same after SIGTERM, SIGINT, SIGHUP
  std::chrono::milliseconds last_write{500};          // for a client that reads slowly at the end
  // Called once, after the first reply has been written: the place to start what may come later.
  std::function<void()> after_first_reply;
};

// The transport as an object, for who runs the loop himself. Takes the descriptors over and closes
// them. `on_end` is called once with the exit code: 0, or 1 when the output failed; nothing happens
// after it.
class StdioTransport {
 public:
  StdioTransport(boost::asio::io_context& loop, mcp::Server& server, StdioDescriptors descriptors,
                 StdioOptions options, std::function<void(int exit_code)> on_end);
  ~StdioTransport();
  StdioTransport(const StdioTransport&) = delete;
  StdioTransport& operator=(const StdioTransport&) = delete;

  void Start();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Serves one client until end of input, a signal or a broken output. Runs `loop` and stops it.
// Gives the exit code.
[[nodiscard]] int RunStdio(boost::asio::io_context& loop, mcp::Server& server,
                           StdioDescriptors descriptors, StdioOptions options);

}  // namespace ducat::transport
