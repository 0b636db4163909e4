#include "base/ids.h"

#include <set>

#include <gtest/gtest.h>

namespace ducat {
namespace {

TEST(RequestId, IsFiftyBitsOfCrockfordBase32) {
  EXPECT_EQ(FormatRequestId(0), "00000-00000");
  EXPECT_EQ(FormatRequestId((uint64_t{1} << 50) - 1), "ZZZZZ-ZZZZZ");
  EXPECT_EQ(FormatRequestId(1), "00000-00001");
  EXPECT_EQ(FormatRequestId(uint64_t{1} << 25), "00001-00000");
  EXPECT_EQ(FormatRequestId(uint64_t{1} << 50), "00000-00000") << "higher bits do not count";
}

TEST(RequestId, UsesNoLetterThatReadsLikeAnother) {
  for (uint64_t value = 0; value < 32; ++value) {
    const std::string id = FormatRequestId(value);
    EXPECT_EQ(id.find_first_of("ILOU"), std::string::npos) << id;
  }
}

TEST(RequestIds, DoNotRepeatAcrossBlocks) {
  RequestIds ids;
  std::set<std::string> seen;
  for (int i = 0; i < 10'000; ++i) {
    const std::string id = ids.Next();
    EXPECT_EQ(id.size(), 11U);
    EXPECT_EQ(id[5], '-');
    EXPECT_TRUE(seen.insert(id).second) << id;
  }
}

TEST(FillRandom, FillsEveryByteSoonerOrLater) {
  std::array<uint8_t, 1024> seen{};
  for (int round = 0; round < 20; ++round) {
    std::array<uint8_t, 1024> bytes{};
    FillRandom(bytes);
    for (size_t i = 0; i < bytes.size(); ++i)
      seen[i] |= bytes[i];
  }
  for (const uint8_t byte : seen)
    EXPECT_NE(byte, 0);
}

}  // namespace
}  // namespace ducat
