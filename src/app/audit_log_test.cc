#include "app/audit_log.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/digest.h"

namespace ducat::app {
namespace {

std::string Text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> Lines(const std::string& path) {
  std::istringstream text(Text(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  return lines;
}

// What a full disk does to a file: bytes beyond the limit are not taken.
class NoRoomBeyond {
 public:
  explicit NoRoomBeyond(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~NoRoomBeyond() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  NoRoomBeyond(const NoRoomBeyond&) = delete;
  NoRoomBeyond& operator=(const NoRoomBeyond&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

class AuditLogTest : public testing::Test {
 protected:
  AuditLogTest()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("audit_" + std::to_string(::getpid()))),
        path_((folder_ / "audit.jsonl").string()) {
    std::filesystem::create_directories(folder_);
  }
  ~AuditLogTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<AuditLog> Open(bool required = false, const std::string& key = {}) {
    auto log = AuditLog::Open(clock_, {.path = path_,
                                       .key = key,
                                       .required = required,
                                       .on_failure = [this](const Error&) { ++failures_; }});
    EXPECT_TRUE(log.has_value()) << log.error().message;
    return *std::move(log);
  }
  static mcp::CallRecord Record(std::string_view request_id) {
    return {.request_id = request_id,
            .transport = "http",
            .remote = "192.0.2.7",
            .session = "session-secret",
            .principal = "alice",
            .tenant = "t1",
            .target = "query",
            .arguments = R"({"sql":"SELECT 'private'"})",
            .took = std::chrono::microseconds(12'999),
            .outcome = "error",
            .code = -32007,
            .reason = "unknown_table",
            .bytes = 321,
            .rows = 5};
  }

  ManualClock clock_;
  std::filesystem::path folder_;
  std::string path_;
  int failures_ = 0;
};

TEST_F(AuditLogTest, WritesALineForEachCall) {
  const auto log = Open();
  log->Ended(Record("7K3QD-M2XW9"));
  log->Ended(Record("AAAAA-BBBBB"));
  const auto lines = Lines(path_);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0],
            R"({"kind":"call","ts":"1970-01-01T00:00:00Z","rid":"7K3QD-M2XW9","principal":"alice",)"
            R"("tenant":"t1","transport":"http","remote":"192.0.2.7","session":")" +
                Hex(Sha256("session-secret")).substr(0, 16) +
                R"(","method":"tools/call","tool":"query","args_sha256":")" +
                Hex(Sha256(R"({"sql":"SELECT 'private'"})")) +
                R"(","args_bytes":26,"ms":12,"outcome":"error","code":-32007,)"
                R"("reason":"unknown_table","rows":5,"bytes":321})");
}

TEST_F(AuditLogTest, TellsNoArgumentAndNoSession) {
  Open()->Ended(Record("7K3QD-M2XW9"));
  EXPECT_EQ(Text(path_).find("private"), std::string::npos);
  EXPECT_EQ(Text(path_).find("session-secret"), std::string::npos);
}

TEST_F(AuditLogTest, DigestsUnderAKey) {
  Open(false, "a key of the operator")->Ended(Record("7K3QD-M2XW9"));
  const Digest keyed = HmacSha256("a key of the operator", R"({"sql":"SELECT 'private'"})");
  EXPECT_NE(Text(path_).find(Hex(keyed)), std::string::npos);
  EXPECT_EQ(Text(path_).find(Hex(Sha256(R"({"sql":"SELECT 'private'"})"))), std::string::npos);
}

TEST_F(AuditLogTest, MakesAPrivateFileAndAppends) {
  Open()->Ended(Record("AAAAA-AAAAA"));
  struct stat status{};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  Open()->Ended(Record("BBBBB-BBBBB"));
  EXPECT_EQ(Lines(path_).size(), 2U);
}

TEST_F(AuditLogTest, RefusesWhatIsNoFile) {
  for (const std::string& path : {folder_.string(), std::string("/dev/null"),
                                  (folder_ / "missing" / "audit.jsonl").string()}) {
    const auto log = AuditLog::Open(clock_, {.path = path, .key = {}, .on_failure = {}});
    ASSERT_FALSE(log.has_value()) << path;
    EXPECT_EQ(log.error().reason, "invalid_setting");
    EXPECT_NE(log.error().message.find(path), std::string::npos);
  }
}

TEST_F(AuditLogTest, LosesLinesButNeverHalfALineOnAFullDisk) {
  const auto log = Open();
  log->Ended(Record("AAAAA-AAAAA"));
  const auto size = std::filesystem::file_size(path_);
  {
    const NoRoomBeyond full(size + 40);
    for (int call = 0; call < 3; ++call) {
      EXPECT_TRUE(log->MayBegin().has_value());
      log->Ended(Record("BBBBB-BBBBB"));
    }
    EXPECT_EQ(std::filesystem::file_size(path_), size + 40);
  }
  EXPECT_GE(failures_, 3);
  log->Ended(Record("CCCCC-CCCCC"));
  const auto lines = Lines(path_);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_NE(lines[1].find("BBBBB"), std::string::npos);
  EXPECT_EQ(lines[1].back(), '}');
  EXPECT_EQ(lines[2], R"({"kind":"lost","ts":"1970-01-01T00:00:00Z","lines":2})");
  EXPECT_NE(lines[3].find("CCCCC"), std::string::npos);
}

TEST_F(AuditLogTest, ForgetsARestWhoseStartIsGone) {
  const auto log = Open();
  log->Ended(Record("AAAAA-AAAAA"));
  {
    const NoRoomBeyond full(std::filesystem::file_size(path_) + 40);
    log->Ended(Record("BBBBB-BBBBB"));
  }
  std::filesystem::resize_file(path_, 0);  // as logrotate's copytruncate does
  log->Ended(Record("CCCCC-CCCCC"));
  const auto lines = Lines(path_);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], R"({"kind":"lost","ts":"1970-01-01T00:00:00Z","lines":1})");
  EXPECT_NE(lines[1].find("CCCCC"), std::string::npos);
}

TEST_F(AuditLogTest, EndsALineThatAnotherLeftUnfinished) {
  std::ofstream(path_) << "{\"partial";
  std::filesystem::permissions(path_, std::filesystem::perms(0600));
  Open()->Ended(Record("AAAAA-AAAAA"));
  const auto lines = Lines(path_);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "{\"partial");
  EXPECT_TRUE(lines[1].starts_with("{\"kind\":\"call\""));
}

