#include "transport/http/connection.h"

#include <algorithm>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "transport/http/challenge.h"
#include "transport/http/endpoints.h"

namespace ducat::transport {
namespace {

constexpr size_t kReadBytes = 4'096;
constexpr size_t kBodyReadBytes = size_t{64} << 10U;
constexpr size_t kKeptBytes = 4'096;  // capacity that an idle connection keeps
constexpr std::string_view kMetricsScope = "metrics";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

using boost::system::error_code;

}  // namespace

Connection::Connection(boost::asio::io_context& loop, HttpCore& core, Client client,
                       std::function<void(Connection&)> on_end)
    : core_(&core),
      socket_(loop, client.descriptor),
      on_end_(std::move(on_end)),
      changed_(loop.get_executor()),
      address_(std::move(client.address)),
      metrics_only_(client.metrics_only),
      turn_("connection " + std::to_string(++core.connections)) {
  error_code ignored;
  socket_.native_non_blocking(true, ignored);
}

Connection::~Connection() = default;

void Connection::Start() {
  EnterPhase(Phase::kIdle, core_->limits().idle);
  boost::asio::co_spawn(socket_.get_executor(), Run(shared_from_this()), boost::asio::detached);
}

Connection::Done Connection::Run(std::shared_ptr<Connection> self) {
  bool more = true;
  if (core_->options.tls) more = co_await Handshake();
  while (more && core_ != nullptr) {
    more = co_await ReadHead();
    if (more) more = co_await ServeRequest();
    if (core_ == nullptr) co_return;
    LeaveRequest();
    if (core_->draining) more = false;
  }
  if (core_ != nullptr && lingers_ && !peer_gone_) co_await Linger();
  if (core_ != nullptr) Close();
}

void Connection::EnterPhase(Phase phase, std::chrono::milliseconds time) {
  phase_ = phase;
  phase_started_ = core_->clock().Now();
  deadline_ = phase_started_ + time;
  timed_out_ = false;
}

// Appends to in_. False at the end of the stream, at a deadline and when aborted.
Connection::Step Connection::ReadMore() {
  while (reading_) {
    co_await changed_.Wait();
    if (core_ == nullptr || timed_out_) co_return false;
    if (!reading_) co_return !peer_gone_;
  }
  if (peer_gone_ || timed_out_) co_return false;
  const size_t room = phase_ == Phase::kBody ? kBodyReadBytes : kReadBytes;
  std::string sealed;  // with TLS; else bytes are read where they are used
  std::string& into = tls_ ? sealed : in_;
  const size_t before = into.size();
  into.resize(before + room);
  error_code error;
  const size_t got = co_await socket_.async_read_some(
      boost::asio::buffer(into.data() + before, room),
      boost::asio::redirect_error(boost::asio::use_awaitable, error));
  into.resize(before + got);
  if (core_ == nullptr || timed_out_) co_return false;
  if (error) peer_gone_ = true;
  const size_t opened_before = in_.size();
  if (tls_) Take(sealed);
  if (!unsent_.empty() && !peer_gone_) co_return co_await Write({}, {});
  // The end of TLS may come with the last request, which is answered still.
  co_return !peer_gone_ || in_.size() > opened_before;
}

Connection::Step Connection::ReadHead() {
  EnterPhase(Phase::kIdle, core_->limits().idle);
  if (in_.empty() && in_.capacity() > kKeptBytes) in_ = {};
  size_t searched = 0;
  while (true) {
    if (in_.starts_with("\r\n")) {  // what a client may send after a body
      in_.erase(0, 2);
      searched = 0;
    }
    const size_t end = in_.find(kHeadEnd, searched < 3 ? 0 : searched - 3);
    const size_t size = end == in_.npos ? in_.size() : end + kHeadEnd.size();
    if (size > core_->limits().head_bytes_max) {
      keep_alive_ = false;
      const HeadFault fault{431, "head_too_large", "The request head is too large"};
      co_return co_await SendFault(fault);
    }
    if (end != in_.npos) {
      head_.assign(in_, 0, size);
      in_.erase(0, size);
      co_return true;
    }
    // What cannot become a head is refused before its end comes, for it may never come.
    const size_t open_line = searched > 0 && in_[searched - 1] == '\r' ? 1 : 0;
    if (const auto fault = ScanHeadBytes(std::string_view(in_).substr(searched - open_line))) {
      const HeadFault known = *fault;
      co_return co_await SendFault(known);
    }
    searched = in_.size();
    if (!in_.empty() && phase_ == Phase::kIdle) {
      EnterPhase(Phase::kHead, core_->limits().head_time);
    }
    if (co_await ReadMore()) continue;
    if (core_ == nullptr || !timed_out_ || phase_ == Phase::kIdle) co_return false;
    const HeadFault fault{408, "head_too_slow", "The request head did not arrive in time"};
    co_return co_await SendFault(fault);
  }
}

Connection::Step Connection::ServeRequest() {
  parser_ = std::make_unique<RequestParser>(core_->limits());
  cors_.clear();
  on_mcp_ = false;
  route_.reset();
  if (auto fault = parser_->ReadHead(head_)) {
    const HeadFault known = *fault;
    co_return co_await SendFault(known);
  }
  const RequestHead& head = parser_->head();
  keep_alive_ = head.keep_alive;
  unread_body_ = head.has_body();
  Place place = FindPlace(head, core_->options, core_->trusted);
  if (metrics_only_ && place.route != Route::kMetrics && place.route != Route::kHealth) {
    place = {.route = {}, .cors = {}, .refusal = NothingHere()};
  }
  route_ = place.route;
  on_mcp_ = place.route == Route::kMcp;
  cors_ = place.cors;
  co_return co_await ServePlace(std::move(place));
}

Connection::Step Connection::ServePlace(Place place) {
  if (place.refusal) {
    Refusal refusal = *std::move(place.refusal);
    co_return co_await SendRefusal(std::move(refusal));
  }
  if (place.preflight) {
    Response response{.status = 204, .content_type = {}, .headers = {}, .body = {}};
    co_return co_await SendResponse(std::move(response));
  }
  const bool needs_caller = on_mcp_ || (route_ == Route::kMetrics && !metrics_only_);
  if (!needs_caller) {
    Response response = AnswerEndpoint(*place.route, *core_, parser_->head());
    co_return co_await SendResponse(std::move(response));
  }
  if (on_mcp_ && core_->draining) {
    Refusal refusal{503, "draining", "The server is shutting down", "Retry-After: 1\r\n"};
    co_return co_await SendRefusal(std::move(refusal));
  }
  co_return co_await ServeCaller(*place.route);
}

// A token of a key that is not known yet waits for the issuer's keys, once for all such tokens.
Connection::Step Connection::AwaitKeys() {
  keys_came_ = false;
  const bool wait = core_->authenticator.AwaitKeys(parser_->head(), address_, core_->clock().Now(),
                                                   [weak = weak_from_this()] {
                                                     const auto self = weak.lock();
                                                     if (!self) return;
                                                     self->keys_came_ = true;
                                                     self->changed_.Set();
                                                   });
  if (!wait) co_return true;
  EnterPhase(Phase::kAnswer, std::chrono::hours(24));
  while (!keys_came_) {
    Watch();
    co_await changed_.Wait();
    if (core_ == nullptr || peer_gone_) co_return false;
  }
  co_return true;
}

Connection::Step Connection::ServeCaller(Route route) {
  if (core_->options.jwt && !co_await AwaitKeys()) co_return false;
  const Clock& clock = core_->clock();
  auto caller = core_->authenticator.Check(parser_->head(), address_, clock.Now(), clock.Wall());
  if (!caller) {
    Refusal refusal = std::move(caller).error();
    co_return co_await SendRefusal(std::move(refusal));
  }
  caller_ = *std::move(caller);
  caller_.turn = turn_;
  caller_.remote = address_;
  if (parser_->head().method == "POST") co_return co_await ServePost();
  if (const auto seconds = core_->mcp.TakeRate(caller_.principal)) {
    Refusal refusal{429, kRateLimited, "Too many requests", {}};
    AppendHeader(refusal.headers, "Retry-After", std::to_string(*seconds));
    co_return co_await SendRefusal(std::move(refusal));
  }
  if (route == Route::kMetrics) co_return co_await ServeMetrics();
  co_return co_await ServeSession();
}

Connection::Step Connection::ServeMetrics() {
  if (!mcp::MayUse(caller_.grant, {std::string(kMetricsScope)})) {
    Refusal refusal{403, "insufficient_scope", "The token does not grant the scope metrics", {}};
    const Challenge challenge{.error = "insufficient_scope", .scope = std::string(kMetricsScope)};
    AppendHeader(refusal.headers, "WWW-Authenticate",
                 ChallengeText(challenge, core_->options, parser_->head()));
    co_return co_await SendRefusal(std::move(refusal));
  }
  Response response = AnswerEndpoint(Route::kMetrics, *core_, parser_->head());
  co_return co_await SendResponse(std::move(response));
}

Connection::Step Connection::ServeSession() {
  if (parser_->head().method == "GET") co_return co_await OpenGetStream();
  const std::string_view id = parser_->head().Header("Mcp-Session-Id").value_or("");
  if (!core_->sessions.End(id, caller_.principal)) {
    Refusal refusal{404, "session_not_found", "There is no session of this id", {}};
    co_return co_await SendRefusal(std::move(refusal));
  }
  Response response{.status = 204, .content_type = {}, .headers = {}, .body = {}};
  co_return co_await SendResponse(std::move(response));
}

Connection::Step Connection::ServePost() {
  if (auto refused = JudgePost(parser_->head(), core_->limits())) {
    Refusal refusal = *std::move(refused);
    co_return co_await SendRefusal(std::move(refusal));
  }
  if (!co_await ReadBody()) co_return false;
  unread_body_ = false;
  if (core_->requests_in_flight >= core_->limits().requests_max) {
    Refusal refusal{503, "overloaded", "Too many requests are being served", "Retry-After: 1\r\n"};
    co_return co_await SendRefusal(std::move(refusal));
  }
  EnterPhase(Phase::kAnswer, std::chrono::hours(24));
  post_ = std::make_unique<McpPost>(*core_, parser_->head(), caller_);
  post_->Receive(parser_->body());
  const bool sent = co_await SendAnswer();
  co_return sent;
}

Connection::Step Connection::ReadBody() {
  if (!parser_->head().has_body()) co_return true;
  EnterPhase(Phase::kBody, core_->limits().body_time);
  body_received_ = 0;
  if (parser_->head().expects_continue && in_.empty()) {
    std::string go_on(kContinue);
    if (!co_await Write(std::move(go_on), {})) co_return false;
    phase_ = Phase::kBody;
    deadline_ = phase_started_ + core_->limits().body_time;
  }
  while (!parser_->done()) {
    if (!in_.empty()) {
      size_t taken = 0;
      const auto fault = parser_->ReadBody(in_, taken);
      in_.erase(0, taken);
      if (fault) {
        const HeadFault known = *fault;
        co_return co_await SendFault(known);
      }
      if (parser_->done()) break;
    }
    const size_t before = in_.size();
    if (!co_await ReadMore()) {
      if (core_ == nullptr || !timed_out_) co_return false;
      const HeadFault slow{408, "body_too_slow", "The body did not arrive in time"};
      co_return co_await SendFault(slow);
    }
    body_received_ += in_.size() - before;
  }
  co_return true;
}

bool Connection::BodyTooSlow(MonotonicTime now) const {
  const auto took = now - phase_started_;
  if (took < core_->limits().body_grace) return false;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(took).count();
  return body_received_ < core_->limits().body_rate_min * static_cast<size_t>(seconds);
}

// A stream that only listens has no end of its own, so its token may go before it does.
bool Connection::OutlivesItsToken(MonotonicTime now) const {
  const bool listens = phase_ == Phase::kAnswer && attached_ && (!post_ || post_->only_listens());
  return listens && !core_->authenticator.IsStillGood(parser_->head(), now, core_->clock().Wall());
}

void Connection::Tick(MonotonicTime now) {
  if (phase_ == Phase::kAnswer) {
    if (now - phase_started_ >= kStreamAfter) stream_due_ = true;
    if (now - last_written_ >= kKeepAliveEvery) keep_alive_due_ = true;
    if (stream_due_ || keep_alive_due_) changed_.Set();
  }
  if (OutlivesItsToken(now)) {
    peer_gone_ = true;
    return CancelWait();
  }
  const bool too_slow = phase_ == Phase::kBody && BodyTooSlow(now);
  if (now < deadline_ && !too_slow) return;
  timed_out_ = true;
  CancelWait();
}

void Connection::CancelWait() {
  error_code ignored;
  socket_.cancel(ignored);
  changed_.Set();
}

// Reads ahead while an answer is awaited: notices when the client leaves.
void Connection::Watch() {
  if (reading_ || peer_gone_ || in_.size() >= core_->limits().head_bytes_max) return;
  reading_ = true;
  ahead_.resize(kReadBytes);
  socket_.async_read_some(boost::asio::buffer(ahead_),
                          [this, self = shared_from_this()](error_code error, size_t got) {
                            reading_ = false;
                            if (core_ == nullptr) return;
                            Take(std::string_view(ahead_).substr(0, got));
                            ahead_ = {};
                            const bool aborted = error == boost::asio::error::operation_aborted;
                            peer_gone_ = peer_gone_ || (error && !aborted);
                            changed_.Set();
                            if (!error && phase_ == Phase::kAnswer) Watch();
                          });
}

void Connection::AttachTo(std::shared_ptr<ReplyStream> stream) {
  attached_ = std::move(stream);
  attached_->Attach([this] { changed_.Set(); });
}

void Connection::LeaveRequest() {
  if (attached_) std::exchange(attached_, nullptr)->Detach(core_->clock().Now());
  Count(false);
  post_.reset();
  parser_.reset();
}

void Connection::Count(bool counts) {
  if (counts == std::exchange(counted_, counts)) return;
  if (counts) {
    ++core_->requests_in_flight;
  } else {
    --core_->requests_in_flight;
  }
}

void Connection::Drain() {
  if (phase_ == Phase::kIdle) {
    timed_out_ = true;
    return CancelWait();
  }
  if (post_) post_->FinishStreams();
}

void Connection::Abort() {
  if (core_ == nullptr) return;
  Close();
  changed_.Set();
}

void Connection::Close() {
  LeaveRequest();
  SayGoodbye();
  core_ = nullptr;
  error_code ignored;
  socket_.close(ignored);
  if (on_end_) std::exchange(on_end_, nullptr)(*this);
}

}  // namespace ducat::transport
