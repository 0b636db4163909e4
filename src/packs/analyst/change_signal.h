#pragma once
// ChangeSignal: lets coroutines wait until something they watch has changed, a time has come, or
// their request is cancelled. Whoever waits looks again himself; wake-ups carry nothing. Control
// thread only. Coroutines may outlive the signal; they are then woken no more.

#include <memory>

#include <boost/asio/any_io_executor.hpp>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/task.h"

namespace ducat::analyst {

class ChangeSignal {
 public:
  explicit ChangeSignal(boost::asio::any_io_executor executor);
  ~ChangeSignal();
  ChangeSignal(const ChangeSignal&) = delete;
  ChangeSignal& operator=(const ChangeSignal&) = delete;

  // Ends at the next Notify, at `until`, or on cancelling, whichever is first. Never fails.
  [[nodiscard]] Task<void> Wait(MonotonicTime until, CancelToken cancel);
  void Notify();

 private:
  struct State;
  // Parameters live in the coroutine, so the state outlives the signal while somebody waits.
  [[nodiscard]] static Task<void> WaitOn(std::shared_ptr<State> state, MonotonicTime until,
                                         CancelToken cancel);
  std::shared_ptr<State> state_;
};

}  // namespace ducat::analyst
