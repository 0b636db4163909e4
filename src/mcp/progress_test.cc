#include "mcp/progress.h"

#include <vector>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct ProgressTest : ::testing::Test {
  boost::asio::io_context loop;
  ManualClock clock;
  TimerQueue timers{loop.get_executor(), clock};
  std::vector<std::string> sent;
  ProgressReporter progress{timers, "7", true,
                            [this](std::string message) { sent.push_back(std::move(message)); }};

  void Advance(int ms) {
    clock.Advance(milliseconds(ms));
    timers.RunDue();
  }
  static std::string Line(std::string_view rest) {
    return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,)" +
           std::string(rest) + "}}";
  }
};

TEST_F(ProgressTest, SendsTheFirstAtOnceAndThenTheNewestEvery100Ms) {
  progress.Report(1, 10, "one");
  progress.Report(2, 10, "two");
  progress.Report(3, 10, "three");
  EXPECT_THAT(sent, ElementsAre(Line(R"("progress":1,"total":10,"message":"one")")));
  Advance(99);
  EXPECT_EQ(sent.size(), 1U);
  Advance(1);
  EXPECT_EQ(sent.back(), Line(R"("progress":3,"total":10,"message":"three")"));
  EXPECT_EQ(sent.size(), 2U);
  Advance(100);
  progress.Report(4, {}, "");
  EXPECT_EQ(sent.back(), Line(R"("progress":4)"));
}

TEST_F(ProgressTest, NeverGoesBackOrStandsStill) {
  progress.Report(5, {}, "");
  Advance(1'000);
  progress.Report(5, {}, "");
  progress.Report(4, {}, "");
  progress.Report(std::numeric_limits<double>::quiet_NaN(), {}, "");
  progress.Report(std::numeric_limits<double>::infinity(), {}, "");
  EXPECT_EQ(sent.size(), 1U);
}

TEST_F(ProgressTest, BreaksTheSilenceEvery10Seconds) {
  Advance(9'999);
  EXPECT_THAT(sent, IsEmpty());
  Advance(1);
  EXPECT_THAT(sent, ElementsAre(Line(R"("progress":0)")));
  progress.Report(3, 10, "x");
  Advance(100);
  Advance(10'000);
  EXPECT_THAT(sent,
              ElementsAre(Line(R"("progress":0)"), Line(R"("progress":3,"total":10,"message":"x")"),
                          Line(R"("progress":3.001,"total":10,"message":"x")")));
  progress.Report(3.001, 10, "");
  EXPECT_EQ(sent.size(), 3U);
}

TEST_F(ProgressTest, RisesEvenFromHugeValues) {
  progress.Report(1e300, {}, "");
  Advance(10'000);
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_NE(sent[0], sent[1]);
}

TEST_F(ProgressTest, IsSilentOnceStopped) {
  progress.Report(1, {}, "");
  progress.Report(2, {}, "");
  progress.Stop();
  progress.Report(3, {}, "");
  Advance(60'000);
  EXPECT_EQ(sent.size(), 1U);
}

TEST_F(ProgressTest, LeavesTheMessageOutBeforeItsRevision) {
  std::vector<std::string> old;
  ProgressReporter without(timers, R"("t")", false,
                           [&](std::string message) { old.push_back(std::move(message)); });
  without.Report(1, {}, "words");
  EXPECT_THAT(old, ElementsAre(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                               R"("params":{"progressToken":"t","progress":1}})"));
}

}  // namespace
}  // namespace ducat::mcp
