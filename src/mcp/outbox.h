#pragma once
// Outbox: where the messages to one client go. On stdio all requests share the transport's; over
// HTTP each response stream is one. Implemented by transports (and by tests); outlives the sessions
// and requests that borrow it. Control thread only. Sending cannot fail: a broken stream ends its
// session.

#include <cstdint>
#include <string>
#include <utility>

namespace ducat::mcp {

class Outbox {
 public:
  enum class Kind : uint8_t {
    kReply,       // result, error, or a batch of them
    kChange,      // list_changed, updated, subscription frames
    kRequest,     // of the server, to be answered by the client
    kExpendable,  // progress and log lines: dropped first when the client does not read
  };
  virtual ~Outbox() = default;
  // `message` is one JSON text without a newline.
  virtual void Send(Kind kind, std::string message) = 0;
  // A reply that is an error; `http_status` is for transports that have one.
  virtual void Refuse(std::string message, int http_status) {
    static_cast<void>(http_status);
    Send(Kind::kReply, std::move(message));
  }
  // Whether a request of the server can reach the client and be answered.
  [[nodiscard]] virtual bool TakesRequests() const { return true; }
  // The client need not wait connected: it may ask again for what follows.
  virtual void Release() {}
  // The message gets no reply: a notification, or a request that was cancelled.
  virtual void Close() {}
};

}  // namespace ducat::mcp
