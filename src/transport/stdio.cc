#include "transport/stdio.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <unistd.h>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/end_signals.h"
#include "transport/line_framer.h"

namespace ducat::transport {
namespace {

constexpr size_t kReadBytes = size_t{64} << 10U;
constexpr int kReadsPerTurn = 8;                    // then others get a turn
constexpr size_t kKeptCapacity = size_t{1} << 20U;  // of an empty output buffer

using boost::asio::posix::descriptor_base;
using boost::asio::posix::stream_descriptor;
using boost::system::error_code;

}  // namespace

struct StdioTransport::Impl final : public mcp::Outbox {
 public:
  Impl(boost::asio::io_context& loop, mcp::Server& server, StdioDescriptors descriptors,
       StdioOptions options, std::function<void(int)> on_end)
      : loop_(loop),
        server_(server),
        options_(std::move(options)),
        input_(loop, descriptors.input),
        output_(loop, descriptors.output),
        signals_(loop, SIGTERM, SIGINT, SIGHUP),
        grace_(loop),
        framer_(
            options_.limits.line_bytes_max,
            [this](std::string_view line) { server_.Receive(line, session_); },
            [this] { RefuseLine(); }),
        on_end_(std::move(on_end)),
        session_(server, *this) {}

  void Start() {
    signals_.async_wait([this](error_code error, int) { OnSignal(error); });
    WaitForInput();
  }

  void Send(Kind kind, std::string message) override {
    if (kind == Kind::kExpendable && Unwritten() > options_.limits.unwritten_bytes_max / 2) return;
    if (kind == Kind::kReply) has_reply_ = true;
    pending_.append(message).push_back('\n');
    if (flush_posted_ || waiting_for_output_) return;
    flush_posted_ = true;
    // Behind the handlers that are ready now, so that their replies share the write.
    boost::asio::post(loop_, [this] {
      flush_posted_ = false;
      Flush();
    });
  }

 private:
  [[nodiscard]] size_t Unwritten() const { return pending_.size() - written_; }

  void RefuseLine() {
    server_.Refuse(
        {.code = mcp::rpc::kInvalidRequest,
         .message = "The line is longer than " + std::to_string(options_.limits.line_bytes_max) +
                    " bytes (limit of a stdio line)"},
        session_);
  }

  void WaitForInput() {
    if (draining_ || waiting_for_input_) return;
    if (Unwritten() > options_.limits.unwritten_bytes_max) return;  // Flush starts it again
    waiting_for_input_ = true;
    input_.async_wait(descriptor_base::wait_read, [this](error_code error) {
      waiting_for_input_ = false;
      if (error == boost::asio::error::operation_aborted || draining_) return;
      // Regular files and /dev/null cannot be waited for: they are always ready.
      ReadInput();
    });
  }

  void ReadInput() {
    for (int turn = 0; turn < kReadsPerTurn; ++turn) {
      const ssize_t got = ::read(input_.native_handle(), buffer_.data(), buffer_.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
      if (got <= 0) return OnEndOfInput();
      framer_.Push({buffer_.data(), static_cast<size_t>(got)});
      if (draining_) return;
      if (static_cast<size_t>(got) < buffer_.size()) break;
      if (Unwritten() > options_.limits.unwritten_bytes_max) break;
    }
    WaitForInput();
  }

  void OnEndOfInput() {
    if (draining_) return;
    framer_.Finish();
    Drain(options_.grace_after_end);
  }

  void OnSignal(error_code error) {
    if (error) return;
    if (draining_ && grace_is_signal_) return Finish();  // the second signal: at once
    grace_is_signal_ = true;
    Drain(options_.grace_after_signal);
    signals_.async_wait([this](error_code again, int) { OnSignal(again); });
  }

  // No new input; what runs may end until `grace` is over.
  void Drain(std::chrono::milliseconds grace) {
    draining_ = true;
    error_code ignored;
    input_.cancel(ignored);
    if (session_.in_flight() == 0) return Finish();
    session_.OnIdle([this] { Finish(); });
    grace_.expires_after(grace);
    grace_.async_wait([this](error_code error) {
      if (error) return;
      server_.CancelAll(session_);
      Finish();
    });
  }

  // Last words, then the end of the loop; a client that does not read is not waited for long.
  void Finish() {
    if (finishing_) return;
    finishing_ = true;
    session_.OnIdle(nullptr);
    server_.FinishStreams(session_);
    grace_.expires_after(options_.last_write);
    grace_.async_wait([this](error_code error) {
      if (!error) End(0);
    });
    if (Unwritten() == 0) End(0);
  }

  void Flush() {
    while (Unwritten() > 0) {
      const ssize_t put = ::write(output_.native_handle(), pending_.data() + written_, Unwritten());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return WaitForOutput();
      if (put < 0) return OnOutputError(errno);
      written_ += static_cast<size_t>(put);
    }
    pending_.clear();
    written_ = 0;
    if (pending_.capacity() > kKeptCapacity) pending_ = {};
    if (finishing_) return End(0);
    if (has_reply_ && options_.after_first_reply) {
      std::exchange(options_.after_first_reply, nullptr)();
    }
    WaitForInput();
  }

  void WaitForOutput() {
    // What is written already is let go when it is the larger part.
    if (written_ > kKeptCapacity && written_ > pending_.size() / 2) {
      pending_.erase(0, written_);
      written_ = 0;
    }
    if (waiting_for_output_) return;
    waiting_for_output_ = true;
    output_.async_wait(descriptor_base::wait_write, [this](error_code error) {
      waiting_for_output_ = false;
      if (error != boost::asio::error::operation_aborted) Flush();
    });
    WaitForInput();
  }

  // The client is gone or the disk is full: nobody can be told.
  void OnOutputError(int error) {
    draining_ = finishing_ = true;
    End(error == EPIPE || error == ECONNRESET ? 0 : 1);
  }

  void End(int exit_code) {
    if (on_end_) std::exchange(on_end_, nullptr)(exit_code);
  }

  boost::asio::io_context& loop_;
  mcp::Server& server_;
  StdioOptions options_;
  stream_descriptor input_;
  stream_descriptor output_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer grace_;
  LineFramer framer_;
  std::array<char, kReadBytes> buffer_{};
  std::string pending_;
  size_t written_ = 0;  // of pending_
  bool has_reply_ = false;
  bool flush_posted_ = false;
  bool waiting_for_input_ = false;
  bool waiting_for_output_ = false;
  bool draining_ = false;
  bool grace_is_signal_ = false;
  bool finishing_ = false;
  std::function<void(int)> on_end_;
  mcp::Session session_;
};

StdioTransport::StdioTransport(boost::asio::io_context& loop, mcp::Server& server,
                               StdioDescriptors descriptors, StdioOptions options,
                               std::function<void(int)> on_end)
    : impl_(std::make_unique<Impl>(loop, server, descriptors, std::move(options),
                                   std::move(on_end))) {}

StdioTransport::~StdioTransport() = default;

void StdioTransport::Start() {
  impl_->Start();
}

int RunStdio(boost::asio::io_context& loop, mcp::Server& server, StdioDescriptors descriptors,
             StdioOptions options) {
  std::signal(SIGPIPE, SIG_IGN);
  int exit_code = 0;
  StdioTransport transport(loop, server, descriptors, std::move(options), [&](int code) {
    exit_code = code;
    loop.stop();
  });
  ReleaseEndSignals();  // they are listened for now
  transport.Start();
  loop.run();
  HoldEndSignals();  // one more must not interrupt the clearing up
  return exit_code;
}

}  // namespace ducat::transport
