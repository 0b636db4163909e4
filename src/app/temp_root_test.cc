#include "app/temp_root.h"

#include <chrono>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::app {
namespace {

namespace fs = std::filesystem;
using testing::FailsWith;

TEST(TempRoot, IsPrivateAndGoesWithItsOwner) {
  const testing::ScratchFolder parent;
  std::string path;
  {
    const TempRoot root = TempRoot::Create(parent.string()).value();
    path = root.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    EXPECT_TRUE(fs::is_directory(root.workers_dir()));
    EXPECT_TRUE(fs::is_directory(root.tables_dir()));
    parent.Write(fs::relative(root.tables_dir(), parent.path()).string() + "/t.parquet", "x");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempRoot, RemovesLeftoversOfTheDeadAlone) {
  const testing::ScratchFolder parent;
  parent.Write("ducat-dead01/lock", "");
  parent.Write("ducat-dead01/tables/t.parquet", "x");
  parent.Write("ducat-nolock/file", "x");
  parent.Write(".ducat-begun1/lock", "");
  parent.Write(".ducat-fresh1/file", "x");
  fs::last_write_time(parent.path() / ".ducat-begun1",
                      fs::file_time_type::clock::now() - std::chrono::minutes(2));
  parent.Write("other/lock", "");
  const TempRoot living = TempRoot::Create(parent.string()).value();
  const TempRoot own = TempRoot::Create(parent.string()).value();
  own.RemoveLeftovers();
  EXPECT_FALSE(fs::exists(parent.path() / "ducat-dead01"));
  EXPECT_FALSE(fs::exists(parent.path() / ".ducat-begun1")) << "nobody finished it";
  EXPECT_TRUE(fs::exists(parent.path() / ".ducat-fresh1")) << "somebody may be making it now";
  EXPECT_TRUE(fs::exists(parent.path() / "ducat-nolock"));
  EXPECT_TRUE(fs::exists(parent.path() / "other"));
  EXPECT_TRUE(fs::exists(living.path()));
  EXPECT_TRUE(fs::exists(own.path()));
}

TEST(TempRoot, SaysWhereItCannotBe) {
  EXPECT_THAT(TempRoot::Create("/nonexistent"), FailsWith("temp_dir_unavailable"));
}

}  // namespace
}  // namespace ducat::app
