#include "worker/child/job_watch.h"

#include <algorithm>

namespace ducat::worker::child {
namespace {

using Steady = std::chrono::steady_clock;

}  // namespace

void JobWatch::Expect(uint64_t job, Time deadline) {
  const std::lock_guard lock(mutex_);
  job_ = job;
  cancelled_ = false;
  deadline_ = deadline;
}

void JobWatch::Cancel(uint64_t job) {
  const std::lock_guard lock(mutex_);
  if (job == job_) cancelled_ = true;
}

int JobWatch::Attend() {
  const std::lock_guard lock(mutex_);
  if (job_ == 0) return -1;
  const Time now = Steady::now();
  if (cancelled_ || now >= deadline_) {
    if (running_) interrupt_();
    return static_cast<int>(kRepeat.count());
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - now).count();
  constexpr int64_t kWaitMax = 60'000;
  return static_cast<int>(std::min(left, kWaitMax));
}

void JobWatch::Begin() {
  const std::lock_guard lock(mutex_);
  running_ = true;
}

void JobWatch::End() {
  const std::lock_guard lock(mutex_);
  running_ = false;
  job_ = 0;
  cancelled_ = false;
  deadline_ = Time::max();
}

CancelCause JobWatch::cause() const {
  const std::lock_guard lock(mutex_);
  if (cancelled_) return CancelCause::kClient;
  if (Steady::now() >= deadline_) return CancelCause::kDeadline;
  return CancelCause::kNone;
}

}  // namespace ducat::worker::child
