#include "base/iso_time.h"

#include <gtest/gtest.h>

namespace ducat {
namespace {

constexpr int64_t kSecond = 1'000'000;

TEST(IsoDate, CountsTheDaysThatExist) {
  EXPECT_EQ(DaysOfIsoDate("1970-01-01"), 0);
  EXPECT_EQ(DaysOfIsoDate("1969-12-31"), -1);
  EXPECT_EQ(DaysOfIsoDate("2024-02-29"), 19'782);
  EXPECT_TRUE(DaysOfIsoDate("0000-01-01").has_value());
  EXPECT_TRUE(DaysOfIsoDate("9999-12-31").has_value());
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-00-01", "2024-01-32", "2024-1-01",
                           "2024-01-01 ", "2024-01-01T00:00", "", "10000-01-01", "20240101"}) {
    EXPECT_FALSE(DaysOfIsoDate(text).has_value()) << text;
  }
}

TEST(IsoTimestamp, ReadsEverySpelling) {
  EXPECT_EQ(MicrosOfIsoTimestamp("1970-01-02"), 86'400 * kSecond);
  EXPECT_EQ(MicrosOfIsoTimestamp("1970-01-01T01:02"), 3'720 * kSecond);
  EXPECT_EQ(MicrosOfIsoTimestamp("1970-01-01 00:00:01.25"), 1'250'000);
  EXPECT_EQ(MicrosOfIsoTimestamp("1970-01-01T00:00:00.000001Z"), 1);
  EXPECT_EQ(MicrosOfIsoTimestamp("1970-01-01T02:00:00+02:00"), 0);
  EXPECT_EQ(MicrosOfIsoTimestamp("1970-01-01T00:00-00:30"), 1'800 * kSecond);
  for (const char* text :
       {"2024-01-01T", "2024-01-01T1:00", "2024-01-01T24:00", "2024-01-01T00:60",
        "2024-01-01T00:00:60", "2024-01-01T00:00:00.", "2024-01-01T00:00:00.1234567",
        "2024-01-01T00:00+1:00", "2024-01-01T00:00+24:00", "2024-01-01T00:00Zx", "2023-02-29T00:00",
        "2024-01-01X00:00", "now", ""}) {
    EXPECT_FALSE(MicrosOfIsoTimestamp(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace ducat
