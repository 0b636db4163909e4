// The pool with real processes: answers, turns, spares, ends.

#include "worker/pool.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/result_matchers.h"
#include "worker/pool_fixture.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using Steady = std::chrono::steady_clock;

class PoolTest : public PoolFixture {
 protected:
  static JobRequest Of(const std::string& session, const std::string& name,
                       std::string arguments = "{}") {
    return {.name = name, .arguments = std::move(arguments), .session = session};
  }
  int64_t WorkerPid() {
    return Counters("echo").Find("pid").value_or(json::View()).AsInteger().value_or(-1);
  }
  void SpinFor(std::chrono::milliseconds time) {
    const auto end = Steady::now() + time;
    SpinUntil([&] { return Steady::now() >= end; });
  }
};

TEST_F(PoolTest, RunsAJobInAConfinedProcess) {
  const Result<JobResult> result = RunNamed("echo", R"({"a":[1,2]})");
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->meta, R"({"a":[1,2]})");
  EXPECT_EQ(result->rows, R"([1,"a"],[2,"b"])");
  EXPECT_EQ(result->text, R"(| 1 | a |\n)");
  EXPECT_TRUE(result->counters.starts_with(R"({"rows":2)")) << result->counters;
  ASSERT_NE(pool().last_ready(), nullptr);
  EXPECT_TRUE(pool().last_ready()->seccomp);
  EXPECT_EQ(pool().last_ready()->engine_version, "v1.5.6");
}

TEST_F(PoolTest, OneWorkerServesManyJobs) {
  const int64_t pid = WorkerPid();
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(WorkerPid(), pid);
}

TEST_F(PoolTest, LargeAnswersComeInPieces) {
  JobRequest request{.name = "rows", .arguments = R"({"count":20000,"width":100})"};
  request.rows_bytes_max = 4 << 20;
  const Result<JobResult> result = Run(std::move(request));
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->rows.size(), 20'000u * 105 - 1);
}

TEST_F(PoolTest, UnknownJobsAreInternalErrors) {
  EXPECT_THAT(RunNamed("no_such_job"), FailsWith("internal_error"));
  ExpectNextCallWorks();
}

TEST_F(PoolTest, NothingStartsBeforeItIsAskedFor) {
  (void)pool();
  SpinFor(std::chrono::milliseconds(20));
  EXPECT_TRUE(Children().empty());
  EXPECT_TRUE(PrivateDirs().empty());
  pool().StartSpare();
  EXPECT_EQ(Children().size(), 1u);
  const pid_t spare = Children().front();
  EXPECT_EQ(WorkerPid(), spare) << "the first job takes the spare";
  EXPECT_EQ(Children().size(), 2u) << "and there is a new one";
}

TEST_F(PoolTest, NothingIsLeftBehind) {
  pool().StartSpare();
  ASSERT_THAT(RunNamed("echo"), IsOk());
  const auto running = Begin(Of("a", "wait"));
  SpinFor(std::chrono::milliseconds(50));
  pool_.reset();
  EXPECT_TRUE(Children().empty());
  EXPECT_TRUE(PrivateDirs().empty());
  SpinUntil([&] { return running->has_value(); });
  EXPECT_THAT(**running, FailsWith("cancelled"));
}

TEST_F(PoolTest, DirectoriesOfTheDeadAreRemovedAndThoseOfTheLivingKept) {
  const std::string left = root_ + "/temp/worker-0123456789abcdef";
  std::filesystem::create_directories(left + "/deep");
  std::ofstream(left + "/deep/spill") << "x";
  Pool living(io_.get_executor(), clock_, {worker_, root_ + "/temp"}, limits_);
  living.StartSpare();
  EXPECT_FALSE(std::filesystem::exists(left));
  ASSERT_EQ(PrivateDirs().size(), 1u);
  (void)pool();
  EXPECT_EQ(PrivateDirs().size(), 1u) << "another process's directory is locked";
}

TEST_F(PoolTest, ASessionsLongJobsDoNotDelayAnothersFirst) {
  std::vector<std::shared_ptr<std::optional<Result<JobResult>>>> slow;
  for (int i = 0; i < 4; ++i)
    slow.push_back(Begin(Of("a", "wait", R"({"ms":1500})")));
  SpinFor(std::chrono::milliseconds(300));
  const auto quick = Begin(Of("b", "echo"));
  SpinUntil([&] { return quick->has_value(); });
  EXPECT_THAT(**quick, IsOk());
  for (const auto& result : slow)
    EXPECT_FALSE(result->has_value());
  // Two run at once, so the last may end before the one before it.
  for (const auto& result : slow) {
    SpinUntil([&] { return result->has_value(); });
    ASSERT_TRUE(result->has_value());
    EXPECT_THAT(**result, IsOk());
  }
}

