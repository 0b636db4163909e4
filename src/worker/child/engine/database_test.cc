#include <fstream>

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

class DatabaseTest : public EngineFixture {};

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

TEST_F(DatabaseTest, OtherDatabasesCannotBeAttached) {
  EXPECT_FALSE(connection().Run("ATTACH '/tmp/other.duckdb' AS x (READ_ONLY)").has_value());
}

TEST_F(DatabaseTest, CheckLockdownSeesWhatSlippedThrough) {
  // F7: changes a setting although the configuration is locked.
  ASSERT_TRUE(connection().Run("SELECT * FROM enable_peg_parser()").has_value());
  EXPECT_THAT(database().CheckLockdown(), Contains(HasSubstr("allow_parser_override_extension")));
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

}  // namespace
}  // namespace ducat::engine
