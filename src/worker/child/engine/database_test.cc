#include <array>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "worker/child/engine/engine_fixture.h"
#include "worker/child/engine/lockdown.h"

namespace ducat::engine {
namespace {

using ::testing::Contains;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;

// Runs statements on an engine of its own, before the one under test is locked.
void WriteDatabase(const EngineSettings& settings, const std::string& file,
                   const std::vector<std::string>& statements) {
  EngineSettings writer = settings;
  writer.db_file.clear();
  auto database = Database::Open(writer);
  ASSERT_THAT(database, IsOk());
  auto connection = database->Connect();
  ASSERT_TRUE(connection->Run("ATTACH " + QuoteText(file) + " AS w").has_value());
  for (const std::string& sql : statements) {
    auto ran = connection->Run(sql);
    ASSERT_TRUE(ran.has_value()) << ran.error().message;
  }
  ASSERT_TRUE(connection->Run("DETACH w").has_value());
}

class DatabaseTest : public EngineFixture {
 protected:
  void Configure(EngineSettings& settings) override {
    settings.db_file = data_dir() / "shop.duckdb";
    WriteDatabase(settings, settings.db_file, {"CREATE TABLE w.t AS SELECT 42 AS a"});
  }
};

TEST_F(DatabaseTest, EverySettingReadsBackAsLocked) {
  EXPECT_THAT(database().CheckLockdown(), IsEmpty());
  EXPECT_EQ(OneText("SELECT current_setting('memory_limit')"), "512.0 MiB");
  EXPECT_EQ(OneText("SELECT current_setting('lock_configuration')"), "true");
  EXPECT_EQ(OneText("SELECT current_setting('enable_external_access')"), "false");
  EXPECT_EQ(OneText("SELECT current_setting('TimeZone')"), "UTC");
}

TEST_F(DatabaseTest, NothingCanBeSetAfterwards) {
  for (const LockedSetting& setting : LockdownOf(settings_)) {
    if (setting.statement.empty()) continue;
    EXPECT_FALSE(connection().Run(setting.statement).has_value()) << setting.statement;
  }
  EXPECT_FALSE(connection().Run("RESET threads").has_value());
  EXPECT_FALSE(connection().Run("SET SESSION TimeZone = 'Europe/Berlin'").has_value());
}

TEST_F(DatabaseTest, FurtherConnectionsAreLockedToo) {
  auto other = database().Connect();
  ASSERT_THAT(other, IsOk());
  EXPECT_THAT(database().CheckLockdown(), IsEmpty());
  auto unknown = other->Run("SELECT nope");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().subtype, "COLUMN_NOT_FOUND");
}

TEST_F(DatabaseTest, FilesOutsideAreRefusedByTheEngineItself) {
  std::ofstream(root() / "outside.csv") << "a\n1\n";
  std::ofstream(data_dir() / "inside.csv") << "a\n1\n";
  const auto outside =
      connection().Run("FROM read_csv(" + QuotePath((root() / "outside.csv").string()) + ")");
  ASSERT_FALSE(outside.has_value());
  EXPECT_EQ(outside.error().type, "Permission");
  EXPECT_EQ(
      OneText("SELECT a FROM read_csv(" + QuotePath((data_dir() / "inside.csv").string()) + ")"),
      "1");
  EXPECT_FALSE(connection().Run("INSTALL httpfs").has_value());
  EXPECT_FALSE(connection().Run("LOAD httpfs").has_value());
}

TEST_F(DatabaseTest, AttachesTheDatabaseReadOnlyAfterTheLock) {
  EXPECT_FALSE(connection().database_attached());
  ASSERT_THAT(connection().AttachDatabase(), IsOk());
  ASSERT_THAT(connection().AttachDatabase(), IsOk());
  EXPECT_EQ(OneText("SELECT a FROM db.t"), "42");
  EXPECT_FALSE(connection().Run("INSERT INTO db.t VALUES (1)").has_value());
  EXPECT_THAT(database().CheckLockdown(), IsEmpty());
  connection().DetachDatabase();
  EXPECT_FALSE(connection().Run("SELECT a FROM db.t").has_value());
  ASSERT_THAT(connection().AttachDatabase(), IsOk());
  EXPECT_EQ(OneText("SELECT a FROM db.t"), "42");
}

TEST_F(DatabaseTest, OtherDatabasesCannotBeAttached) {
  EXPECT_FALSE(connection().Run("ATTACH '/tmp/other.duckdb' AS x (READ_ONLY)").has_value());
}

TEST_F(DatabaseTest, CheckLockdownSeesWhatSlippedThrough) {
  // F7: changes a setting although the configuration is locked.
  ASSERT_TRUE(connection().Run("SELECT * FROM enable_peg_parser()").has_value());
  EXPECT_THAT(database().CheckLockdown(), Contains(HasSubstr("allow_parser_override_extension")));
}

class LockedDatabaseTest : public DatabaseTest {
 protected:
  // Another process that holds the file for writing until it is told to end.
  void SetUp() override {
    DatabaseTest::SetUp();
    std::array<int, 2> ready{}, done{};
    ASSERT_EQ(pipe(ready.data()), 0);
    ASSERT_EQ(pipe(done.data()), 0);
    holder_ = fork();
    if (holder_ == 0) {
      close(done[1]);
      _exit(Hold(ready[1], done[0]));
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    release_ = done[1];
  }
  void TearDown() override {
    Release();
    DatabaseTest::TearDown();
  }
  void Release() {
    if (release_ < 0) return;
    close(release_);
    release_ = -1;
    int status = 0;
    waitpid(holder_, &status, 0);
    EXPECT_EQ(status, 0);
  }

  pid_t holder_ = 0;

 private:
  // The engine's lock on a file is an ordinary one of fcntl.
  int Hold(int ready, int done) {
    const int file = open(settings_.db_file.c_str(), O_RDWR);
    flock lock{.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0, .l_pid = 0};
    if (file < 0 || fcntl(file, F_SETLK, &lock) != 0) return 1;
    char byte = 1;
    if (write(ready, &byte, 1) != 1) return 2;
    return read(done, &byte, 1) == 0 ? 0 : 3;
  }

  int release_ = -1;
};

TEST_F(LockedDatabaseTest, AHeldDatabaseIsNamedAndComesBack) {
  const Status held = connection().AttachDatabase();
  EXPECT_THAT(held, FailsWith("database_locked"));
  EXPECT_THAT(held.error().message, HasSubstr(std::to_string(holder_)));
  EXPECT_THAT(held.error().message, ::testing::Not(HasSubstr(data_dir().string())));
  Release();
  ASSERT_THAT(connection().AttachDatabase(), IsOk());
  EXPECT_EQ(OneText("SELECT a FROM db.t"), "42");
}

class InvalidDatabaseTest : public EngineFixture {
 protected:
  void Configure(EngineSettings& settings) override {
    settings.db_file = data_dir() / "not.duckdb";
    std::ofstream(settings.db_file) << std::string(20'000, 'x');
  }
};

TEST_F(InvalidDatabaseTest, WhatIsNoDatabaseIsSaidSo) {
  EXPECT_THAT(connection().AttachDatabase(), FailsWith("database_invalid"));
  EXPECT_EQ(OneText("SELECT 1"), "1");
}

class CanvasDatabaseTest : public EngineFixture {
 protected:
  void Configure(EngineSettings& settings) override { settings.canvas_profile = true; }
};

TEST_F(CanvasDatabaseTest, DatesCompareWithText) {
  EXPECT_THAT(database().CheckLockdown(), IsEmpty());
  EXPECT_EQ(OneText("SELECT DATE '2024-01-02' LIKE '2024-%'"), "true");
  EXPECT_THAT(connection().AttachDatabase(), FailsWith("database_invalid"));
}

TEST(LockdownTest, OrderEndsWithTheLock) {
  const auto lockdown = LockdownOf({.private_dir = "/p"});
  std::vector<std::string> set;
  for (const LockedSetting& setting : lockdown) {
    if (!setting.statement.empty()) set.push_back(setting.name);
  }
  ASSERT_GE(set.size(), 4U);
  EXPECT_EQ(set.front(), "autoinstall_known_extensions");
  EXPECT_THAT(std::vector(set.end() - 4, set.end()),
              ::testing::ElementsAre("allowed_directories", "allowed_paths",
                                     "enable_external_access", "lock_configuration"));
}

TEST(LockdownTest, SizesAsTheEnginePrintsThem) {
  EXPECT_EQ(HumanBytes(0), "0 bytes");
  EXPECT_EQ(HumanBytes(1), "1 byte");
  EXPECT_EQ(HumanBytes(1023), "1023 bytes");
  EXPECT_EQ(HumanBytes(1024), "1.0 KiB");
  EXPECT_EQ(HumanBytes(uint64_t{2} << 30), "2.0 GiB");
  EXPECT_EQ(HumanBytes((uint64_t{2} << 30) - 1), "1.9 GiB");
  EXPECT_EQ(HumanBytes(uint64_t{1536} << 20), "1.5 GiB");
}

}  // namespace
}  // namespace ducat::engine