TEST_F(AuditLogTest, OthersMayNotWriteIt) {
  std::ofstream(path_) << "";
  std::filesystem::permissions(path_, std::filesystem::perms(0666));
  const auto refused = AuditLog::Open(clock_, {.path = path_, .key = {}, .on_failure = {}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("chmod 600"), std::string::npos);
}

TEST_F(AuditLogTest, RefusesCallsWhileARequiredLogCannotBeWritten) {
  const auto log = Open(true);
  EXPECT_TRUE(log->MayBegin().has_value());
  {
    const NoRoomBeyond full(0);
    log->Ended(Record("AAAAA-AAAAA"));
    const Status refused = log->MayBegin();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().reason, "audit_unavailable");
  }
  EXPECT_TRUE(log->MayBegin().has_value());
  EXPECT_EQ(Lines(path_).size(), 1U);  // what was lost is told
}

TEST_F(AuditLogTest, FollowsARotation) {
  const auto log = Open();
  log->Ended(Record("AAAAA-AAAAA"));
  std::filesystem::rename(path_, path_ + ".1");
  log->Ended(Record("BBBBB-BBBBB"));
  ASSERT_TRUE(log->Reopen().has_value());
  log->Ended(Record("CCCCC-CCCCC"));
  EXPECT_EQ(Lines(path_ + ".1").size(), 2U);
  EXPECT_EQ(Lines(path_).size(), 1U);
}

TEST_F(AuditLogTest, KeepsTheOldFileWhenTheNewOneCannotBeOpened) {
  const auto log = Open();
  std::filesystem::rename(path_, path_ + ".1");
  std::filesystem::create_directory(path_);
  EXPECT_FALSE(log->Reopen().has_value());
  log->Ended(Record("AAAAA-AAAAA"));
  EXPECT_EQ(Lines(path_ + ".1").size(), 1U);
}

}  // namespace
}  // namespace ducat::app
