#pragma once
// CannedServer: an upstream on loopback that says what it is told to, on a thread of its own, one
// connection after the other, and counts who came. For tests of what fetches.

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/result.h"

namespace ducat::testing {

// A whole HTTP answer.
inline std::string CannedReply(std::string_view status, std::string_view body,
                               std::string_view headers = "") {
  std::string out = "HTTP/1.1 " + std::string(status) + "\r\nConnection: close\r\n";
  out.append(headers).append("Content-Length: ").append(std::to_string(body.size()));
  return out.append("\r\n\r\n").append(body);
}

class CannedServer {
 public:
  explicit CannedServer(std::string reply) : reply_(std::move(reply)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    CHECK(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    CHECK(::listen(listener_, 16) == 0);
    CHECK(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~CannedServer() {
    ::shutdown(listener_, SHUT_RDWR);  // wakes the accept
    thread_.join();
    ::close(listener_);
  }
  CannedServer(const CannedServer&) = delete;
  CannedServer& operator=(const CannedServer&) = delete;

  // An empty reply keeps the client waiting until it leaves.
  void Say(std::string reply) {
    const std::lock_guard lock(mutex_);
    reply_ = std::move(reply);
  }
  [[nodiscard]] int requests() const { return requests_; }
  [[nodiscard]] std::string url(std::string_view path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
  }

 private:
  void Serve() {
    while (true) {
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) return;
      std::string head;
      std::array<char, 4'096> chunk{};
      while (head.find("\r\n\r\n") == head.npos) {
        const ssize_t got = ::recv(client, chunk.data(), chunk.size(), 0);
        if (got <= 0) break;
        head.append(chunk.data(), static_cast<size_t>(got));
      }
      ++requests_;
      const std::string reply = Reply();
      static_cast<void>(::send(client, reply.data(), reply.size(), MSG_NOSIGNAL));
      if (reply.empty()) static_cast<void>(::recv(client, chunk.data(), chunk.size(), 0));
      ::close(client);
    }
  }
  std::string Reply() {
    const std::lock_guard lock(mutex_);
    return reply_;
  }

  std::mutex mutex_;
  std::string reply_;
  std::atomic<int> requests_ = 0;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace ducat::testing
