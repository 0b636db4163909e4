#include "mcp/timer_queue.h"

#include <string>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

using std::chrono::milliseconds;

struct TimerQueueTest : ::testing::Test {
  boost::asio::io_context loop;
  ManualClock clock;
  TimerQueue timers{loop.get_executor(), clock};
  std::string log;

  TimerQueue::Entry At(int ms, std::string name) {
    return timers.At(clock.Now() + milliseconds(ms), [this, name] { log += name; });
  }
};

TEST_F(TimerQueueTest, RunsInOrderOfTimeThenOfArrival) {
  static_cast<void>(At(20, "c"));
  static_cast<void>(At(10, "a"));
  static_cast<void>(At(10, "b"));
  timers.RunDue();
  EXPECT_EQ(log, "");
  clock.Advance(milliseconds(10));
  timers.RunDue();
  EXPECT_EQ(log, "ab");
  clock.Advance(milliseconds(10));
  timers.RunDue();
  EXPECT_EQ(log, "abc");
}

TEST_F(TimerQueueTest, ForgetsRemovedEntries) {
  auto a = At(10, "a");
  auto b = At(10, "b");
  timers.Remove(a);
  timers.Remove(a);
  clock.Advance(milliseconds(10));
  timers.RunDue();
  EXPECT_EQ(log, "b");
  timers.Remove(b);
}

TEST_F(TimerQueueTest, LetsCallbacksAddAndRemove) {
  TimerQueue::Entry second;
  static_cast<void>(timers.At(clock.Now() + milliseconds(1), [&] {
    log += "a";
    timers.Remove(second);
    static_cast<void>(At(0, "n"));
  }));
  second = At(1, "b");
  clock.Advance(milliseconds(1));
  timers.RunDue();
  EXPECT_EQ(log, "an");
}

TEST(TimerQueueOnTheLoop, WakesForTheNearestEntry) {
  boost::asio::io_context loop;
  const SystemClock clock;
  TimerQueue timers(loop.get_executor(), clock);
  std::string log;
  auto far = timers.At(clock.Now() + std::chrono::hours(1), [&] { log += "far"; });
  static_cast<void>(timers.At(clock.Now() + milliseconds(2), [&] {
    log += "near";
    loop.stop();
  }));
  loop.run_for(std::chrono::seconds(20));
  EXPECT_EQ(log, "near");
  timers.Remove(far);
}

}  // namespace
}  // namespace ducat::mcp
