#include "worker/child/job_watch.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace ducat::worker::child {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

class JobWatchTest : public ::testing::Test {
 protected:
  std::atomic<int> interrupts_ = 0;
  JobWatch watch_{[this] { ++interrupts_; }};
};

TEST_F(JobWatchTest, WithoutAJobThereIsNothingToAttendTo) {
  EXPECT_EQ(watch_.Attend(), -1);
  watch_.Cancel(1);
  EXPECT_EQ(watch_.Attend(), -1);
  EXPECT_EQ(watch_.cause(), CancelCause::kNone);
}

TEST_F(JobWatchTest, WaitsUntilTheDeadlineThenInterruptsAgainAndAgain) {
  watch_.Expect(1, Steady::now() + milliseconds(50));
  watch_.Begin();
  const int wait = watch_.Attend();
  EXPECT_GT(wait, 0);
  EXPECT_LE(wait, 50);
  EXPECT_EQ(interrupts_, 0);
  watch_.Expect(1, Steady::now());
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(watch_.Attend(), JobWatch::kRepeat.count());
    EXPECT_EQ(interrupts_, i);
  }
  EXPECT_EQ(watch_.cause(), CancelCause::kDeadline);
  watch_.End();
  EXPECT_EQ(watch_.Attend(), -1);
  EXPECT_EQ(interrupts_, 3);
  EXPECT_EQ(watch_.cause(), CancelCause::kNone);
}

TEST_F(JobWatchTest, AJobThatHasNotBegunIsNotInterruptedButKnowsItsEnd) {
  watch_.Expect(1, Steady::now() - milliseconds(1));
  EXPECT_EQ(watch_.Attend(), JobWatch::kRepeat.count());
  EXPECT_EQ(interrupts_, 0);
  watch_.Begin();
  EXPECT_EQ(watch_.cause(), CancelCause::kDeadline);
}

TEST_F(JobWatchTest, ACancelCountsForItsOwnJobOnly) {
  watch_.Expect(2, Steady::now() + std::chrono::hours(1));
  watch_.Begin();
  watch_.Cancel(1);
  EXPECT_EQ(watch_.cause(), CancelCause::kNone);
  watch_.Cancel(2);
  EXPECT_EQ(watch_.cause(), CancelCause::kClient);
  EXPECT_EQ(watch_.Attend(), JobWatch::kRepeat.count());
  EXPECT_EQ(interrupts_, 1);
  watch_.End();
  watch_.Expect(3, Steady::now() + std::chrono::hours(1));
  EXPECT_EQ(watch_.cause(), CancelCause::kNone) << "a cancel does not outlive its job";
}

// For ThreadSanitizer: both threads at once, and no interrupt after End.
TEST_F(JobWatchTest, NoInterruptComesAfterTheEnd) {
  std::atomic<bool> stop = false;
  std::atomic<uint64_t> job = 0;
  std::thread reader([&] {
    while (!stop) {
      watch_.Cancel(job);
      (void)watch_.Attend();
    }
  });
  for (uint64_t i = 1; i <= 200; ++i) {
    watch_.Expect(i, Steady::now());
    job = i;
    watch_.Begin();
    (void)watch_.cause();
    watch_.End();
    const int after = interrupts_;
    std::this_thread::yield();
    ASSERT_EQ(interrupts_, after);
  }
  stop = true;
  reader.join();
}

}  // namespace
}  // namespace ducat::worker::child
