#pragma once
// JumpingClock: a clock that stands still until told otherwise, and whose wall time can be set, as
// an operator, NTP or a resumed machine does, while monotonic time goes on as before.

#include "base/clock.h"

namespace ducat::testing {

class JumpingClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime Now() const override { return now_; }
  [[nodiscard]] WallTime Wall() const override { return wall_; }
  void Advance(Duration step) {
    now_ += step;
    wall_ += std::chrono::duration_cast<WallTime::duration>(step);
  }
  void JumpWall(Duration step) { wall_ += std::chrono::duration_cast<WallTime::duration>(step); }

 private:
  MonotonicTime now_;
  WallTime wall_;
};

}  // namespace ducat::testing
