#include "transport/http/reply_stream.h"

#include <algorithm>
#include <utility>

namespace ducat::transport {

void ReplyStream::Send(Kind kind, std::string message) {
  if (ended_) return;
  if (kind == Kind::kReply) {
    ended_ = true;
    reply_ = std::move(message);
    if (streaming_) AppendReply();
    return Changed();
  }
  if (!streams_) return;
  const bool full = unsent_bytes_ + message.size() > limits_.unsent_bytes_max ||
                    events_.size() - next_ >= limits_.unsent_events_max;
  if (full && kind == Kind::kExpendable) return;
  if (full) {
    overflowed_ = true;
    return Changed();
  }
  Append(message);
  Changed();
}

void ReplyStream::Refuse(std::string message, int http_status) {
  if (!ended_) status_ = http_status;
  Send(Kind::kReply, std::move(message));
}

void ReplyStream::Release() {
  if (ended_ || number_ == 0 || !streams_) return;
  released_ = true;
  Changed();
}

void ReplyStream::Close() {
  if (ended_) return;
  ended_ = true;
  Changed();
}

std::string ReplyStream::TakeReply() {
  return std::exchange(reply_, std::nullopt).value_or(std::string());
}

void ReplyStream::BeginStream() {
  if (std::exchange(streaming_, true)) return;
  if (primes_ && number_ != 0) {
    // Before whatever has been sent already; its sequence is the lowest there can be.
    std::string bytes = "id: " + std::to_string(number_) + "-0\nretry: 1000\ndata: \n\n";
    unsent_bytes_ += bytes.size();
    events_.push_front({.sequence = 0, .bytes = std::move(bytes)});
  }
  if (reply_) AppendReply();
}

void ReplyStream::AppendReply() {
  const std::string reply = TakeReply();
  Append(reply);
}

void ReplyStream::Append(std::string_view message) {
  Event event{.sequence = ++last_sequence_, .bytes = {}};
  event.bytes.reserve(message.size() + 48);
  if (number_ != 0) {
    event.bytes.append("id: ").append(std::to_string(number_)).append("-");
    event.bytes.append(std::to_string(event.sequence)).append("\n");
  }
  event.bytes.append("event: message\ndata: ").append(message).append("\n\n");
  unsent_bytes_ += event.bytes.size();
  events_.push_back(std::move(event));
}

std::string ReplyStream::TakeEvents() {
  std::string out;
  out.reserve(unsent_bytes_);
  for (; next_ < events_.size(); ++next_) {
    out.append(events_[next_].bytes);
    kept_bytes_ += events_[next_].bytes.size();
  }
  unsent_bytes_ = 0;
  if (number_ == 0) {
    events_.clear();
    next_ = kept_bytes_ = 0;
  }
  return out;
}

bool ReplyStream::RewindAfter(uint64_t sequence) {
  const auto found = std::ranges::find(events_, sequence, &Event::sequence);
  if (found == events_.end()) return false;
  next_ = static_cast<size_t>(found - events_.begin()) + 1;
  kept_bytes_ = unsent_bytes_ = 0;
  for (size_t i = 0; i < events_.size(); ++i) {
    (i < next_ ? kept_bytes_ : unsent_bytes_) += events_[i].bytes.size();
  }
  return true;
}

void ReplyStream::DropOldestKept() {
  if (next_ == 0) return;
  kept_bytes_ -= events_.front().bytes.size();
  events_.pop_front();
  --next_;
}

void ReplyStream::Attach(std::function<void()> on_change) {
  on_change_ = std::move(on_change);
  detached_at_.reset();
}

void ReplyStream::Detach(MonotonicTime now) {
  on_change_ = nullptr;
  detached_at_ = now;
}

bool ReplyStream::IsOver(MonotonicTime now) const {
  if (!ended_) return false;
  if (delivered_) return true;
  if (attached() || !detached_at_) return false;
  return !streaming_ || now - *detached_at_ >= limits_.replay_ttl;
}

void ReplyStream::Changed() const {
  if (on_change_) on_change_();
}

}  // namespace ducat::transport
