// Attaching --db: read-only, after the lock, with a writer in the way (analyst.md 2.3).
#include <array>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "worker/child/engine/engine_fixture.h"

namespace ducat::engine {
namespace {

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

class AttachTest : public EngineFixture {
 protected:
  void Configure(EngineSettings& settings) override {
    settings.db_file = data_dir() / "shop.duckdb";
    WriteDatabase(settings, settings.db_file, {"CREATE TABLE w.t AS SELECT 42 AS a"});
  }
};

TEST_F(AttachTest, AttachesTheDatabaseReadOnlyAfterTheLock) {
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

class LockedAttachTest : public AttachTest {
 protected:
  // Another process that holds the file for writing until it is told to end.
  void SetUp() override {
    AttachTest::SetUp();
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
    AttachTest::TearDown();
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

TEST_F(LockedAttachTest, AHeldDatabaseIsNamedAndComesBack) {
  const Status held = connection().AttachDatabase();
  EXPECT_THAT(held, FailsWith("database_locked"));
  EXPECT_THAT(held.error().message, HasSubstr(std::to_string(holder_)));
  EXPECT_THAT(held.error().message, ::testing::Not(HasSubstr(data_dir().string())));
  Release();
  ASSERT_THAT(connection().AttachDatabase(), IsOk());
  EXPECT_EQ(OneText("SELECT a FROM db.t"), "42");
}

class InvalidAttachTest : public EngineFixture {
 protected:
  void Configure(EngineSettings& settings) override {
    settings.db_file = data_dir() / "not.duckdb";
    std::ofstream(settings.db_file) << std::string(20'000, 'x');
  }
};

TEST_F(InvalidAttachTest, WhatIsNoDatabaseIsSaidSo) {
  EXPECT_THAT(connection().AttachDatabase(), FailsWith("database_invalid"));
  EXPECT_EQ(OneText("SELECT 1"), "1");
}

}  // namespace
}  // namespace ducat::engine
