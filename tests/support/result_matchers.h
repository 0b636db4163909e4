#pragma once
// Matchers for Result<T>: EXPECT_THAT(result, IsOk()), EXPECT_THAT(result,
// FailsWith("unknown_table")).

#include <string>

#include <gmock/gmock.h>

#include "base/result.h"

namespace ducat::testing {

MATCHER(IsOk, "succeeds") {
  if (arg.has_value()) return true;
  *result_listener << arg.error().reason << ": " << arg.error().message;
  return false;
}

MATCHER_P(FailsWith, reason, "fails with reason " + std::string(reason)) {
  if (arg.has_value()) {
    *result_listener << "succeeded";
    return false;
  }
  *result_listener << arg.error().reason << ": " << arg.error().message;
  return arg.error().reason == reason;
}

}  // namespace ducat::testing
