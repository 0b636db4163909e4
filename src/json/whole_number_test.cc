#include "json/whole_number.h"

#include <gtest/gtest.h>

namespace ducat::json {
namespace {

WholeNumber Of(std::string_view text) {
  const auto number = WholeNumber::FromText(text);
  EXPECT_TRUE(number.has_value()) << text;
  return number.value_or(WholeNumber{});
}

TEST(WholeNumber, ReadsExactIntegerTextOnly) {
  EXPECT_EQ(Of("18446744073709551615").magnitude, UINT64_MAX);
  EXPECT_TRUE(Of("-5").negative);
  EXPECT_FALSE(Of("-0").negative);
  for (const std::string_view text :
       {"", "-", "+1", "01", "-01", "1 ", " 1", "1.0", "1e3", "18446744073709551616"}) {
    EXPECT_FALSE(WholeNumber::FromText(text).has_value()) << text;
  }
}

template <class T>
std::optional<T> Stored(std::string_view text) {
  const WholeNumber number = Of(text);
  if (number.AgainstType(kShape<T>) != 0) return std::nullopt;
  T out{};
  number.Store(kShape<T>, &out);
  return out;
}

TEST(WholeNumber, KeepsToTheRangeOfEachType) {
  EXPECT_EQ(Stored<int8_t>("127"), 127);
  EXPECT_EQ(Stored<int8_t>("128"), std::nullopt);
  EXPECT_EQ(Stored<int8_t>("-128"), -128);
  EXPECT_EQ(Stored<int8_t>("-129"), std::nullopt);
  EXPECT_EQ(Stored<uint16_t>("65535"), 65'535);
  EXPECT_EQ(Stored<uint16_t>("65536"), std::nullopt);
  EXPECT_EQ(Stored<uint16_t>("-1"), std::nullopt);
  EXPECT_EQ(Stored<int32_t>("-2147483648"), INT32_MIN);
  EXPECT_EQ(Stored<int32_t>("2147483648"), std::nullopt);
  EXPECT_EQ(Stored<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(Stored<int64_t>("-9223372036854775809"), std::nullopt);
  EXPECT_EQ(Stored<int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(Stored<uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(LowestText(kShape<int8_t>), "-128");
  EXPECT_EQ(HighestText(kShape<uint64_t>), "18446744073709551615");
  EXPECT_EQ(LowestText(kShape<uint64_t>), "0");
}

// A double would round these to the bound itself.
TEST(WholeNumber, ComparesExactlyBeyond53Bits) {
  EXPECT_TRUE(Of("9007199254740993").IsAbove(9007199254740992.0));
  EXPECT_FALSE(Of("9007199254740992").IsAbove(9007199254740992.0));
  EXPECT_TRUE(Of("-9007199254740993").IsBelow(-9007199254740992.0));
  EXPECT_FALSE(Of("18446744073709551615").IsAbove(18446744073709551616.0));
}

}  // namespace
}  // namespace ducat::json
