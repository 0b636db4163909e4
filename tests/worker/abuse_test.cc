// Jobs that use too much: each gets its reason within its time, the next call works, nothing is
// left.

#include <chrono>
#include <csignal>
#include <iostream>
#include <string>

#include "support/result_matchers.h"
#include "worker/hello_limits.h"
#include "worker/pool_fixture.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using Steady = std::chrono::steady_clock;

constexpr const char* kNoPlainWorker =
    "needs a worker without sanitizers: build ducat-probe-worker in the release preset and set "
    "DUCAT_RELEASE_DIR";

class AbuseTest : public PoolFixture {
 protected:
  AbuseTest() { limits_.grace = std::chrono::milliseconds(200); }

  static JobRequest Timed(const std::string& name, int timeout_ms) {
    return {.name = name, .timeout = std::chrono::milliseconds(timeout_ms), .statement = name};
  }
  int64_t WorkerPid() {
    return Counters("echo").Find("pid").value_or(json::View()).AsInteger().value_or(-1);
  }
};

TEST_F(AbuseTest, ADeadlineIsKeptByInterrupt) {
  const int64_t pid = WorkerPid();
  EXPECT_THAT(Run(Timed("wait", 100)), FailsWith("query_timeout"));
  EXPECT_EQ(WorkerPid(), pid) << "an interrupted worker stays";
}

TEST_F(AbuseTest, ADeadlineIsKeptByKilling) {
  pool().StartSpare();
  const int64_t pid = WorkerPid();
  const auto begun = Steady::now();
  const Result<JobResult> result = Run(Timed("spin", 100));
  const auto answered = Steady::now();
  ASSERT_THAT(result, FailsWith("query_timeout"));
  EXPECT_EQ(result.error().data, "\"timeout_ms\":100");
  EXPECT_FALSE(result.error().retryable);
  EXPECT_GE(answered - begun, std::chrono::milliseconds(300));
  EXPECT_NE(WorkerPid(), pid);
  const std::chrono::duration<double, std::milli> ready = Steady::now() - answered;
  std::cout << "kill to the next answer: " << ready.count() << " ms\n";
}

