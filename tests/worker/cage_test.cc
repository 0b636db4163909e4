// The cage, tried from inside: every attempt is refused, and the very next call works. These tests
// do not rely on file permissions: as root nothing but the cage stands in the way.

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "support/result_matchers.h"
#include "worker/pool_fixture.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

class CageTest : public PoolFixture {
 protected:
  // errno of the attempt, 0 when it succeeded.
  int64_t Attempt(const std::string& what, const std::string& path = "") {
    const json::View counters =
        Counters("try", R"({"what":")" + what + R"(","path":")" + path + R"("})");
    return counters.Find("errno").value_or(json::View()).AsInteger().value_or(0);
  }
  void ExpectRefused(const std::string& what, const std::string& path = "") {
    const int64_t error = Attempt(what, path);
    // EXDEV: how Landlock answers a move between directories.
    EXPECT_TRUE(error == EACCES || error == EPERM || error == EXDEV)
        << what << " " << path << " gave errno " << error;
  }
  [[nodiscard]] static std::string ReadFile(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
};

TEST_F(CageTest, ReadsTheDataDirectoryAndNothingElse) {
  EXPECT_EQ(Attempt("read", root_ + "/data/orders.csv"), 0);
  EXPECT_EQ(Attempt("list", root_ + "/data"), 0);
  for (const char* path : {"/etc/hostname", "/etc/passwd", "/proc/version", "/proc/1/cmdline"}) {
    ExpectRefused("read", path);
  }
  for (const std::string& path : {std::string("/"), root_, root_ + "/other", std::string("/tmp")}) {
    ExpectRefused("list", path);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr) ExpectRefused("list", home);
  ExpectRefused("read", root_ + "/other/secret.csv");
  ExpectRefused("read", root_ + "/data/link.csv");
  ExpectRefused("read", root_ + "/data/../other/secret.csv");
}

TEST_F(CageTest, ADatabaseFileMayBeWhatTheSelfCheckTries) {
  binding_->hello_.db_file = "/etc/hostname";
  EXPECT_EQ(Attempt("read", root_ + "/data/orders.csv"), 0);
  ExpectRefused("read", "/etc/passwd");
}

TEST_F(CageTest, OtherWorkersDirectoriesDoNotExist) {
  const auto other = MakeBinding("another");
  ASSERT_THAT(RunNamed("echo"), IsOk());
  const std::string first = PrivateDirs().front();
  std::swap(binding_->hello_, other->hello_);
  binding_ = other;
  EXPECT_EQ(PrivateDirs().size(), 1u);
  ExpectRefused("list", first);
  ExpectRefused("create", first + "/x");
}

TEST_F(CageTest, ChangesNothingInTheDataDirectory) {
  const std::string file = root_ + "/data/orders.csv";
  const std::string before = ReadFile(file);
  for (const char* what : {"write", "truncate", "open_truncating", "rename", "unlink", "chmod"}) {
    ExpectRefused(what, file);
  }
  for (const char* what : {"create", "mkdir", "symlink"})
    ExpectRefused(what, root_ + "/data/new");
  ExpectRefused("link", file);
  ExpectRefused("write", root_ + "/data/link.csv");
  EXPECT_EQ(ReadFile(file), before);
  EXPECT_FALSE(std::filesystem::exists(root_ + "/data/new"));
  ExpectNextCallWorks();
}

TEST_F(CageTest, WritesInItsPrivateDirectoryButMakesNoLinksOrSockets) {
  ASSERT_THAT(RunNamed("echo"), IsOk());
  const std::string directory = PrivateDirs().front();
  struct stat status{};
  ASSERT_EQ(stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0700u);
  EXPECT_EQ(Attempt("create", directory + "/spill"), 0);
  EXPECT_EQ(Attempt("mkdir", directory + "/folder"), 0);
  EXPECT_EQ(Attempt("rename", directory + "/spill"), 0);
  EXPECT_EQ(Attempt("unlink", directory + "/spill.renamed"), 0);
  ExpectRefused("symlink", directory + "/link");
  ExpectRefused("link", root_ + "/data/orders.csv");
}

TEST_F(CageTest, NetworkProcessesAndKernelAreOutOfReach) {
  const Result<JobResult> names = RunNamed("list_attempts");
  ASSERT_THAT(names, IsOk());
  json::Document document;
  const Result<json::View> view = document.Parse(names->counters);
  ASSERT_THAT(view, IsOk());
  size_t count = 0;
  const std::string parent = std::to_string(getpid());
  view->Find("names")->ForEachElement([&](json::View name) {
    const std::string what(name.AsString().value_or(""));
    const int64_t error = Attempt(what, parent);
    if (what == "clone3") {
      EXPECT_EQ(error, ENOSYS) << "libc must fall back to clone";
    } else {
      EXPECT_TRUE(error == EPERM || error == EACCES) << what << " gave errno " << error;
    }
    ++count;
    return true;
  });
  EXPECT_GT(count, 25u);
  ExpectRefused("exec", "/bin/true");
  ExpectNextCallWorks();
}

TEST_F(CageTest, SurroundingsAreBare) {
  const json::View seen = Counters("surroundings");
  EXPECT_EQ(seen.Find("stdin_null")->AsBoolean(), true);
  EXPECT_EQ(seen.Find("stdout_null")->AsBoolean(), true);
  EXPECT_EQ(seen.Find("other_fds")->AsInteger(), 0);
  EXPECT_EQ(seen.Find("variables")->AsInteger(), 1);
  EXPECT_EQ(seen.Find("directory")->AsString(), root_ + "/data");
}

TEST_F(CageTest, TheKernelConfirmsTheLayers) {
  const std::string proc =
      "/proc/" + std::to_string(*Counters("surroundings").Find("pid")->AsInteger());
  const std::string status = ReadFile(proc + "/status");
  EXPECT_NE(status.find("NoNewPrivs:\t1\n"), status.npos) << status;
  EXPECT_NE(status.find("Seccomp:\t2\n"), status.npos) << status;
  const std::string limits = ReadFile(proc + "/limits");
  const auto limit = [&](const std::string& name) {
    const size_t at = limits.find(name);
    std::istringstream words(at == limits.npos ? "" : limits.substr(at + name.size()));
    std::string soft, hard;
    words >> soft >> hard;
    return soft + " " + hard;
  };
  EXPECT_EQ(limit("Max open files"), "4096 4096");
  EXPECT_EQ(limit("Max core file size"), "0 0");
  EXPECT_EQ(limit("Max stack size"), "8388608 8388608");
  EXPECT_EQ(limit("Max file size"), "4294967296 4294967296");
  EXPECT_EQ(getpgid(static_cast<pid_t>(std::stoi(proc.substr(6)))), std::stoi(proc.substr(6)))
      << "a signal to the terminal's group does not reach it";
}

TEST_F(CageTest, OpensAtMostItsShareOfFiles) {
  const json::View counters = Counters("open_many");
  const auto opened = counters.Find("opened");
  ASSERT_TRUE(opened.has_value());
  EXPECT_LT(*opened->AsInteger(), 4096);
  EXPECT_GT(*opened->AsInteger(), 4000);
  ExpectNextCallWorks();
}

TEST_F(CageTest, PrintingReachesOnlyTheLog) {
  ::testing::internal::CaptureStdout();
  EXPECT_THAT(RunNamed("print", R"({"lines":200})"), IsOk());
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  // A flood of stderr loses the pipe, not the worker.
  EXPECT_THAT(RunNamed("print", R"({"lines":40000})"), IsOk());
  ExpectNextCallWorks();
}

TEST_F(CageTest, TheEngineFindsWhatItOpensLate) {
  const auto value = [this](const std::string& sql) {
    const Result<JobResult> result = RunNamed("engine", R"({"sql":")" + sql + R"("})");
    return result ? result->counters : result.error().message;
  };
  EXPECT_EQ(value("SELECT count(*) FROM read_csv('" + root_ + "/data/orders.csv')"),
            R"({"value":"2"})");
  EXPECT_EQ(
      value("SELECT (TIMESTAMPTZ '2024-07-01 12:00:00+00' AT TIME ZONE 'Europe/Berlin')::VARCHAR"),
      R"({"value":"2024-07-01 14:00:00"})");
  EXPECT_EQ(value("SELECT strftime(DATE '2024-02-29', '%A %d %B')"),
            R"({"value":"Thursday 29 February"})");
  EXPECT_EQ(value("SELECT 'straße' < 'strasse' COLLATE de"), R"({"value":"false"})");
  EXPECT_EQ(
      value("SELECT count(*) FROM (SELECT DISTINCT i % 1000003 AS k FROM range(3000000) t(i))"),
      R"({"value":"1000003"})");
}

TEST_F(CageTest, TheEnginesOwnFileFunctionsMeetTheCage) {
  // The guard is not in the way here: the worker's jobs run what they are told.
  const auto run = [this](const std::string& sql) {
    return RunNamed("engine", "{\"sql\":\"" + sql + "\"}");
  };
  for (const char* sql :
       {"SELECT * FROM read_text('/etc/hostname')", "COPY (SELECT 1) TO '/tmp/ducat-escape.csv'",
        "ATTACH '/tmp/ducat-escape.db' AS x", "SET threads = 64"}) {
    EXPECT_THAT(run(sql), FailsWith("engine_error")) << sql;
  }
  // The engine accepts this one and cannot open the file later.
  (void)run("SELECT * FROM enable_logging(storage = 'file', storage_path = '/tmp/ducat-log')");
  (void)run("SELECT 1");
  for (const char* path : {"/tmp/ducat-escape.csv", "/tmp/ducat-log", "/tmp/ducat-escape.db"}) {
    EXPECT_FALSE(std::filesystem::exists(path)) << path;
  }
  ExpectNextCallWorks();
}

}  // namespace
}  // namespace ducat::worker
