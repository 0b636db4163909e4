#include "worker/sandbox_support.h"

#include <gtest/gtest.h>

namespace ducat::worker {
namespace {

TEST(SandboxSupport, NamesWhatIsMissing) {
  EXPECT_EQ((SandboxSupport{.landlock_abi = 1, .seccomp = true}.missing()),
            std::vector<std::string>{});
  EXPECT_EQ((SandboxSupport{.landlock_abi = 0, .seccomp = false}.missing()),
            (std::vector<std::string>{"landlock", "seccomp"}));
}

TEST(SandboxSupport, AsksTheKernelWithoutChangingTheProcess) {
  const SandboxSupport first = ProbeSandbox();
  const SandboxSupport second = ProbeSandbox();
  EXPECT_EQ(first.landlock_abi, second.landlock_abi);
  EXPECT_TRUE(second.seccomp) << "every kernel since 4.14 has it";
}

}  // namespace
}  // namespace ducat::worker
