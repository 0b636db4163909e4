#pragma once
// Clock: the only source of time, so that tests can own it. Deadlines and buckets use Now()
// (monotonic); Wall() is for people: timestamps in answers, logs and manifests.

#include <chrono>

namespace ducat {

using MonotonicTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual MonotonicTime Now() const = 0;
  [[nodiscard]] virtual WallTime Wall() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime Now() const override { return std::chrono::steady_clock::now(); }
  [[nodiscard]] WallTime Wall() const override { return std::chrono::system_clock::now(); }
};

// For tests: stands still until told otherwise.
class ManualClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime Now() const override { return now_; }
  [[nodiscard]] WallTime Wall() const override { return wall_; }
  void Advance(Duration step) {
    now_ += step;
    wall_ += std::chrono::duration_cast<WallTime::duration>(step);
  }

 private:
  MonotonicTime now_;
  WallTime wall_;
};

}  // namespace ducat
