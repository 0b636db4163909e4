#include "transport/http/http_server.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <list>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include "base/end_signals.h"
#include "transport/http/connection.h"
#include "transport/http/http_core.h"
#include "transport/http/http_observer.h"
#include "transport/http/jwt/jwt_verifier.h"
#include "transport/http/tls_files.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

constexpr std::chrono::milliseconds kTick{1'000};
constexpr int kAcceptsPerTurn = 64;  // then others get a turn
constexpr std::string_view kTooMany =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    "Content-Type: application/json\r\nContent-Length: 69\r\n\r\n"
    R"({"error":"too_many_connections","message":"Connect again in a while"})";

using boost::asio::posix::stream_descriptor;
using boost::system::error_code;

// The client's address without its port; empty when it is gone already.
std::string AddressOf(int client) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (::getpeername(client, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  const bool v4 = address.ss_family == AF_INET;
  const void* host =
      v4 ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(&address)->sin_addr)
         : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(&address)->sin6_addr);
  return ::inet_ntop(address.ss_family, host, text.data(), text.size()) != nullptr ? text.data()
                                                                                   : "";
}

struct Listener {
  stream_descriptor descriptor;
  std::string unix_path;
  HttpServer::Purpose purpose;
};

}  // namespace

struct HttpServer::Impl {
  Impl(boost::asio::io_context& given_loop, mcp::Server& server, Log& log, HttpOptions options)
      : loop(given_loop), core(server, log, std::move(options)) {
    WarnOfNoTokens();
    ScheduleTick();
  }
  ~Impl() {
    timers().Remove(tick);
    timers().Remove(drain_end);
    CloseListeners();
    core.sessions.EndAll();
    AbortAll();
    ::close(spare);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] mcp::TimerQueue& timers() { return core.mcp.timers(); }

  void ScheduleTick() {
    tick = timers().At(core.clock().Now() + kTick, [this] {
      const MonotonicTime now = core.clock().Now();
      for (const auto& connection : Alive()) {
        connection->Tick(now);
      }
      core.sessions.Sweep(now);
      Reload(false);
      ScheduleTick();
    });
  }

  // What decides who may call, as far as it has changed.
  void Reload(bool in_any_case) {
    if (core.options.tokens) {
      const auto read = core.options.tokens->Reload(in_any_case);
      Tell("tokens", read);
      if (read && *read) WarnOfNoTokens();
    }
    if (core.options.tls) Tell("tls", core.options.tls->Reload(in_any_case));
    if (core.options.jwt) {
      Tell("keys", core.options.jwt->Reload(in_any_case, core.clock().Now()));
    }
    if (in_any_case && core.options.on_reload) core.options.on_reload();
  }

  // May be meant, and may be what an editor or a full disk left.
  void WarnOfNoTokens() {
    if (!core.options.tokens || core.options.tokens->size() > 0) return;
    core.log.Write(LogLevel::kWarning, "the token file has no tokens: nobody may call", {});
  }

  void Tell(std::string_view what, const Result<bool>& read) {
    if (!read) {
      if (core.options.observer != nullptr) core.options.observer->ReloadFailed(what);
      core.log.Write(LogLevel::kError, "a file is broken, the old state holds",
                     {{"file", what}, {"detail", read.error().message}});
    } else if (*read) {
      core.log.Write(LogLevel::kNotice, "a file was read again", {{"file", what}});
    }
  }

  void WaitForClient(Listener& listener) {
    listener.descriptor.async_wait(boost::asio::posix::descriptor_base::wait_read,
                                   [this, &listener](error_code error) {
                                     if (error) return;
                                     AcceptClients(listener);
                                     WaitForClient(listener);
                                   });
  }

