#include "app/setting_values.h"

#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::app {
namespace {

using testing::FailsWith;

TEST(ParseBytes, KnowsUnitsOfBothKinds) {
  EXPECT_EQ(ParseBytes("2GiB", 0), uint64_t{2} << 30);
  EXPECT_EQ(ParseBytes("512 mib", 0), uint64_t{512} << 20);
  EXPECT_EQ(ParseBytes("1TiB", 0), uint64_t{1} << 40);
  EXPECT_EQ(ParseBytes("3KB", 0), 3'000U);
  EXPECT_EQ(ParseBytes("1000", 0), 1'000U);
  EXPECT_EQ(ParseBytes("7b", 0), 7U);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text : {"", "GiB", "-1", "1.5GiB", "1 PiB", "9223372036854775808"}) {
    EXPECT_THAT(ParseBytes(text, 0), FailsWith("invalid_setting")) << text;
  }
  EXPECT_EQ(ParseBytes("64MiB", uint64_t{64} << 20), uint64_t{64} << 20);
  EXPECT_THAT(ParseBytes("67108863", uint64_t{64} << 20), FailsWith("invalid_setting"));
}

TEST(ParseSeconds, RoundsToMilliseconds) {
  EXPECT_EQ(ParseSeconds("0.1", 0.1, 10)->count(), 100);
  EXPECT_EQ(ParseSeconds("10", 0.1, 10)->count(), 10'000);
  EXPECT_THAT(ParseSeconds("10.001", 0.1, 10), FailsWith("invalid_setting"));
  EXPECT_THAT(ParseSeconds("inf", 0.1, 10), FailsWith("invalid_setting"));
}

TEST(BytesText, SpeaksInTheLargestWholeUnit) {
  EXPECT_EQ(BytesText(uint64_t{2} << 30), "2 GiB");
  EXPECT_EQ(BytesText(uint64_t{64} << 20), "64 MiB");
  EXPECT_EQ(BytesText(1'000), "1000 bytes");
  EXPECT_EQ(BytesText(0), "0 bytes");
}

}  // namespace
}  // namespace ducat::app
