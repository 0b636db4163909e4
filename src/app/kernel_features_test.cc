#include "app/kernel_features.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"

namespace ducat::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;

Result<std::vector<std::string>> Choose(KernelFeatures kernel, SandboxMode mode, bool beyond,
                                        worker::Sandbox* chosen = nullptr) {
  Settings settings;
  settings.sandbox = mode;
  auto warnings = ChooseSandbox(kernel, beyond, settings);
  if (chosen != nullptr) *chosen = settings.analyst.sandbox;
  return warnings;
}

constexpr KernelFeatures kFull{.landlock_abi = 1, .seccomp = true};
constexpr KernelFeatures kNoLandlock{.landlock_abi = 0, .seccomp = true};
constexpr KernelFeatures kNoSeccomp{.landlock_abi = 6, .seccomp = false};

TEST(ChooseSandbox, IsStrictBeyondLoopbackAndBestEffortHere) {
  worker::Sandbox chosen{};
  EXPECT_THAT(*Choose(kFull, SandboxMode::kAuto, false, &chosen), IsEmpty());
  EXPECT_EQ(chosen, worker::Sandbox::kBestEffort);
  EXPECT_THAT(Choose(kFull, SandboxMode::kAuto, true, &chosen), IsOk());
  EXPECT_EQ(chosen, worker::Sandbox::kStrict);
  EXPECT_THAT(Choose(kFull, SandboxMode::kStrict, false, &chosen), IsOk());
  EXPECT_EQ(chosen, worker::Sandbox::kStrict);
}

TEST(ChooseSandbox, WarnsOrRefusesWithoutLandlock) {
  EXPECT_THAT(*Choose(kNoLandlock, SandboxMode::kAuto, false), SizeIs(1));
  EXPECT_THAT(*Choose(kNoLandlock, SandboxMode::kBestEffort, true), SizeIs(1));
  const auto strict = Choose(kNoLandlock, SandboxMode::kStrict, false);
  ASSERT_THAT(strict, FailsWith("sandbox_missing"));
  EXPECT_THAT(strict.error().message, HasSubstr("Landlock"));
  EXPECT_THAT(strict.error().hint, HasSubstr("--sandbox best-effort"));
  EXPECT_THAT(Choose(kNoLandlock, SandboxMode::kAuto, true), FailsWith("sandbox_missing"));
}

TEST(ChooseSandbox, NeverGoesWithoutSeccomp) {
  for (const SandboxMode mode :
       {SandboxMode::kAuto, SandboxMode::kStrict, SandboxMode::kBestEffort}) {
    EXPECT_THAT(Choose(kNoSeccomp, mode, false), FailsWith("sandbox_missing"));
  }
}

}  // namespace
}  // namespace ducat::app