TEST_F(PoolTest, ACrashInOneSessionIsInvisibleInAnother) {
  const auto steady = Begin(Of("b", "wait", R"({"ms":800})"));
  SpinFor(std::chrono::milliseconds(100));
  EXPECT_THAT(Run(Of("a", "exit", R"({"code":1})")), FailsWith("worker_crashed"));
  EXPECT_THAT(Run(Of("a", "echo")), IsOk());
  SpinUntil([&] { return steady->has_value(); });
  EXPECT_THAT(**steady, IsOk());
}

TEST_F(PoolTest, TheQueueIsBoundedPerSessionAndInAll) {
  std::vector<std::shared_ptr<std::optional<Result<JobResult>>>> all;
  const auto overloaded = [&] {
    io_.restart();
    io_.poll();
    size_t count = 0;
    for (const auto& result : all)
      count += result->has_value() && !**result ? 1 : 0;
    return count;
  };
  CancelSource source;
  const auto begin = [&](const std::string& session) {
    all.push_back(Begin(Of(session, "wait"), source.token()));
  };
  for (int i = 0; i < 2 + 16; ++i)
    begin("a");
  EXPECT_EQ(overloaded(), 0u);
  begin("a");
  EXPECT_EQ(overloaded(), 1u);
  begin("b");  // takes the worker that is there for first jobs
  for (int i = 0; i < 16; ++i)
    begin("b");
  EXPECT_EQ(overloaded(), 1u);
  begin("b");
  begin("c");
  EXPECT_EQ(overloaded(), 3u);
  ASSERT_THAT(*all.back(), ::testing::Optional(FailsWith("overloaded")));
  EXPECT_TRUE((*all.back())->error().retryable);
  source.Cancel(CancelCause::kClient);
  SpinUntil([&] {
    return std::all_of(all.begin(), all.end(), [](const auto& r) { return r->has_value(); });
  });
  EXPECT_THAT(*all.front(), ::testing::Optional(FailsWith("cancelled")));
  ExpectNextCallWorks();
}

TEST_F(PoolTest, WaitingCountsIntoTheTime) {
  limits_.workers = 1;
  CancelSource source;
  std::vector<std::shared_ptr<std::optional<Result<JobResult>>>> slow;
  slow.push_back(Begin(Of("a", "wait"), source.token()));
  JobRequest late = Of("a", "echo");
  late.timeout = std::chrono::milliseconds(150);
  EXPECT_THAT(Run(std::move(late)), FailsWith("query_timeout"));
  source.Cancel(CancelCause::kClient);
  SpinUntil([&] { return slow.front()->has_value(); });
  ExpectNextCallWorks();
}

TEST_F(PoolTest, WorkersOfOtherBindingsAreReplacedWhenIdle) {
  limits_.workers = 1;
  ASSERT_THAT(RunNamed("echo"), IsOk());
  const auto first = binding_;
  for (int i = 0; i < 3; ++i) {
    binding_ = MakeBinding("canvas-" + std::to_string(i));
    ASSERT_THAT(RunNamed("echo"), IsOk());
  }
  SpinUntil([&] { return Children().size() <= 1; });
  binding_ = first;
  EXPECT_THAT(RunNamed("echo"), IsOk());
}

TEST_F(PoolTest, IdleWorkersEndTheLastOneLater) {
  limits_.idle_timeout = std::chrono::milliseconds(200);
  limits_.last_idle_timeout = std::chrono::milliseconds(900);
  const auto first = Begin(Of("a", "wait", R"({"ms":50})"));
  const auto second = Begin(Of("b", "wait", R"({"ms":50})"));
  SpinUntil([&] { return first->has_value() && second->has_value(); });
  ASSERT_EQ(Children().size(), 2u);
  SpinUntil([&] { return Children().size() == 1; }, std::chrono::seconds(2));
  SpinFor(std::chrono::milliseconds(150));
  EXPECT_EQ(Children().size(), 1u);
  SpinUntil([&] { return Children().empty(); }, std::chrono::seconds(3));
  EXPECT_TRUE(PrivateDirs().empty());
  ExpectNextCallWorks();
}