TEST_F(AbuseTest, ACancelEndsTheJobAtOnce) {
  for (const char* job : {"wait", "spin"}) {
    CancelSource source;
    const auto result = Begin(Timed(job, 60'000), source.token());
    SpinUntil([&] { return Children().size() == 1; });
    const auto wait_until = Steady::now() + std::chrono::milliseconds(400);
    SpinUntil([&] { return Steady::now() >= wait_until; });
    source.Cancel(CancelCause::kClient);
    SpinUntil([&] { return result->has_value(); }, std::chrono::seconds(5));
    EXPECT_THAT(**result, FailsWith("cancelled")) << job;
    ExpectNextCallWorks();
  }
}

TEST_F(AbuseTest, ADeadlineOfTheCallItselfReadsAsTimeout) {
  CancelSource source;
  const auto result = Begin(Timed("wait", 60'000), source.token());
  SpinUntil([&] { return Children().size() == 1; });
  source.Cancel(CancelCause::kDeadline);
  SpinUntil([&] { return result->has_value(); });
  EXPECT_THAT(**result, FailsWith("query_timeout"));
}

TEST_F(AbuseTest, ACrashNamesItsSignal) {
  if (!UsePlainWorker()) GTEST_SKIP() << kNoPlainWorker;
  for (const auto& [signal, name] : {std::pair{SIGSEGV, "SIGSEGV"},
                                     {SIGABRT, "SIGABRT"},
                                     {SIGFPE, "SIGFPE"},
                                     {SIGBUS, "SIGBUS"}}) {
    const Result<JobResult> result =
        RunNamed("signal", R"({"signal":)" + std::to_string(signal) + "}");
    ASSERT_THAT(result, FailsWith("worker_crashed"));
    EXPECT_EQ(result.error().data, "\"detail\":\"" + std::string(name) + "\"");
    EXPECT_TRUE(result.error().retryable);
    ExpectNextCallWorks();
  }
}

TEST_F(AbuseTest, AnExitInMidJobIsACrash) {
  const Result<JobResult> result = RunNamed("exit", R"({"code":3})");
  ASSERT_THAT(result, FailsWith("worker_crashed"));
  EXPECT_EQ(result.error().data, R"("detail":"exit 3")");
  ExpectNextCallWorks();
}

// Unlike the kernel's for want of memory, which its counter tells (oom_kills_test.cc).
TEST_F(AbuseTest, AForeignKillIsACrash) {
  const auto result = Begin(Timed("wait", 60'000));
  SpinUntil([&] { return Children().size() == 1; });
  const auto wait_until = Steady::now() + std::chrono::milliseconds(400);
  SpinUntil([&] { return Steady::now() >= wait_until; });
  kill(Children().front(), SIGKILL);
  SpinUntil([&] { return result->has_value(); });
  EXPECT_THAT(**result, FailsWith("worker_crashed"));
  EXPECT_EQ((*result)->error().data, R"("detail":"SIGKILL")");
  ExpectNextCallWorks();
}

TEST_F(AbuseTest, MemoryIsBounded) {
  if (!UsePlainWorker()) GTEST_SKIP() << kNoPlainWorker;
  binding_ = MakeBinding("small");
  binding_->hello_.memory_limit_bytes = uint64_t{256} << 20;
  const int64_t pid = WorkerPid();
  EXPECT_THAT(RunNamed("allocate"), FailsWith("memory_limit"));
  ExpectNextCallWorks();
  EXPECT_NE(WorkerPid(), pid) << "what that one could not get, the next would not get either";
}

TEST_F(AbuseTest, AWorkerWithoutRoomInItsAddressSpaceIsRetired) {
  if (!UsePlainWorker()) GTEST_SKIP() << kNoPlainWorker;
  const uint64_t cap = AddressSpaceBytes(binding_->hello_) >> 20;
  const auto keep = [&](uint64_t mib) {
    EXPECT_THAT(RunNamed("keep_mapped", R"({"mib":)" + std::to_string(mib) + "}"), IsOk());
  };
  const int64_t pid = WorkerPid();
  keep(cap / 2);
  EXPECT_EQ(WorkerPid(), pid) << "half of it is room enough";
  keep(cap / 4);
  keep(cap / 8);
  EXPECT_NE(WorkerPid(), pid);
}

TEST_F(AbuseTest, FilesAreBounded) {
  if (!UsePlainWorker()) GTEST_SKIP() << kNoPlainWorker;
  binding_ = MakeBinding("small");
  binding_->hello_.temp_limit_bytes = uint64_t{8} << 20;
  EXPECT_THAT(RunNamed("write_much"), FailsWith("temp_limit"));
  ExpectNextCallWorks();
}

TEST_F(AbuseTest, ADeepRecursionIsACrash) {
  EXPECT_THAT(RunNamed("recurse"), FailsWith("worker_crashed"));
  ExpectNextCallWorks();
}

TEST_F(AbuseTest, AForeignExceptionIsInternalAndRetiresTheWorker) {
  const int64_t pid = WorkerPid();
  EXPECT_THAT(RunNamed("throw"), FailsWith("internal_error"));
  EXPECT_NE(WorkerPid(), pid);
}

TEST_F(AbuseTest, TwoKillsQuarantineAStatementForTenMinutes) {
  const JobRequest killer{
      .name = "exit", .arguments = R"({"code":3})", .statement = "SELECT json_structure(...)"};
  EXPECT_THAT(Run(killer), FailsWith("worker_crashed"));
  clock_.Advance(std::chrono::minutes(9));
  EXPECT_THAT(Run(killer), FailsWith("worker_crashed"));
  EXPECT_THAT(Run(killer), FailsWith("quarantined"));
  JobRequest other = killer;
  other.name = "echo";
  other.statement = "SELECT 1";
  EXPECT_THAT(Run(other), IsOk()) << "another statement runs";
  clock_.Advance(std::chrono::minutes(9) + std::chrono::seconds(59));
  EXPECT_THAT(Run(killer), FailsWith("quarantined"));
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_THAT(Run(killer), FailsWith("worker_crashed"));
}

TEST_F(AbuseTest, TwoKillsFarApartDoNotQuarantine) {
  const JobRequest killer{.name = "exit", .arguments = R"({"code":3})", .statement = "s"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Run(killer), FailsWith("worker_crashed"));
    clock_.Advance(std::chrono::minutes(10));
  }
}

}  // namespace
}  // namespace ducat::worker
