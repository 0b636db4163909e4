#pragma once
// ReplyStream: what one POST is answered with, or what one GET stream carries, between the protocol
// core that sends and the connection that writes. Decides nothing about time: the connection says
// when an answer becomes a stream. Bounded: what may be dropped is dropped when the client does not
// read, and a stream of changes ends. In a legacy session its events have ids and are kept for
// replay. Shared by connection and session; control thread only.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "mcp/outbox.h"
#include "transport/http/limits.h"

namespace ducat::transport {

class ReplyStream final : public mcp::Outbox {
 public:
  // `streams`: the client takes text/event-stream; else only the reply counts.
  ReplyStream(bool streams, const HttpLimits& limits) : streams_(streams), limits_(limits) {}

  // Events get ids "<number>-<sequence>" and are kept after they were sent.
  void KeepEvents(uint64_t number) { number_ = number; }
  // The first event is an empty one that asks to reconnect after a second (revision 2025-11-25).
  void PrimeFirst() { primes_ = true; }

  void Send(Kind kind, std::string message) override;
  void Refuse(std::string message, int http_status) override;
  void Close() override;
  [[nodiscard]] bool TakesRequests() const override { return streams_; }
  // Where events are kept for replay: the connection ends its response after what it has.
  void Release() override;

  // As long as it has not begun as a stream: the whole answer, once it is there.
  [[nodiscard]] bool has_reply() const { return reply_.has_value(); }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] std::string TakeReply();
  // Something must precede the reply: it has to become a stream.
  [[nodiscard]] bool must_stream() const { return !events_.empty() || released_; }
  // True once after a Release.
  [[nodiscard]] bool TakeRelease() { return std::exchange(released_, false); }
  [[nodiscard]] bool may_stream() const { return streams_; }
  // Nothing more will be sent: replied or closed.
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool overflowed() const { return overflowed_; }

  // From here on everything is an event, the reply too.
  void BeginStream();
  [[nodiscard]] bool streaming() const { return streaming_; }
  // The events that were not sent yet, as bytes of text/event-stream.
  [[nodiscard]] std::string TakeEvents();
  [[nodiscard]] bool has_events() const { return next_ < events_.size(); }
  // False: the event is not kept (any more).
  [[nodiscard]] bool RewindAfter(uint64_t sequence);

  // The connection: told of every change; null when it leaves.
  void Attach(std::function<void()> on_change);
  void Detach(MonotonicTime now);
  [[nodiscard]] bool attached() const { return on_change_ != nullptr; }
  void MarkDelivered() { delivered_ = true; }

  // The session: whether it may forget the stream.
  [[nodiscard]] bool IsOver(MonotonicTime now) const;
  [[nodiscard]] uint64_t number() const { return number_; }
  [[nodiscard]] size_t kept_events() const { return next_; }
  [[nodiscard]] size_t kept_bytes() const { return kept_bytes_; }
  // Forgets the oldest event that was sent.
  void DropOldestKept();

 private:
  struct Event {
    uint64_t sequence = 0;
    std::string bytes;
    bool operator==(const Event&) const = default;
  };
  void Append(std::string_view message);
  void AppendReply();
  void Changed() const;

  bool streams_;
  const HttpLimits& limits_;
  uint64_t number_ = 0;  // 0: no ids, nothing is kept
  bool primes_ = false;
  bool streaming_ = false;
  bool ended_ = false;
  bool overflowed_ = false;
  bool released_ = false;
  bool delivered_ = false;
  int status_ = 200;
  std::optional<std::string> reply_;
  uint64_t last_sequence_ = 0;
  std::deque<Event> events_;
  size_t next_ = 0;  // of events_: the first that was not sent
  size_t unsent_bytes_ = 0;
  size_t kept_bytes_ = 0;
  std::optional<MonotonicTime> detached_at_;
  std::function<void()> on_change_;
};

}  // namespace ducat::transport
