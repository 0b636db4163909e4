#include "packs/analyst/change_signal.h"

#include <memory>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace ducat::analyst {
namespace {

constexpr std::chrono::hours kLong{1};

class ChangeSignalTest : public testing::Test {
 protected:
  void Wait(MonotonicTime until, CancelToken cancel) {
    boost::asio::co_spawn(loop_, signal_->Wait(until, std::move(cancel)),
                          [this](std::exception_ptr, Result<void>) { ++woken_; });
    loop_.restart();
    loop_.poll();
  }
  boost::asio::io_context loop_{1};
  std::unique_ptr<ChangeSignal> signal_ = std::make_unique<ChangeSignal>(loop_.get_executor());
  int woken_ = 0;
};

TEST_F(ChangeSignalTest, WakesEverybodyOnce) {
  Wait(std::chrono::steady_clock::now() + kLong, {});
  Wait(std::chrono::steady_clock::now() + kLong, {});
  EXPECT_EQ(woken_, 0);
  signal_->Notify();
  loop_.poll();
  EXPECT_EQ(woken_, 2);
}

TEST_F(ChangeSignalTest, EndsAtItsTimeAndOnCancelling) {
  Wait(std::chrono::steady_clock::now(), {});
  EXPECT_EQ(woken_, 1);
  CancelSource source;
  Wait(std::chrono::steady_clock::now() + kLong, source.token());
  EXPECT_EQ(woken_, 1);
  source.Cancel(CancelCause::kClient);
  loop_.poll();
  EXPECT_EQ(woken_, 2);
  Wait(std::chrono::steady_clock::now() + kLong, source.token());  // cancelled before
  EXPECT_EQ(woken_, 3);
}

TEST_F(ChangeSignalTest, MayGoBeforeThoseWhoWait) {
  CancelSource source;
  Wait(std::chrono::steady_clock::now() + kLong, source.token());
  signal_.reset();
  source.Cancel(CancelCause::kShutdown);
  loop_.poll();
  EXPECT_EQ(woken_, 1);
}

}  // namespace
}  // namespace ducat::analyst
