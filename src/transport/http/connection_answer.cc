// How a connection answers: whole replies, event streams, refusals, and the polite end.
#include <array>
#include <cerrno>
#include <cstdio>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "transport/http/connection.h"
#include "transport/http/endpoints.h"
#include "transport/http/http_observer.h"

namespace ducat::transport {
namespace {

constexpr std::chrono::milliseconds kLingerTime{2'000};
constexpr std::string_view kLastChunk = "0\r\n\r\n";
constexpr std::string_view kComment = ": \n\n";

}  // namespace

Framing Connection::CurrentFraming(bool stream) const {
  const bool known = parser_ && !parser_->head().method.empty();
  const int version = known ? parser_->head().version : 11;
  const bool closes = !keep_alive_ || core_->draining || (stream && version == 10);
  return {.version = version,
          .keep_alive = !closes,
          .stream = stream,
          .head_only = known && parser_->head().method == "HEAD"};
}

Connection::Step Connection::SendResponse(Response response) {
  // A body that nobody has read would be taken for the next request: it is dropped when all of it
  // is here, else the connection ends.
  if (unread_body_ && !lingers_ && response.status != 413) {
    const auto length = parser_->head().content_length;
    if (length && in_.size() >= *length) {
      in_.erase(0, *length);
      unread_body_ = false;
    }
  }
  if (unread_body_) {
    keep_alive_ = false;
    lingers_ = true;
  }
  response.headers.append(cors_);
  CountResponse(response.status);
  const Framing framing = CurrentFraming(false);
  std::string head;
  AppendHead(response, framing, core_->date.At(core_->clock().Wall()), head);
  std::string body = framing.head_only ? std::string() : std::move(response.body);
  const bool sent = co_await Write(std::move(head), std::move(body));
  co_return sent&& framing.keep_alive;
}

void Connection::CountResponse(int status) const {
  HttpObserver* observer = core_->options.observer;
  if (observer != nullptr) observer->Responded(route_ ? Name(*route_) : "none", status);
}

Connection::Step Connection::SendRefusal(Refusal refusal) {
  HttpObserver* observer = core_->options.observer;
  if (observer != nullptr && refusal.code == kRateLimited) observer->RateLimited();
  const RequestHead* head = parser_ ? &parser_->head() : nullptr;
  Response response = AnswerRefusal(refusal, on_mcp_, head);
  co_return co_await SendResponse(std::move(response));
}

// The bytes after a fault cannot be trusted to be a request: the connection ends.
Connection::Step Connection::SendFault(HeadFault fault) {
  if (core_->options.observer != nullptr) core_->options.observer->ParseFailed(fault.kind);
  keep_alive_ = false;
  lingers_ = true;
  Refusal refusal{fault.status, fault.kind, std::string(fault.message), {}};
  co_await SendRefusal(std::move(refusal));
  co_return false;
}

Connection::Step Connection::SendAnswer() {
  std::shared_ptr<ReplyStream> stream = post_->shared_stream();
  Count(true);
  AttachTo(stream);
  const bool at_once = stream->ended();
  stream_due_ = false;
  while (!stream->ended() && !stream->must_stream() && !(stream_due_ && stream->may_stream())) {
    Watch();
    co_await changed_.Wait();
    if (core_ == nullptr || peer_gone_) co_return false;
  }
  const bool only_stream = !post_->accepted().json;
  const bool whole = stream->ended() && !stream->must_stream();
  bool more = false;
  if (!whole || (only_stream && stream->has_reply() && stream->status() == 200)) {
    if (post_->only_listens()) Count(false);
    std::string headers = post_->headers();
    more = co_await SendStream(stream, std::move(headers));
  } else {
    Response response{
        .status = at_once ? 202 : 204, .content_type = {}, .headers = post_->headers(), .body = {}};
    if (stream->has_reply()) {
      response.status = stream->status();
      response.content_type = kJsonType;
      response.body = stream->TakeReply();
      AppendHeader(response.headers, "Cache-Control", "no-store");
      if (response.status == 503) AppendHeader(response.headers, "Retry-After", "1");
      HttpObserver* observer = core_->options.observer;
      if (observer != nullptr && response.status == 429) observer->RateLimited();
    }
    more = co_await SendResponse(std::move(response));
    if (more) stream->MarkDelivered();
  }
  co_return more;
}

Connection::Step Connection::SendStream(std::shared_ptr<ReplyStream> stream, std::string headers) {
  Response response{.status = 200,
                    .content_type = kEventStreamType,
                    .headers = "Cache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n",
                    .body = {}};
  response.headers.append(headers).append(cors_);
  CountResponse(response.status);
  const Framing framing = CurrentFraming(true);
  std::string head;
  AppendHead(response, framing, core_->date.At(core_->clock().Wall()), head);
  stream->BeginStream();
  keep_alive_due_ = false;
  std::string first = Chunk(stream->TakeEvents());
  last_written_ = core_->clock().Now();
  if (!co_await Write(std::move(head), std::move(first))) co_return false;
  const bool whole = co_await StreamEvents(std::move(stream));
  co_return whole&& framing.keep_alive;
}

Connection::Step Connection::StreamEvents(std::shared_ptr<ReplyStream> stream) {
  EnterPhase(Phase::kAnswer, std::chrono::hours(24 * 365));
  while (true) {
    std::string bytes = Chunk(stream->TakeEvents());
    const bool released = stream->TakeRelease() && !stream->ended();
    const bool last = stream->ended() || released;
    if (last && parser_->head().version == 11) bytes.append(kLastChunk);
    if (bytes.empty() && !last && std::exchange(keep_alive_due_, false)) {
      bytes = Chunk(std::string(kComment));
    }
    if (!bytes.empty()) {
      last_written_ = core_->clock().Now();
      keep_alive_due_ = false;
      if (!co_await Write(std::move(bytes), {})) co_return false;
      phase_ = Phase::kAnswer;
      deadline_ = MonotonicTime::max();
    }
    if (released) co_return true;
    if (last) {
      stream->MarkDelivered();
      co_return true;
    }
    if (stream->overflowed()) co_return false;
    if (stream->has_events()) continue;
    Watch();
    co_await changed_.Wait();
    if (core_ == nullptr || peer_gone_) co_return false;
  }
}

Connection::Step Connection::OpenGetStream() {
  const RequestHead& head = parser_->head();
  const std::string_view id = head.Header("Mcp-Session-Id").value_or("");
  LegacySession* session = core_->sessions.Find(id, caller_.principal, core_->clock().Now());
  if (session == nullptr) {
    Refusal refusal{404, "session_not_found", "There is no session of this id", {}};
    co_return co_await SendRefusal(std::move(refusal));
  }
  auto stream = session->OpenGet(head.Header("Last-Event-ID").value_or(""));
  if (!stream) {
    Refusal refusal{409, "stream_open", "The session has a GET stream already", {}};
    co_return co_await SendRefusal(std::move(refusal));
  }
  AttachTo(stream);
  std::string headers;
  co_return co_await SendStream(std::move(stream), std::move(headers));
}

std::string Connection::Chunk(std::string bytes) const {
  if (bytes.empty() || parser_->head().version == 10) return bytes;
  std::array<char, 20> size{};
  const int digits = std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  bytes.insert(0, size.data(), static_cast<size_t>(digits));
  bytes.append("\r\n");
  return bytes;
}

// All of both in one system call when the socket takes it.
Connection::Step Connection::Write(std::string first, std::string second) {
  if (!Seal(first, second)) {
    peer_gone_ = true;
    co_return false;
  }
  size_t written = 0;
  const size_t all = first.size() + second.size();
  while (written < all) {
    std::array<iovec, 2> parts{};
    size_t count = 0;
    if (written < first.size()) {
      parts[count++] = {.iov_base = first.data() + written, .iov_len = first.size() - written};
    }
    const size_t skip = written < first.size() ? 0 : written - first.size();
    if (skip < second.size()) {
      parts[count++] = {.iov_base = second.data() + skip, .iov_len = second.size() - skip};
    }
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const ssize_t put = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put >= 0) {
      written += static_cast<size_t>(put);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      peer_gone_ = true;
      co_return false;
    }
    EnterPhase(Phase::kWrite, core_->limits().stalled_write);
    boost::system::error_code error;
    co_await socket_.async_wait(boost::asio::posix::descriptor_base::wait_write,
                                boost::asio::redirect_error(boost::asio::use_awaitable, error));
    if (core_ == nullptr) co_return false;
    if (error || timed_out_) {
      peer_gone_ = true;
      co_return false;
    }
  }
  co_return true;
}

// A close with unread bytes would reset the connection and take the answer with it.
Connection::Done Connection::Linger() {
  SayGoodbye();
  if (::shutdown(socket_.native_handle(), SHUT_WR) != 0) co_return;
  EnterPhase(Phase::kLinger, kLingerTime);
  while (co_await ReadMore()) {
    in_.clear();
  }
}

}  // namespace ducat::transport
