#pragma once
// MemoryClient: a client in the same process, for tests, golden transcripts and the fuzzer. Feeds
// messages to a real Server and keeps what comes back; runs the loop only as far as it is ready, so
// that nothing waits. Single-threaded; borrows loop and server.

#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "mcp/outbox.h"
#include "mcp/server.h"
#include "mcp/session.h"

namespace ducat::mcp {

class MemoryClient final : public Outbox {
 public:
  MemoryClient(boost::asio::io_context& loop, Server& server, Caller caller = {});

  // Delivers one message from the loop and runs all that is ready then.
  void Feed(std::string_view text);
  // Runs what is ready, due timers of the server's clock included.
  void Settle();
  // What has come back since the last call, oldest first.
  [[nodiscard]] std::vector<std::string> Take();
  // Feed, then everything that came back, one message a line.
  [[nodiscard]] std::string Ask(std::string_view text);

  [[nodiscard]] Session& session() { return session_; }

  void Send(Kind kind, std::string message) override;

 private:
  boost::asio::io_context& loop_;
  Server& server_;
  std::vector<std::string> received_;
  Session session_;
};

}  // namespace ducat::mcp