TEST_F(PoolTest, WorkersRetireAfterTheirShareOfJobs) {
  limits_.jobs_per_worker_max = 3;
  const int64_t pid = WorkerPid();
  EXPECT_EQ(WorkerPid(), pid);
  EXPECT_EQ(WorkerPid(), pid);
  EXPECT_NE(WorkerPid(), pid);
}

TEST_F(PoolTest, RetireEndsTheWorkersOfABinding) {
  const int64_t pid = WorkerPid();
  pool().Retire("something else");
  EXPECT_EQ(WorkerPid(), pid);
  pool().Retire(binding_->key());
  EXPECT_NE(WorkerPid(), pid);
}

TEST_F(PoolTest, AWorkerThatDiedWhileIdleIsNotUsed) {
  const int64_t pid = WorkerPid();
  kill(static_cast<pid_t>(pid), SIGKILL);
  SpinFor(std::chrono::milliseconds(50));
  EXPECT_NE(WorkerPid(), pid);
}

TEST_F(PoolTest, AWorkerThatDiesAtOnceIsReported) {
  worker_ = "/bin/false";
  EXPECT_THAT(RunNamed("echo"), FailsWith("worker_unavailable"));
  EXPECT_THAT(RunNamed("echo"), FailsWith("worker_unavailable"));
}

TEST_F(PoolTest, AMissingExecutableIsReported) {
  worker_ = "/nonexistent/ducat-worker";
  const Result<JobResult> result = RunNamed("echo");
  ASSERT_THAT(result, FailsWith("worker_unavailable"));
  EXPECT_TRUE(result.error().retryable);
  EXPECT_TRUE(PrivateDirs().empty());
}

TEST_F(PoolTest, AWorkerThatIsNeverReadyIsKilled) {
  worker_ = "/bin/sleep";  // sleeps for its argument, the pid
  limits_.ready_timeout = std::chrono::milliseconds(200);
  EXPECT_THAT(RunNamed("echo"), FailsWith("worker_unavailable"));
  SpinUntil([&] { return Children().empty() && PrivateDirs().empty(); });
}

TEST_F(PoolTest, AWorkerThatClosesItsSocketIsKilled) {
  worker_ = root_ + "/mute";
  std::ofstream(worker_) << "#!/bin/sh\nexec 3>&- sleep 60\n";
  std::filesystem::permissions(worker_, std::filesystem::perms::owner_all);
  const auto begun = Steady::now();
  EXPECT_THAT(RunNamed("echo"), FailsWith("worker_unavailable"));
  EXPECT_LT(Steady::now() - begun, limits_.ready_timeout);
  SpinUntil([&] { return Children().empty() && PrivateDirs().empty(); });
}

TEST_F(PoolTest, AStagedFileIsTheCallers) {
  binding_->hello_.role = Role::kIngest;
  const Result<JobResult> result = RunNamed("stage");
  ASSERT_THAT(result, IsOk());
  ASSERT_FALSE(result->staged_file.empty());
  EXPECT_EQ(std::filesystem::file_size(result->staged_file), 5u);
  std::filesystem::rename(result->staged_file, root_ + "/data/table.parquet");
  EXPECT_THAT(RunNamed("stage", R"({"fails":1})"), FailsWith("bad_file"));
  const Result<JobResult> next = RunNamed("echo");
  ASSERT_THAT(next, IsOk());
  EXPECT_EQ(next->staged_file, "") << "what a failed job left is no other job's";
}

TEST_F(PoolTest, TheCatalogTravelsOncePerVersion) {
  for (int i = 0; i < 3; ++i) {
    binding_->version_ = static_cast<uint64_t>(i + 1);
    binding_->files_.push_back("file-" + std::to_string(i) + ".csv");
    EXPECT_THAT(RunNamed("echo"), IsOk());
    EXPECT_THAT(RunNamed("echo"), IsOk());
  }
  EXPECT_EQ(binding_->deltas_, (std::vector<uint64_t>{0, 1, 2}));
}

TEST_F(PoolTest, ProgressReachesTheCaller) {
  std::vector<std::string> texts;
  progress_ = [&](double, double, std::string_view text) { texts.emplace_back(text); };
  ASSERT_THAT(
      RunNamed("raw", R"({"kind":5,"job":1,"text":"{\"done\":1,\"total\":2,\"text\":\"half\"}"})"),
      IsOk());
  EXPECT_EQ(texts, std::vector<std::string>{"half"});
}

}  // namespace
}  // namespace ducat::worker
