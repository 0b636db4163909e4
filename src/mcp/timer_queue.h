#pragma once
// TimerQueue: many deadlines on one timer. Adding and removing touches no system call unless the
// new deadline is the nearest, so a timer per request is cheap. Owned by the server; control thread
// only.

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"

namespace ducat::mcp {

class TimerQueue {
 public:
  // Names one entry; a default-made one names none.
  struct Entry {
    MonotonicTime due;
    uint64_t number = 0;
  };

  TimerQueue(const boost::asio::any_io_executor& executor, const Clock& clock);

  // Calls `callback` once, from the loop, when `due` has come.
  [[nodiscard]] Entry At(MonotonicTime due, std::function<void()> callback);
  // Forgets the entry and clears it; nothing when it ran already.
  void Remove(Entry& entry);
  // Runs what is due now. The loop calls it; tests with a clock of their own do too.
  void RunDue();
  [[nodiscard]] const Clock& clock() const { return clock_; }

 private:
  void Arm();
  const Clock& clock_;
  boost::asio::steady_timer timer_;
  bool armed_ = false;
  MonotonicTime armed_for_;
  uint64_t next_number_ = 1;
  std::map<std::pair<MonotonicTime, uint64_t>, std::function<void()>> entries_;
};

}  // namespace ducat::mcp
