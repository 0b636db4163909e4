#include "app/core_files.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ducat::app {
namespace {

// In a child, because nothing takes it back.
TEST(CoreFiles, S27ThereAreNone) {
  const pid_t child = ::fork();
  if (child == 0) {
    RefuseCoreFiles();
    rlimit limit{};
    ::getrlimit(RLIMIT_CORE, &limit);
    ::_exit(limit.rlim_max == 0 && ::prctl(PR_GET_DUMPABLE) == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace ducat::app
