#include "http_exchange.h"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ducat::testing {

int PortOf(DucatProcess& server) {
  constexpr std::string_view kStart = "://127.0.0.1:";
  for (int tries = 0; tries < 600; ++tries) {
    const std::string errors = server.Errors();
    const size_t line = errors.find("listening on http");
    const size_t at = line == errors.npos ? line : errors.find(kStart, line);
    if (at != errors.npos && errors.find('\n', at) != errors.npos) {
      return std::stoi(errors.substr(at + kStart.size()));
    }
    ::usleep(100'000);
  }
  return 0;
}

std::string Exchange(int port, std::string_view request) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string out;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    static_cast<void>(::send(fd, request.data(), request.size(), MSG_NOSIGNAL));
    std::array<char, 65'536> chunk{};
    for (ssize_t got = 0; (got = ::recv(fd, chunk.data(), chunk.size(), 0)) > 0;) {
      out.append(chunk.data(), static_cast<size_t>(got));
    }
  }
  ::close(fd);
  return out;
}

std::string CallTool(int port, std::string_view tool, std::string_view arguments,
                     std::string_view headers) {
  std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")";
  body.append(tool).append(R"(","arguments":)").append(arguments);
  body.append(R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
              R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  std::string request =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      "Content-Type: application/json\r\nAccept: application/json\r\n"
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n";
  request.append(headers);
  request.append("Mcp-Name: ").append(tool).append("\r\nContent-Length: ");
  request.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  return Exchange(port, request);
}

}  // namespace ducat::testing
