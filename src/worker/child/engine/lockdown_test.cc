#include "worker/child/engine/lockdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::engine {
namespace {

TEST(LockdownTest, OrderEndsWithTheLock) {
  const auto lockdown = LockdownOf({.private_dir = "/p"});
  std::vector<std::string> set;
  for (const LockedSetting& setting : lockdown) {
    if (!setting.statement.empty()) set.push_back(setting.name);
  }
  ASSERT_GE(set.size(), 4U);
  EXPECT_EQ(set.front(), "autoinstall_known_extensions");
  EXPECT_THAT(std::vector(set.end() - 4, set.end()),
              ::testing::ElementsAre("allowed_directories", "allowed_paths",
                                     "enable_external_access", "lock_configuration"));
}

TEST(LockdownTest, SizesAsTheEnginePrintsThem) {
  EXPECT_EQ(HumanBytes(0), "0 bytes");
  EXPECT_EQ(HumanBytes(1), "1 byte");
  EXPECT_EQ(HumanBytes(1023), "1023 bytes");
  EXPECT_EQ(HumanBytes(1024), "1.0 KiB");
  EXPECT_EQ(HumanBytes(uint64_t{2} << 30), "2.0 GiB");
  EXPECT_EQ(HumanBytes((uint64_t{2} << 30) - 1), "1.9 GiB");
  EXPECT_EQ(HumanBytes(uint64_t{1536} << 20), "1.5 GiB");
}

}  // namespace
}  // namespace ducat::engine
