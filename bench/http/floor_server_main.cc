// floor_server PORT: the floor that servers are measured against (protocol.md 19.1, P-03). One
// thread and epoll; finds the end of the head and Content-Length, answers a fixed body with one
// write a request. No JSON, no limits, no mercy: for the benchmark alone.
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::string_view kBody =
    R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text",)"
    R"("text":"Echo: hello world"}],"isError":false}})";
constexpr int kEventsMax = 256;
constexpr int kBacklog = 4'096;

std::string FixedAnswer() {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
}

// The length of the first request in `bytes`; 0 when it is not complete.
size_t RequestLength(std::string_view bytes) {
  constexpr std::string_view kName = "Content-Length: ";
  const size_t head = bytes.find("\r\n\r\n");
  if (head == std::string_view::npos) return 0;
  size_t body = 0;
  if (const size_t at = bytes.substr(0, head).find(kName); at != std::string_view::npos) {
    const char* from = bytes.data() + at + kName.size();
    std::from_chars(from, bytes.data() + head, body);
  }
  const size_t whole = head + 4 + body;
  return whole <= bytes.size() ? whole : 0;
}

int Listen(uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, kBacklog) != 0) {
    std::perror("floor_server");
    return -1;
  }
  return listener;
}

class FloorServer {
 public:
  FloorServer(int listener, int poller) : listener_(listener), poller_(poller) { Watch(listener); }

  void Run() {
    epoll_event events[kEventsMax];
    for (;;) {
      const int count = ::epoll_wait(poller_, events, kEventsMax, -1);
      for (int i = 0; i < count; ++i) {
        if (events[i].data.fd == listener_) {
          Accept();
        } else {
          Serve(events[i].data.fd);
        }
      }
    }
  }

 private:
  void Watch(int descriptor) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    ::epoll_ctl(poller_, EPOLL_CTL_ADD, descriptor, &event);
  }

  void Accept() {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client < 0) return;
    const int on = 1;
    ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (static_cast<size_t>(client) >= waiting_.size()) waiting_.resize(size_t(client) + 1);
    waiting_[size_t(client)].clear();
    Watch(client);
  }

  void Serve(int client) {
    char block[16'384];
    const ssize_t got = ::read(client, block, sizeof block);
    if (got <= 0) {
      if (got == 0 || errno != EAGAIN) ::close(client);
      return;
    }
    std::string& bytes = waiting_[size_t(client)];
    bytes.append(block, static_cast<size_t>(got));
    while (const size_t length = RequestLength(bytes)) {
      bytes.erase(0, length);
      if (::write(client, answer_.data(), answer_.size()) < 0) break;
    }
  }

  int listener_;
  int poller_;
  std::string answer_ = FixedAnswer();
  std::vector<std::string> waiting_;  // by descriptor
};

}  // namespace

int main(int argc, char** argv) {
  uint16_t port = 0;
  const std::string_view text = argc == 2 ? argv[1] : "";
  if (std::from_chars(text.data(), text.data() + text.size(), port).ec != std::errc()) {
    std::fprintf(stderr, "usage: floor_server PORT\n");
    return 2;
  }
  const int listener = Listen(port);
  if (listener < 0) return 1;
  FloorServer(listener, ::epoll_create1(EPOLL_CLOEXEC)).Run();
  return 0;
}
