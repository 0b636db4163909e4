#pragma once
// Connection: one client's socket, served by one coroutine: head, gate, body, answer, again
// (protocol.md 7). While an answer is awaited it watches the socket, so that a client that leaves
// cancels its modern request. Timeouts come from the server's tick, once a second. Shared by its
// coroutine and its pending operations; the server aborts it at its own end. Control thread only.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "transport/crypto/crypto_module.h"
#include "transport/http/http_core.h"
#include "transport/http/mcp_post.h"
#include "transport/http/request_parser.h"
#include "transport/http/response.h"
#include "transport/http/wakeup.h"

namespace ducat::transport {

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // What came in at a listener.
  struct Client {
    int descriptor;
    std::string address;        // without its port; empty on a Unix socket
    bool metrics_only = false;  // /metrics without authentication, and nothing else but /healthz
  };
  // Takes the descriptor over. `on_end` is called once, when the socket is closed.
  Connection(boost::asio::io_context& loop, HttpCore& core, Client client,
             std::function<void(Connection&)> on_end);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Start();
  // Once a second: whatever has a deadline.
  void Tick(MonotonicTime now);
  // At shutdown: an idle connection closes, a listen stream gets its final result, what runs may
  // end.
  void Drain();
  // Closes now; touches the core no more.
  void Abort();

 private:
  // What the deadline is for.
  enum class Phase : uint8_t { kIdle, kHead, kBody, kAnswer, kWrite, kLinger };
  using Done = boost::asio::awaitable<void>;
  // False: the connection is over.
  using Step = boost::asio::awaitable<bool>;

  // connection.cc: requests.
  Done Run(std::shared_ptr<Connection> self);
  Step ReadMore();
  Step ReadHead();
  Step ReadBody();
  Step ServeRequest();
  Step ServePlace(Place place);
  Step ServeCaller(Route route);
  Step ServeMetrics();
  Step ServeSession();
  Step AwaitKeys();
  Step ServePost();
  void EnterPhase(Phase phase, std::chrono::milliseconds time);
  [[nodiscard]] bool BodyTooSlow(MonotonicTime now) const;
  [[nodiscard]] bool OutlivesItsToken(MonotonicTime now) const;
  void CancelWait();
  void Watch();
  void AttachTo(std::shared_ptr<ReplyStream> stream);
  void LeaveRequest();
  void Count(bool counts);
  void Close();

  // connection_tls.cc: what TLS does to bytes.
  Step Handshake();
  void Take(std::string_view bytes);
  [[nodiscard]] bool Seal(std::string& first, std::string& second);
  void SendNow();
  void SayGoodbye();

  // connection_answer.cc: answers.
  Step SendResponse(Response response);
  Step SendRefusal(Refusal refusal);
  // A refusal that also ends the connection.
  Step SendFault(HeadFault fault);
  Step SendAnswer();
  Step SendStream(std::shared_ptr<ReplyStream> stream, std::string headers);
  Step StreamEvents(std::shared_ptr<ReplyStream> stream);
  Step OpenGetStream();
  Step Write(std::string first, std::string second);
  Done Linger();
  void CountResponse(int status) const;
  [[nodiscard]] Framing CurrentFraming(bool stream) const;
  [[nodiscard]] std::string Chunk(std::string bytes) const;

  HttpCore* core_;  // null once aborted
  boost::asio::posix::stream_descriptor socket_;
  std::function<void(Connection&)> on_end_;
  Wakeup changed_;
  std::shared_ptr<const TlsContext> tls_context_;  // what tls_ began with
  std::unique_ptr<TlsSession> tls_;                // null: plain HTTP
  std::string unsent_;                             // what TLS has to say besides answers
  std::string in_;                                 // bytes that were read and not used
  std::string head_;                               // of the request being served
  std::string ahead_;                              // where the watch reads to
  std::unique_ptr<RequestParser> parser_;
  std::unique_ptr<McpPost> post_;
  std::shared_ptr<ReplyStream> attached_;  // tells us of its changes
  std::string address_;
  bool metrics_only_;
  std::optional<Route> route_;  // of the request being served
  mcp::Caller caller_;          // of the request being served
  std::string turn_;            // of calls without a session
  std::string cors_;
  bool on_mcp_ = false;
  bool keep_alive_ = true;

  Phase phase_ = Phase::kIdle;
  MonotonicTime phase_started_;
  MonotonicTime deadline_;
  size_t body_received_ = 0;
  MonotonicTime last_written_;

  bool reading_ = false;  // the watch has a read pending
  bool peer_gone_ = false;
  bool timed_out_ = false;
  bool stream_due_ = false;
  bool keep_alive_due_ = false;
  bool unread_body_ = false;
  bool keys_came_ = false;
  bool counted_ = false;  // among the requests in flight
  bool lingers_ = false;  // the client may still be sending
};

}  // namespace ducat::transport
