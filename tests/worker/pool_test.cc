// The pool with real processes: answers, deadlines, queues, ends.

#include "worker/pool.h"

#include "support/result_matchers.h"
#include "worker/pool_fixture.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

using PoolTest = PoolFixture;

TEST_F(PoolTest, RunsAJobInAConfinedProcess) {
  const Result<JobResult> result = RunNamed("echo", R"({"a":[1,2]})");
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->meta, R"({"a":[1,2]})");
  EXPECT_EQ(result->rows, R"([1,"a"],[2,"b"])");
  EXPECT_EQ(result->text, R"(| 1 | a |\n)");
  EXPECT_EQ(result->counters, R"({"rows":2})");
  ASSERT_NE(pool().last_ready(), nullptr);
  EXPECT_TRUE(pool().last_ready()->seccomp);
}

}  // namespace
}  // namespace ducat::worker
