#include "worker/child/rows/wide_integer.h"

#include <limits>

#include <gtest/gtest.h>

namespace ducat::rows {
namespace {

std::string Digits(UInt128 value) {
  std::string out;
  AppendDigits(out, value);
  return out;
}

TEST(WideIntegerTest, DigitsAcrossChunks) {
  EXPECT_EQ(Digits(0), "0");
  EXPECT_EQ(Digits(999'999'999'999'999'999), "999999999999999999");
  EXPECT_EQ(Digits(1'000'000'000'000'000'000), "1000000000000000000");
  EXPECT_EQ(Digits(UInt128{1} << 64), "18446744073709551616");
  EXPECT_EQ(Digits(~UInt128{0}), "340282366920938463463374607431768211455");
}

TEST(WideIntegerTest, MagnitudeOfTheSmallest) {
  EXPECT_EQ(Digits(Magnitude({.lower = 0, .upper = std::numeric_limits<int64_t>::min()})),
            "170141183460469231731687303715884105728");
  EXPECT_EQ(Digits(Magnitude({.lower = ~uint64_t{0}, .upper = -1})), "1");
}

TEST(WideIntegerTest, BytesOfAnyLength) {
  EXPECT_EQ(DigitsOf(std::string_view("\x00", 1)), "0");
  EXPECT_EQ(DigitsOf("\x01"), "1");
  EXPECT_EQ(DigitsOf(std::string_view("\x01\x00\x00\x00\x00", 5)), "4294967296");
  // 2^200.
  EXPECT_EQ(DigitsOf(std::string("\x01") + std::string(25, '\0')),
            "1606938044258990275541962092341162602522202993782792835301376");
  // 10^36: whole chunks of zeros stay.
  EXPECT_EQ(DigitsOf(std::string_view(
                "\x00\xC0\x97\xCE\x7B\xC9\x07\x15\xB3\x4B\x9F\x10\x00\x00\x00\x00", 16)),
            "1000000000000000000000000000000000000");
}

}  // namespace
}  // namespace ducat::rows
