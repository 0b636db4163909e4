#include "base/end_signals.h"

#include <csignal>

#include <gtest/gtest.h>

namespace ducat {
namespace {

volatile std::sig_atomic_t received = 0;

TEST(EndSignals, WaitWhileTheyAreHeld) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    received = 0;
    const auto before = std::signal(number, [](int) { received = 1; });
    HoldEndSignals();
    std::raise(number);
    EXPECT_EQ(received, 0) << number;
    ReleaseEndSignals();
    EXPECT_EQ(received, 1) << number;
    std::signal(number, before);
  }
}

TEST(EndSignals, HoldNothingElse) {
  received = 0;
  const auto before = std::signal(SIGUSR1, [](int) { received = 1; });
  HoldEndSignals();
  std::raise(SIGUSR1);
  EXPECT_EQ(received, 1);
  ReleaseEndSignals();
  std::signal(SIGUSR1, before);
}

}  // namespace
}  // namespace ducat
