// Kernels that lack a layer of the cage (guard.md 4.5), by answering ENOSYS in their place.

#include <filesystem>
#include <string>
#include <vector>

#include "support/result_matchers.h"
#include "worker/pool_fixture.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

class WeakKernelTest : public PoolFixture {
 protected:
  void Without(const std::string& feature) {
    worker_ = root_ + "/no-" + feature;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::filesystem::create_symlink(folder / "ducat-masked", worker_);
  }
  [[nodiscard]] std::string Logged() const {
    std::string all;
    for (const std::string& line : log_lines_)
      all += line + "\n";
    return all;
  }
};

TEST_F(WeakKernelTest, BestEffortGoesOnWithoutLandlockAndSaysSo) {
  Without("landlock");
  ASSERT_THAT(RunNamed("echo"), IsOk());
  const Ready* ready = pool().last_ready();
  ASSERT_NE(ready, nullptr);
  EXPECT_EQ(ready->landlock_abi, 0);
  EXPECT_TRUE(ready->seccomp);
  EXPECT_EQ(ready->missing, std::vector<std::string>{"landlock"});
  // The other layers hold alone.
  EXPECT_EQ(Counters("try", R"({"what":"tcp_connect"})").Find("errno")->AsInteger(), EPERM);
}

TEST_F(WeakKernelTest, StrictRefusesWithoutLandlock) {
  Without("landlock");
  binding_->hello_.sandbox = Sandbox::kStrict;
  const Result<JobResult> result = RunNamed("echo");
  ASSERT_THAT(result, FailsWith("worker_unavailable"));
  EXPECT_NE(result.error().message.find("Landlock"), std::string::npos);
  EXPECT_NE(Logged().find("exit 78"), std::string::npos) << Logged();
}

TEST_F(WeakKernelTest, NothingRunsWithoutSeccomp) {
  Without("seccomp");
  for (const Sandbox sandbox : {Sandbox::kBestEffort, Sandbox::kStrict}) {
    binding_->hello_.sandbox = sandbox;
    EXPECT_THAT(RunNamed("echo"), FailsWith("worker_unavailable"));
  }
  EXPECT_NE(Logged().find("exit 70"), std::string::npos) << Logged();
  EXPECT_NE(Logged().find("seccomp"), std::string::npos) << Logged();
}

TEST_F(WeakKernelTest, StrictHoldsOnThisKernelWhenItHasBoth) {
  binding_->hello_.sandbox = Sandbox::kStrict;
  const Result<JobResult> result = RunNamed("echo");
  if (!result && result.error().message.find("Landlock") != std::string::npos) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(pool().last_ready()->missing, std::vector<std::string>{});
}

}  // namespace
}  // namespace ducat::worker
