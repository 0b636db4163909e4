// Attaching --db: read-only, after the lock, with a writer in the way (analyst.md 2.3).
#include <array>
#include <cstring>
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

struct InvalidFile {
  const char* name;
  std::string (*content)(std::string good);
  const char* says;
};

// The engine's own check of a header: words of eight bytes, mixed and added up.
uint64_t Checksum(const std::string& bytes, size_t begin, size_t end) {
  uint64_t sum = 5381;
  for (size_t at = begin; at < end; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum ^= word * 0xbf58476d1ce4e5b9U;
  }
  return sum;
}

// A sound file of a version that does not exist yet.
std::string OfVersion(std::string file, uint64_t version) {
  constexpr size_t kHeader = 4'096, kVersionAt = 12;
  std::memcpy(file.data() + kVersionAt, &version, sizeof version);
  const uint64_t sum = Checksum(file, sizeof(uint64_t), kHeader);
  std::memcpy(file.data(), &sum, sizeof sum);
  return file;
}

class InvalidAttachTest : public EngineFixture, public ::testing::WithParamInterface<InvalidFile> {
 protected:
  void Configure(EngineSettings& settings) override {
    settings.db_file = data_dir() / "some.duckdb";
    WriteDatabase(settings, settings.db_file, {"CREATE TABLE w.t AS SELECT 42 AS a"});
    std::ifstream good(settings.db_file, std::ios::binary);
    const std::string content = GetParam().content(
        {std::istreambuf_iterator<char>(good), std::istreambuf_iterator<char>()});
    std::ofstream(settings.db_file, std::ios::binary) << content;
  }
};

TEST_P(InvalidAttachTest, SaysWhatIsWrongWithTheFile) {
  const Status attached = connection().AttachDatabase();
  ASSERT_THAT(attached, FailsWith("database_invalid"));
  EXPECT_THAT(attached.error().message, HasSubstr(GetParam().says));
  EXPECT_THAT(attached.error().message, ::testing::Not(HasSubstr(data_dir().string())));
  EXPECT_THAT(attached.error().hint, HasSubstr("--db FILE"));
  EXPECT_EQ(OneText("SELECT 1"), "1");
}

INSTANTIATE_TEST_SUITE_P(
    Cases, InvalidAttachTest,
    ::testing::Values(
        InvalidFile{"Text", [](std::string) { return std::string(20'000, 'x'); },
                    "no DuckDB database"},
        InvalidFile{"Empty", [](std::string) { return std::string(); }, "no DuckDB database"},
        InvalidFile{"Newer", [](std::string good) { return OfVersion(std::move(good), 9'999); },
                    "another version"},
        InvalidFile{"Truncated", [](std::string good) { return good.substr(0, 5'000); }, "damaged"},
        InvalidFile{"Damaged",
                    [](std::string good) {
                      good[4'100] = '\x55';
                      return good;
                    },
                    "damaged"}),
    [](const auto& test) { return std::string(test.param.name); });

// The forged header above is one that the engine takes for its own.
class ForgedHeaderTest : public InvalidAttachTest {};

TEST_P(ForgedHeaderTest, IsAcceptedWithItsOwnVersion) {
  ASSERT_THAT(connection().AttachDatabase(), IsOk());
  EXPECT_EQ(OneText("SELECT a FROM db.t"), "42");
}

INSTANTIATE_TEST_SUITE_P(Same, ForgedHeaderTest,
                         ::testing::Values(InvalidFile{"Same",
                                                       [](std::string good) {
                                                         uint64_t version = 0;
                                                         std::memcpy(&version, good.data() + 12,
                                                                     sizeof version);
                                                         return OfVersion(std::move(good), version);
                                                       },
                                                       ""}));

}  // namespace
}  // namespace ducat::engine
