#include "base/cancel.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace ducat {
namespace {

TEST(CancelToken, IsNeverCancelledWithoutASource) {
  const CancelToken token;
  EXPECT_FALSE(token.cancelled());
}

TEST(CancelToken, TellsEverySubscriberOnceAndWhy) {
  CancelSource source;
  std::vector<CancelCause> told;
  const auto first = source.token().OnCancel([&](CancelCause cause) { told.push_back(cause); });
  const auto second = source.token().OnCancel([&](CancelCause cause) { told.push_back(cause); });
  source.Cancel(CancelCause::kDeadline);
  source.Cancel(CancelCause::kClient);
  EXPECT_EQ(told, (std::vector{CancelCause::kDeadline, CancelCause::kDeadline}));
  EXPECT_EQ(source.token().cause(), CancelCause::kDeadline);
}

TEST(CancelToken, TellsALateSubscriberAtOnce) {
  CancelSource source;
  source.Cancel(CancelCause::kShutdown);
  CancelCause told = CancelCause::kNone;
  const auto late = source.token().OnCancel([&](CancelCause cause) { told = cause; });
  EXPECT_EQ(told, CancelCause::kShutdown);
}

TEST(CancelToken, ForgetsASubscriberThatLeft) {
  CancelSource source;
  bool told = false;
  {
    const auto left = source.token().OnCancel([&](CancelCause) { told = true; });
  }
  source.Cancel(CancelCause::kClient);
  EXPECT_FALSE(told);
}

TEST(CancelToken, ACallbackMayEndAnotherSubscription) {
  CancelSource source;
  bool told = false;
  std::optional<CancelToken::Subscription> second;
  const auto first = source.token().OnCancel([&](CancelCause) { second.reset(); });
  second = source.token().OnCancel([&](CancelCause) { told = true; });
  source.Cancel(CancelCause::kClient);
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace ducat
