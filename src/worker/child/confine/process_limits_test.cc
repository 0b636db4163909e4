#include "worker/child/confine/process_limits.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "worker/hello_limits.h"

namespace ducat::worker::child {
namespace {

constexpr uint64_t kGib = uint64_t{1} << 30;

TEST(HelloLimits, AddressSpaceGrowsWithMemoryAndThreads) {
  EXPECT_EQ(AddressSpaceBytes({}), 5 * kGib);
  EXPECT_EQ(AddressSpaceBytes({.memory_limit_bytes = kGib, .threads = 4}), 3 * kGib);
  EXPECT_EQ(AddressSpaceBytes({.memory_limit_bytes = kGib, .threads = 6}),
            3 * kGib + 2 * (uint64_t{72} << 20));
}

TEST(HelloLimits, OnlyIngestMayWriteMoreThanItSpills) {
  EXPECT_EQ(FileBytesMax({.temp_limit_bytes = kGib, .file_bytes_max = 2 * kGib}), kGib);
  EXPECT_EQ(
      FileBytesMax({.role = Role::kIngest, .temp_limit_bytes = kGib, .file_bytes_max = 2 * kGib}),
      2 * kGib);
  EXPECT_EQ(FileBytesMax({.role = Role::kIngest, .temp_limit_bytes = kGib, .file_bytes_max = 1}),
            kGib);
}

rlim_t Soft(__rlimit_resource resource) {
  rlimit limit{};
  getrlimit(resource, &limit);
  return limit.rlim_cur == limit.rlim_max ? limit.rlim_cur : 1;
}

// In a process of its own: limits cannot be raised again.
TEST(ProcessLimits, SetsEveryLimitHardAndSoft) {
  EXPECT_EXIT(
      {
        const bool set = LimitResources({.temp_limit_bytes = kGib}).has_value();
        const bool right = Soft(RLIMIT_FSIZE) == kGib && Soft(RLIMIT_NOFILE) == 4'096 &&
                           Soft(RLIMIT_CORE) == 0 && Soft(RLIMIT_STACK) == rlim_t{8} << 20;
#ifndef DUCAT_SANITIZED
        _exit(set && right && Soft(RLIMIT_AS) == 5 * kGib ? 0 : 1);
#else
        _exit(set && right ? 0 : 1);
#endif
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(ProcessLimits, TiesTheProcessToItsParent) {
  const pid_t parent = getpid();
  EXPECT_EXIT(
      {
        const bool tied = TieToParent(parent);
        const bool other = TieToParent(parent + 1);
        int signal = 0;
        prctl(PR_GET_PDEATHSIG, &signal);
        const bool quiet = prctl(PR_GET_DUMPABLE) == 0 && signal == SIGKILL;
        _exit(tied && !other && quiet ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(ProcessLimits, RootKeepsItsNamespaces) {
  if (geteuid() != 0) GTEST_SKIP() << "runs as root only";
  EXPECT_FALSE(EnterNamespaces());
}

}  // namespace
}  // namespace ducat::worker::child
