#include "transport/http/listen_address.h"

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace ducat::transport {
namespace {

constexpr int kBacklog = 1'024;
constexpr std::string_view kUnixPrefix = "unix:";

Failure Unusable(std::string_view text) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
              "\"" + std::string(text) + "\" is no address to listen on",
              "Give HOST:PORT with an IP address or localhost, or unix:/path.");
}

Failure CannotListen(const std::string& where, int error) {
  const bool busy = error == EADDRINUSE;
  return Fail(ErrorCode::kUnavailable, busy ? "address_in_use" : "address_unavailable",
              "Cannot listen on " + where + ": " + std::generic_category().message(error),
              busy ? "Stop the other server, or choose another address with --http." : "");
}

// Closes unless it is handed on.
struct Descriptor {
  explicit Descriptor(int value) : fd(value) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int Release() {
    const int out = fd;
    fd = -1;
    return out;
  }
  int fd;
};

union SocketAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_un local;
  sockaddr_storage space;
};

// The length of the address, 0 when `host` is none.
socklen_t FillAddress(const std::string& host, uint16_t port, SocketAddress& out) {
  std::memset(&out, 0, sizeof(out));
  if (::inet_pton(AF_INET, host.c_str(), &out.v4.sin_addr) == 1) {
    out.v4.sin_family = AF_INET;
    out.v4.sin_port = htons(port);
    return sizeof(out.v4);
  }
  if (::inet_pton(AF_INET6, host.c_str(), &out.v6.sin6_addr) == 1) {
    out.v6.sin6_family = AF_INET6;
    out.v6.sin6_port = htons(port);
    return sizeof(out.v6);
  }
  return 0;
}

bool Accepts(const SocketAddress& address) {
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return probe.fd >= 0 && ::connect(probe.fd, &address.any, sizeof(address.local)) == 0;
}

Result<int> OpenUnix(const std::string& path) {
  SocketAddress address{};
  if (path.size() >= sizeof(address.local.sun_path)) return CannotListen(path, ENAMETOOLONG);
  address.local.sun_family = AF_UNIX;
  path.copy(address.local.sun_path, path.size());
  struct stat info{};
  if (::lstat(path.c_str(), &info) == 0) {
    if (!S_ISSOCK(info.st_mode) || Accepts(address)) return CannotListen(path, EADDRINUSE);
    ::unlink(path.c_str());
  }
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.fd < 0) return CannotListen(path, errno);
  // The mode must hold from the first moment on.
  const mode_t before = ::umask(0177);
  const int bound = ::bind(socket.fd, &address.any, sizeof(address.local));
  const int error = errno;
  ::umask(before);
  if (bound != 0) return CannotListen(path, error);
  if (::listen(socket.fd, kBacklog) != 0) return CannotListen(path, errno);
  return socket.Release();
}

}  // namespace

bool ListenAddress::is_loopback() const {
  return is_unix() || host == "::1" || host.starts_with("127.");
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  ListenAddress address;
  if (text.starts_with(kUnixPrefix)) {
    address.unix_path = text.substr(kUnixPrefix.size());
    if (address.unix_path.empty()) return Unusable(text);
    return address;
  }
  const size_t colon = text.rfind(':');
  if (colon == text.npos) return Unusable(text);
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || error != std::errc() || end != port.data() + port.size()) {
    return Unusable(text);
  }
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  address.host = host == "localhost" ? "127.0.0.1" : host;
  SocketAddress probe{};
  if (FillAddress(address.host, address.port, probe) == 0) return Unusable(text);
  if (bracketed != (probe.any.sa_family == AF_INET6)) return Unusable(text);
  return address;
}

Result<int> OpenListener(const ListenAddress& address) {
  if (address.is_unix()) return OpenUnix(address.unix_path);
  SocketAddress bound{};
  const socklen_t size = FillAddress(address.host, address.port, bound);
  const std::string where = address.host + " port " + std::to_string(address.port);
  Descriptor socket(::socket(bound.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.fd < 0) return CannotListen(where, errno);
  const int on = 1;
  ::setsockopt(socket.fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (::bind(socket.fd, &bound.any, size) != 0) return CannotListen(where, errno);
  if (::listen(socket.fd, kBacklog) != 0) return CannotListen(where, errno);
  return socket.Release();
}

uint16_t BoundPort(int descriptor) {
  SocketAddress address{};
  socklen_t size = sizeof(address);
  if (::getsockname(descriptor, &address.any, &size) != 0) return 0;
  if (address.any.sa_family == AF_INET) return ntohs(address.v4.sin_port);
  return address.any.sa_family == AF_INET6 ? ntohs(address.v6.sin6_port) : uint16_t{0};
}

}  // namespace ducat::transport
