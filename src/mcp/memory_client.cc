#include "mcp/memory_client.h"

#include <utility>

#include <boost/asio/post.hpp>

namespace ducat::mcp {

MemoryClient::MemoryClient(boost::asio::io_context& loop, Server& server, Caller caller)
    : loop_(loop), server_(server), session_(server, *this, "stdio", std::move(caller)) {}

void MemoryClient::Feed(std::string_view text) {
  boost::asio::post(loop_, [this, copy = std::string(text)] { server_.Receive(copy, session_); });
  Settle();
}

void MemoryClient::Settle() {
  loop_.restart();
  loop_.poll();
  server_.timers().RunDue();
  loop_.restart();
  loop_.poll();
}

std::vector<std::string> MemoryClient::Take() {
  return std::exchange(received_, {});
}

std::string MemoryClient::Ask(std::string_view text) {
  Feed(text);
  std::string out;
  for (const std::string& message : Take()) {
    if (!out.empty()) out.push_back('\n');
    out.append(message);
  }
  return out;
}

void MemoryClient::Send(Kind, std::string message) {
  received_.push_back(std::move(message));
}

}  // namespace ducat::mcp
