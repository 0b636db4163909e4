#pragma once
// Wire: how a transcript reaches the server: in memory, or as bytes through the stdio transport.
// Both run the server's loop on this thread, exactly as far as it is ready.

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/mcp_fixture.h"

namespace ducat::testing {

class Wire {
 public:
  virtual ~Wire() = default;
  virtual void Feed(std::string_view message) = 0;
  virtual void Advance(std::chrono::milliseconds step) = 0;
  // The messages that have come since.
  [[nodiscard]] virtual std::vector<std::string> Take() = 0;
};

// `fixture` outlives the wire.
[[nodiscard]] std::unique_ptr<Wire> MakeMemoryWire(McpFixture& fixture);
[[nodiscard]] std::unique_ptr<Wire> MakeStdioWire(McpFixture& fixture);

struct HttpFixture;
// Messages are {"status":…,"headers":…,"body":…}, and for a stream {"event":…} after its head.
[[nodiscard]] std::unique_ptr<Wire> MakeHttpWire(HttpFixture& fixture);

}  // namespace ducat::testing
