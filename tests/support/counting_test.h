#pragma once
// CountingTest: the fixture of tests that count instructions. They skip where the processor has no
// trap flag (anything but x86-64): there is no number to compare. Also the input that most of them
// grow.

#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/instruction_count.h"

namespace ducat::testing {

struct CountingTest : ::testing::Test {
  void SetUp() override {
    if (!CanCountInstructions()) GTEST_SKIP() << "This processor cannot count instructions";
  }
};

// `part`, n times.
[[nodiscard]] inline std::string Repeated(size_t n, std::string_view part) {
  std::string out;
  for (size_t i = 0; i < n; ++i) {
    out.append(part);
  }
  return out;
}

}  // namespace ducat::testing
