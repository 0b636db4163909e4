#pragma once
// McpPost: one POST to /mcp between its body and the end of its answer: gives the protocol core its
// headers and its session, and holds the stream that the answer comes through. A modern POST is a
// session of its own, so ending it cancels what it runs. Owned by its connection; control thread
// only.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/http_caller.h"
#include "mcp/session.h"
#include "transport/http/gate.h"
#include "transport/http/http_core.h"
#include "transport/http/reply_stream.h"
#include "transport/http/request_head.h"

namespace ducat::transport {

class McpPost final : public mcp::HttpCaller {
 public:
  // `head` must stay valid as long as Receive runs.
  McpPost(HttpCore& core, const RequestHead& head, mcp::Caller caller);
  ~McpPost() override;

  // Hands the body to the protocol core. What answers it may be there already.
  void Receive(std::string_view body);
  [[nodiscard]] ReplyStream& stream() { return *stream_; }
  [[nodiscard]] std::shared_ptr<ReplyStream> shared_stream() const { return stream_; }
  [[nodiscard]] const Accepted& accepted() const { return accepted_; }
  // Nothing runs any more and yet it goes on: a subscription.
  [[nodiscard]] bool only_listens() const { return own_ && own_->in_flight() == 0; }
  // Lines that the answer's head gets.
  [[nodiscard]] const std::string& headers() const { return headers_; }
  // At shutdown: a listen stream gets its final result.
  void FinishStreams();

  [[nodiscard]] std::optional<std::string_view> Header(std::string_view name) const override;
  mcp::Outbox& outbox() override { return *stream_; }
  [[nodiscard]] bool TakesStream() const override { return accepted_.stream; }
  void NeedsScopes(std::string_view scopes) override;
  void RetryAfter(int64_t seconds) override;
  mcp::Session& OwnSession() override;
  mcp::Params<mcp::Session*> OpenSession() override;
  mcp::Params<mcp::Session*> FindSession() override;

 private:
  [[nodiscard]] mcp::Params<mcp::Session*> StatelessSession();
  void SettleHandshake();

  HttpCore& core_;
  const RequestHead& head_;
  mcp::Caller caller_;
  Accepted accepted_;
  std::shared_ptr<ReplyStream> stream_;
  std::optional<mcp::Session> own_;  // ends before its outbox
  std::string opened_;               // id of the session that this POST opens
  std::string headers_;
};

}  // namespace ducat::transport
