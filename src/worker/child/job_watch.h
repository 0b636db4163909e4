#pragma once
// JobWatch: when a running job must be interrupted (guard.md 3.3). The reader thread announces jobs
// and cancels, and interrupts the engine when a job is due, again every 10 ms, because the engine
// forgets an interrupt that comes too early. Shared by the reader and the job thread; interrupts
// only while a job runs.

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/cancel.h"

namespace ducat::worker::child {

class JobWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kRepeat{10};

  explicit JobWatch(std::function<void()> interrupt) : interrupt_(std::move(interrupt)) {}

  // Reader thread.
  void Expect(uint64_t job, Time deadline);
  void Cancel(uint64_t job);
  // Interrupts when due; gives the time after which it wants to be called again, -1 for no need.
  [[nodiscard]] int Attend();

  // Job thread.
  void Begin();
  void End();
  // Why the job is to end; kNone while it may go on. Any thread.
  [[nodiscard]] CancelCause cause() const;

 private:
  std::function<void()> interrupt_;
  mutable std::mutex mutex_;
  uint64_t job_ = 0;  // expected or running; 0: none
  bool running_ = false;
  bool cancelled_ = false;
  Time deadline_ = Time::max();
};

}  // namespace ducat::worker::child
