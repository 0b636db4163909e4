#include "mcp/rate_limiter.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RateLimiterTest, AllowsABurstThenARate) {
  RateLimiter limiter({.per_second = 50, .burst = 200});
  MonotonicTime now{seconds(5)};
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(limiter.Take("a", now).has_value()) << i;
  }
  EXPECT_EQ(limiter.Take("a", now), 1);
  now += milliseconds(20);
  EXPECT_FALSE(limiter.Take("a", now).has_value());
  EXPECT_TRUE(limiter.Take("a", now).has_value());
  // Never more than the burst.
  now += seconds(3'600);
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(limiter.Take("a", now).has_value());
  }
  EXPECT_TRUE(limiter.Take("a", now).has_value());
}

TEST(RateLimiterTest, EachPrincipalHasItsOwn) {
  RateLimiter limiter({.per_second = 1, .burst = 1});
  const MonotonicTime now{seconds(5)};
  EXPECT_FALSE(limiter.Take("a", now).has_value());
  EXPECT_TRUE(limiter.Take("a", now).has_value());
  EXPECT_FALSE(limiter.Take("b", now).has_value());
}

TEST(RateLimiterTest, SaysWhenToComeAgain) {
  RateLimiter limiter({.per_second = 0.1, .burst = 1});
  MonotonicTime now{seconds(5)};
  EXPECT_FALSE(limiter.Take("a", now).has_value());
  EXPECT_EQ(limiter.Take("a", now), 10);
  now += seconds(9);
  EXPECT_EQ(limiter.Take("a", now), 1);
  now += milliseconds(1'001);
  EXPECT_FALSE(limiter.Take("a", now).has_value());
}

TEST(RateLimiterTest, WithoutALimitNothingIsKept) {
  RateLimiter limiter({});
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_FALSE(limiter.Take("a", {}).has_value());
  }
  EXPECT_EQ(limiter.size(), 0U);
}

TEST(RateLimiterTest, ForgetsThoseWhoHaveNotCalledForAWhile) {
  RateLimiter limiter({.per_second = 1, .burst = 1});
  MonotonicTime now{seconds(5)};
  for (int i = 0; i < 1'024; ++i) {
    EXPECT_FALSE(limiter.Take(std::to_string(i), now).has_value());
  }
  EXPECT_EQ(limiter.size(), 1'024U);
  now += seconds(1);
  EXPECT_FALSE(limiter.Take("another", now).has_value());
  EXPECT_EQ(limiter.size(), 1U);
}

}  // namespace
}  // namespace ducat::mcp
