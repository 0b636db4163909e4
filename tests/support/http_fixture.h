#pragma once
// What the HTTP tests share: a whole server with a clock that stands still, and clients on real
// sockets of loopback. Everything runs on the test's thread, exactly as far as it is ready; a
// client waits only for bytes that the kernel still carries. For tests that link the transport.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <functional>
#include <map>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/text.h"
#include "support/mcp_fixture.h"
#include "transport/http/http_server.h"

namespace ducat::testing {

// One answer, taken apart.
struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // chunks joined
  [[nodiscard]] std::string Header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

struct HttpFixture {
  // `complete` adds what needs the fixture's loop or log.
  explicit HttpFixture(
      transport::HttpOptions options = {}, mcp::ServerOptions server_options = {},
      const std::function<void(HttpFixture&, transport::HttpOptions&)>& complete = {})
      : mcp(std::move(server_options)) {
    if (complete) complete(*this, options);
    server =
        std::make_unique<transport::HttpServer>(mcp.loop, *mcp.server, mcp.log, std::move(options));
    auto bound = server->Listen({.host = "127.0.0.1", .port = 0, .unix_path = {}});
    CHECK(bound.has_value());
    port = *bound;
  }

  void Settle() {
    size_t handlers = 1;
    while (handlers > 0) {
      mcp.loop.restart();
      handlers = mcp.loop.poll();
    }
  }
  // In steps, so that the tick sees each second.
  void Advance(std::chrono::milliseconds time) {
    Settle();
    while (time.count() > 0) {
      const auto step = std::min(time, std::chrono::milliseconds(1'000));
      mcp.clock.Advance(step);
      time -= step;
      mcp.client->Settle();
      Settle();
    }
  }

  McpFixture mcp;
  std::unique_ptr<transport::HttpServer> server;
  uint16_t port = 0;
};

class HttpClient {
 public:
  explicit HttpClient(HttpFixture& fixture) : fixture_(fixture) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(fixture.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  }
  ~HttpClient() { Close(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (put > 0) {
        bytes.remove_prefix(static_cast<size_t>(put));
      } else if (errno != EAGAIN) {
        return;  // the server has closed: the test reads what it said
      }
      fixture_.Settle();
    }
    fixture_.Settle();
  }
  void Close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    fixture_.Settle();
  }

  // As `nc -N` does: it sends no more, and still reads.
  void EndSending() {
    ::shutdown(fd_, SHUT_WR);
    fixture_.Settle();
  }

  // Reads until `enough` says so, or nothing has come for `patience`.
  bool ReadUntil(const std::function<bool()>& enough,
                 std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (true) {
      fixture_.Settle();
      if (enough()) return true;
      if (closed_ || std::chrono::steady_clock::now() > end) return false;
      pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
      if (::poll(&waiting, 1, 2) <= 0) continue;
      std::array<char, 65'536> chunk{};
      const ssize_t got = ::recv(fd_, chunk.data(), chunk.size(), MSG_DONTWAIT);
      if (got > 0) in_.append(chunk.data(), static_cast<size_t>(got));
      if (got == 0 || (got < 0 && errno != EAGAIN)) closed_ = true;
    }
  }
  [[nodiscard]] bool has_unread() const { return !in_.empty(); }
  // True when the server closes the connection.
  bool IsClosed() {
    ReadUntil([this] { return closed_; }, std::chrono::seconds(5));
    return closed_;
  }
  // Nothing comes: for what must not be said.
  std::string ReadForAWhile() {
    ReadUntil([] { return false; }, std::chrono::milliseconds(30));
    return std::exchange(in_, {});
  }
  // What has come, as soon as something has.
  std::string ReadSome() {
    ReadUntil([this] { return !in_.empty(); }, std::chrono::milliseconds(200));
    return std::exchange(in_, {});
  }
  // The next events of a stream whose head has been read, until one holds `part`.
  std::string ReadEventWith(std::string_view part) {
    ReadUntil([&] { return in_.find(part) != in_.npos; });
    return std::exchange(in_, {});
  }

  // The next answer; of a stream that goes on, or with HEAD, only the head.
  HttpReply Read(bool with_body = true) {
    HttpReply reply;
    size_t head_end = 0;
    ReadUntil([&] { return (head_end = in_.find("\r\n\r\n")) != in_.npos; });
    if (head_end == in_.npos) return reply;
    ParseHead(in_.substr(0, head_end + 2), reply);
    in_.erase(0, head_end + 4);
    if (const std::string length = reply.Header("content-length"); with_body && !length.empty()) {
      const size_t size = std::stoul(length);
      ReadUntil([&] { return in_.size() >= size; });
      reply.body = in_.substr(0, size);
      in_.erase(0, size);
    }
    return reply;
  }
  // The next answer, with all of its stream.
  HttpReply ReadStream() {
    HttpReply reply = Read();
    if (reply.Header("transfer-encoding") != "chunked") return reply;
    ReadUntil(
        [this] { return in_.starts_with("0\r\n\r\n") || in_.find("\r\n0\r\n\r\n") != in_.npos; });
    while (true) {
      const size_t line = in_.find("\r\n");
      if (line == in_.npos) return reply;
      const size_t size = std::stoul(in_.substr(0, line), nullptr, 16);
      reply.body.append(in_, line + 2, size);
      in_.erase(0, line + 2 + size + 2);
      if (size == 0) return reply;
    }
  }
  HttpReply Ask(std::string_view request) {
    Send(request);
    return Read();
  }

 private:
  static void ParseHead(std::string_view head, HttpReply& reply) {
    reply.status = std::stoi(std::string(head.substr(9, 3)));
    head.remove_prefix(head.find("\r\n") + 2);
    while (!head.empty()) {
      const size_t end = head.find("\r\n");
      const std::string_view line = head.substr(0, end);
      const size_t colon = line.find(':');
      std::string& value = reply.headers[AsciiLower(line.substr(0, colon))];
      if (!value.empty()) value.append(", ");
      value.append(Trim(line.substr(colon + 1)));
      head.remove_prefix(end + 2);
    }
  }

  HttpFixture& fixture_;
  int fd_ = -1;
  std::string in_;
  bool closed_ = false;
};

// A request with a body; `headers` are whole lines with their CR LF.
inline std::string HttpRequest(std::string_view method, std::string_view target,
                               std::string_view headers = "", std::string_view body = "") {
  std::string out = std::string(method) + " " + std::string(target) + " HTTP/1.1\r\n";
  out.append("Host: localhost\r\n").append(headers);
  if (!body.empty() || method == "POST") {
    out.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  }
  return out.append("\r\n").append(body);
}

// A POST to /mcp as clients send it.
inline std::string Post(std::string_view body, std::string_view headers = "") {
  const std::string all =
      "Content-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\n" +
      std::string(headers);
  return HttpRequest("POST", "/mcp", all, body);
}

// The headers that a modern request must have; `name` only where the body has one.
inline std::string Mirror(std::string_view method, std::string_view name = "") {
  std::string out =
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(method) + "\r\n";
  if (!name.empty()) out.append("Mcp-Name: ").append(name).append("\r\n");
  return out;
}

// A modern POST; `params` is the inside of params besides _meta.
inline std::string ModernPost(std::string_view method, std::string_view name = "",
                              std::string_view params = "", std::string_view id = "1") {
  return Post(ModernRequest(id, method, params), Mirror(method, name));
}
inline std::string ModernEcho(std::string_view text, std::string_view id = "1") {
  return ModernPost("tools/call", "echo",
                    R"("name":"echo","arguments":{"message":")" + std::string(text) + "\"}", id);
}

// A legacy session over HTTP: initialize and initialized; the header line that names it.
inline std::string OpenSession(HttpClient& client, std::string_view revision = "2025-11-25") {
  const std::string params = "\"protocolVersion\":\"" + std::string(revision) +
                             R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"})";
  const HttpReply opened = client.Ask(Post(LegacyRequest("0", "initialize", params)));
  const std::string line = "Mcp-Session-Id: " + opened.Header("mcp-session-id") + "\r\n";
  const HttpReply noted =
      client.Ask(Post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", line));
  CHECK(noted.status == 202);
  return line;
}

}  // namespace ducat::testing
