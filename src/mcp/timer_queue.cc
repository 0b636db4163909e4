#include "mcp/timer_queue.h"

#include <algorithm>

namespace ducat::mcp {

TimerQueue::TimerQueue(const boost::asio::any_io_executor& executor, const Clock& clock)
    : clock_(clock), timer_(executor) {}

TimerQueue::Entry TimerQueue::At(MonotonicTime due, std::function<void()> callback) {
  const Entry entry{.due = due, .number = next_number_++};
  entries_.emplace(std::pair(due, entry.number), std::move(callback));
  if (!armed_ || due < armed_for_) Arm();
  return entry;
}

void TimerQueue::Remove(Entry& entry) {
  if (entry.number != 0) entries_.erase(std::pair(entry.due, entry.number));
  entry = {};
}

void TimerQueue::RunDue() {
  // A callback may add and remove entries, so each is taken out before it runs.
  while (!entries_.empty() && entries_.begin()->first.first <= clock_.Now()) {
    auto node = entries_.extract(entries_.begin());
    node.mapped()();
  }
}

void TimerQueue::Arm() {
  armed_ = true;
  armed_for_ = entries_.begin()->first.first;
  timer_.expires_after(std::max(armed_for_ - clock_.Now(), Duration::zero()));
  timer_.async_wait([this](boost::system::error_code error) {
    if (error) return;  // armed anew, or the queue is gone
    armed_ = false;
    RunDue();
    if (!armed_ && !entries_.empty()) Arm();
  });
}

}  // namespace ducat::mcp