  void AcceptClients(Listener& listener) {
    for (int turn = 0; turn < kAcceptsPerTurn; ++turn) {
      const int client = ::accept4(listener.descriptor.native_handle(), nullptr, nullptr,
                                   SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (client >= 0) {
        Take(client, listener);
      } else if (errno == EMFILE || errno == ENFILE) {
        if (!TurnAway(listener)) return;
      } else if (errno != EINTR && errno != ECONNABORTED) {
        return;
      }
    }
  }

  void Take(int client, const Listener& listener) {
    if (connections.size() >= core.limits().connections_max) {
      RefuseClient(client);
      return;
    }
    const int on = 1;
    const bool is_tcp = listener.unix_path.empty();
    if (is_tcp) ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    Connection::Client arrived{.descriptor = client,
                               .address = is_tcp ? AddressOf(client) : std::string(),
                               .metrics_only = listener.purpose == Purpose::kMetrics};
    auto connection = std::make_shared<Connection>(loop, core, std::move(arrived),
                                                   [this](Connection& ended) { Forget(ended); });
    connections.emplace(connection.get(), connection);
    connection->Start();
  }

  // A client of TLS would not understand the sentence.
  void RefuseClient(int client) const {
    if (!core.options.tls) {
      static_cast<void>(::send(client, kTooMany.data(), kTooMany.size(), MSG_NOSIGNAL));
    }
    ::close(client);
  }

  // Without a free descriptor the client in the queue would spin the loop: one is kept for it.
  bool TurnAway(Listener& listener) {
    if (spare < 0) return false;
    ::close(std::exchange(spare, -1));
    const int client =
        ::accept4(listener.descriptor.native_handle(), nullptr, nullptr, SOCK_CLOEXEC);
    if (client >= 0) {
      RefuseClient(client);
    }
    spare = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    return client >= 0;
  }

  void Forget(Connection& ended) {
    connections.erase(&ended);
    EndDrainIfEmpty();
  }

  void EndDrainIfEmpty() {
    if (!on_drained || !connections.empty()) return;
    timers().Remove(drain_end);
    std::exchange(on_drained, nullptr)();
  }

  void CloseListeners() {
    for (Listener& listener : listeners) {
      error_code ignored;
      listener.descriptor.close(ignored);
      if (!listener.unix_path.empty()) ::unlink(listener.unix_path.c_str());
    }
    listeners_closed.splice(listeners_closed.end(), listeners);
  }

  // A copy: a connection that ends leaves the table.
  [[nodiscard]] std::vector<std::shared_ptr<Connection>> Alive() const {
    std::vector<std::shared_ptr<Connection>> alive;
    alive.reserve(connections.size());
    for (const auto& [key, connection] : connections) {
      alive.push_back(connection);
    }
    return alive;
  }

  void AbortAll() {
    for (const auto& connection : Alive()) {
      connection->Abort();
    }
  }

  boost::asio::io_context& loop;
  HttpCore core;
  std::list<Listener> listeners;         // addresses stay: their waits refer to them
  std::list<Listener> listeners_closed;  // until their waits have been cancelled
  std::unordered_map<Connection*, std::shared_ptr<Connection>> connections;
  mcp::TimerQueue::Entry tick;
  mcp::TimerQueue::Entry drain_end;
  std::function<void()> on_drained;
  int spare = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
};

HttpServer::HttpServer(boost::asio::io_context& loop, mcp::Server& server, Log& log,
                       HttpOptions options)
    : impl_(std::make_unique<Impl>(loop, server, log, std::move(options))) {}

HttpServer::~HttpServer() = default;

Result<uint16_t> HttpServer::Listen(const ListenAddress& address, Purpose purpose) {
  TRY_ASSIGN(const int descriptor, OpenListener(address));
  impl_->listeners.push_back({.descriptor = stream_descriptor(impl_->loop, descriptor),
                              .unix_path = address.unix_path,
                              .purpose = purpose});
  impl_->WaitForClient(impl_->listeners.back());
  return BoundPort(descriptor);
}

void HttpServer::Drain(std::function<void()> on_end) {
  impl_->core.draining = true;
  impl_->on_drained = std::move(on_end);
  impl_->CloseListeners();
  impl_->drain_end =
      impl_->timers().At(impl_->core.clock().Now() + impl_->core.limits().drain, [this] {
        impl_->core.sessions.EndAll();
        impl_->AbortAll();
        impl_->EndDrainIfEmpty();
      });
  for (const auto& connection : impl_->Alive()) {
    connection->Drain();
  }
  impl_->EndDrainIfEmpty();
}

void HttpServer::Reload() {
  impl_->Reload(true);
}

size_t HttpServer::connections() const {
  return impl_->connections.size();
}

size_t HttpServer::sessions() const {
  return impl_->core.sessions.size();
}

size_t HttpServer::requests_in_flight() const {
  return impl_->core.requests_in_flight;
}

int RunHttp(boost::asio::io_context& loop, HttpServer& server) {
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::signal_set reloads(loop, SIGHUP);
  std::function<void(error_code, int)> reload = [&](error_code error, int) {
    if (error) return;
    server.Reload();
    reloads.async_wait([&](error_code again, int signal) { reload(again, signal); });
  };
  reloads.async_wait([&](error_code error, int signal) { reload(error, signal); });
  boost::asio::signal_set signals(loop, SIGTERM, SIGINT);
  signals.async_wait([&](error_code error, int) {
    if (error) return;
    signals.async_wait([&](error_code again, int) {
      if (!again) loop.stop();
    });
    server.Drain([&] { loop.stop(); });
  });
  ReleaseEndSignals();  // they are listened for now
  loop.run();
  HoldEndSignals();  // one more must not interrupt the clearing up
  return 0;
}

}  // namespace ducat::transport
