#pragma once
// HttpCaller: what the protocol core asks about the POST that it serves (protocol.md 3): its
// headers, and the session that the body turns out to belong to. Implemented by the HTTP transport,
// one per POST; lives as long as Server::ReceiveHttp runs, its outbox as long as the session that
// it gave. Control thread only.

#include <cstdint>
#include <optional>
#include <string_view>

#include "mcp/params.h"

namespace ducat::mcp {

class Outbox;
class Session;

class HttpCaller {
 public:
  virtual ~HttpCaller() = default;
  // A header's value without outer blanks; nothing when it was not sent.
  [[nodiscard]] virtual std::optional<std::string_view> Header(std::string_view name) const = 0;
  // Takes what answers the message; every message ends with one Send, Refuse or Close.
  [[nodiscard]] virtual Outbox& outbox() = 0;

  // Whether the client takes an event stream as an answer.
  [[nodiscard]] virtual bool TakesStream() const = 0;

  // Called before the refusal that it explains: what the caller must have been granted, separated
  // by blanks; and when to come again.
  virtual void NeedsScopes(std::string_view scopes) = 0;
  virtual void RetryAfter(int64_t seconds) = 0;

  // Modern messages: a session of this POST alone.
  [[nodiscard]] virtual Session& OwnSession() = 0;
  // initialize: a new session, or -31003 when there are too many.
  [[nodiscard]] virtual Params<Session*> OpenSession() = 0;
  // Every other legacy message: the session that the headers name. Its revision is set.
  [[nodiscard]] virtual Params<Session*> FindSession() = 0;
};

}  // namespace ducat::mcp
