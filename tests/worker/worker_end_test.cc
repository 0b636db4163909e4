// Workers that end beside the point: between two jobs, by themselves, or because a job changed the
// engine. No call pays for the end of a worker that had not begun it.

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "worker/pool_fixture.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using ::testing::Contains;
using ::testing::HasSubstr;
using Steady = std::chrono::steady_clock;

class WorkerEndTest : public PoolFixture {
 protected:
  pid_t WorkerPid() {
    return static_cast<pid_t>(
        Counters("echo").Find("pid").value_or(json::View()).AsInteger().value_or(-1));
  }
  Result<JobResult> Engine(const std::string& sql) {
    return RunNamed("engine", R"({"sql":")" + sql + R"("})");
  }
};

TEST_F(WorkerEndTest, AJobThatWasNotBegunGoesToAnotherWorker) {
  pool().StartSpare();
  const pid_t pid = WorkerPid();
  kill(pid, SIGSTOP);  // the frame lies in its socket, unread
  JobRequest request{.name = "echo", .arguments = R"({"n":1})", .statement = "SELECT 1"};
  const auto result = Begin(request);
  io_.restart();
  io_.run_for(std::chrono::milliseconds(50));
  ASSERT_FALSE(result->has_value());
  kill(pid, SIGKILL);
  SpinUntil([&] { return result->has_value(); });
  ASSERT_THAT(**result, IsOk());
  EXPECT_EQ((**result)->meta, R"({"n":1})");
  EXPECT_NE(WorkerPid(), pid);
  EXPECT_THAT(log_lines_, Contains(HasSubstr("before it began the job")));
}

TEST_F(WorkerEndTest, AJobThatWasBegunDoesNot) {
  const pid_t pid = WorkerPid();
  const auto result = Begin({.name = "wait"});
  io_.restart();
  io_.run_for(std::chrono::milliseconds(200));
  kill(pid, SIGSEGV);
  SpinUntil([&] { return result->has_value(); });
  EXPECT_THAT(**result, FailsWith("worker_crashed"));
  ExpectNextCallWorks();
}

TEST_F(WorkerEndTest, ASecondEndBeforeTheJobIsReportedAndQuarantinesNothing) {
  const JobRequest request{.name = "echo", .statement = "SELECT 1"};
  binding_->version_ = 2;
  binding_->delta_from_ = 1;  // no worker is at version 1: each ends when it gets this
  for (int i = 0; i < 3; ++i) {
    const Result<JobResult> result = Run(request);
    ASSERT_THAT(result, FailsWith("worker_crashed"));
    EXPECT_TRUE(result.error().retryable);
  }
  EXPECT_EQ(binding_->deltas_, (std::vector<uint64_t>{0, 0, 0, 0, 0, 0})) << "two workers a call";
  binding_->delta_from_.reset();
  EXPECT_THAT(Run(request), IsOk()) << "an innocent statement is not quarantined";
}

TEST_F(WorkerEndTest, ADeadlineHoldsWhileAWorkerIsReplaced) {
  limits_.grace = std::chrono::milliseconds(100);
  const pid_t pid = WorkerPid();
  kill(pid, SIGSTOP);
  const auto begun = Steady::now();
  EXPECT_THAT(Run({.name = "echo", .timeout = std::chrono::milliseconds(200)}),
              FailsWith("query_timeout"));
  EXPECT_LT(Steady::now() - begun, std::chrono::milliseconds(1'000));
  ExpectNextCallWorks();
}

TEST_F(WorkerEndTest, AJobThatChangesASettingCostsTheWorkerAndNobodyElse) {
  pool().StartSpare();
  for (int round = 0; round < 3; ++round) {
    const pid_t pid = WorkerPid();
    EXPECT_THAT(Engine("SELECT * FROM enable_peg_parser()"), IsOk());
    // At once: the worker may be looking at itself, or gone, or on its way.
    ExpectNextCallWorks();
    EXPECT_NE(WorkerPid(), pid);
    const Result<JobResult> setting =
        Engine("SELECT current_setting('allow_parser_override_extension')");
    ASSERT_THAT(setting, IsOk());
    EXPECT_EQ(setting->counters, R"({"value":"DEFAULT"})");
  }
  EXPECT_THAT(log_lines_, Contains(HasSubstr("engine_lockdown: a job changed the engine")));
}

TEST_F(WorkerEndTest, AJobThatLeavesAnObjectCostsTheWorker) {
  for (const char* sql :
       {"CREATE TEMP TABLE orders AS SELECT 666 AS id", "CREATE VIEW orders AS SELECT 666 AS id",
        "SET VARIABLE v = 666", "ATTACH ':memory:' AS other"}) {
    const pid_t pid = WorkerPid();
    EXPECT_THAT(Engine(sql), IsOk()) << sql;
    ExpectNextCallWorks();
    EXPECT_NE(WorkerPid(), pid) << sql;
  }
}

TEST_F(WorkerEndTest, AnInternalErrorOfTheEngineRetiresTheWorker) {
  const pid_t pid = WorkerPid();
  EXPECT_THAT(RunNamed("throw"), FailsWith("internal_error"));
  EXPECT_NE(WorkerPid(), pid);
  EXPECT_THAT(Engine("SELECT nope"), FailsWith("engine_error"));
  const pid_t next = WorkerPid();
  EXPECT_THAT(Engine("SELECT nope"), FailsWith("engine_error"));
  EXPECT_EQ(WorkerPid(), next) << "a refusal is no reason to end";
}

class DatabaseIdleTest : public WorkerEndTest {
 protected:
  // Who holds a lock on the file; 0: a writer may have it.
  [[nodiscard]] static pid_t Holder(const std::string& file) {
    const int fd = open(file.c_str(), O_RDWR);
    struct flock lock{.l_type = F_WRLCK, .l_whence = SEEK_SET};
    EXPECT_EQ(fcntl(fd, F_GETLK, &lock), 0);
    close(fd);
    return lock.l_type == F_UNLCK ? 0 : lock.l_pid;
  }
};

TEST_F(DatabaseIdleTest, AnIdleWorkerLetsGoOfTheDatabaseFile) {
  const std::string file = root_ + "/data/shop.duckdb";
  binding_->hello_.role = Role::kIngest;
  const Result<JobResult> made = RunNamed("make_database");
  ASSERT_THAT(made, IsOk());
  ASSERT_FALSE(made->staged_file.empty());
  std::filesystem::rename(made->staged_file, file);
  binding_ = MakeBinding("with database");
  binding_->hello_.db_file = file;
  for (int round = 0; round < 2; ++round) {
    const Result<JobResult> read = RunNamed("attach_database");
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(read->counters, R"({"value":"42"})");
    const auto answered = Steady::now();
    const pid_t holder = Holder(file);
    EXPECT_NE(holder, 0) << "attached";
    SpinUntil([&] { return Holder(file) == 0; }, std::chrono::seconds(10));
    EXPECT_GE(Steady::now() - answered, std::chrono::milliseconds(1'500));
    EXPECT_EQ(WorkerPid(), holder) << "the worker stays";
  }
}

}  // namespace
}  // namespace ducat::worker
