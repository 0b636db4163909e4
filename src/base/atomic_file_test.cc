#include "base/atomic_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat {
namespace {

using testing::FailsWith;
using testing::IsOk;
namespace fs = std::filesystem;

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "atomic_file.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(AtomicFile, MakesFoldersAndReadsBack) {
  const std::string path = folder_ / "a" / "b" / "state.json";
  ASSERT_THAT(WriteFileAtomically(path, "one"), IsOk());
  ASSERT_THAT(WriteFileAtomically(path, "two"), IsOk());
  const auto read = ReadSmallFile(path, 3);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(**read, "two");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "a" / "b"), {}), 1);
}

TEST_F(AtomicFile, TellsMissingFromTooLarge) {
  const auto missing = ReadSmallFile(folder_ / "none", 10);
  ASSERT_THAT(missing, IsOk());
  EXPECT_FALSE(missing->has_value());
  ASSERT_THAT(WriteFileAtomically(folder_ / "big", "1234"), IsOk());
  EXPECT_THAT(ReadSmallFile(folder_ / "big", 3), FailsWith("file_too_large"));
  EXPECT_THAT(ReadSmallFile(folder_, 3), FailsWith("file_unreadable"));
}

TEST_F(AtomicFile, KeepsModeAndWritesThroughLinks) {
  std::ofstream(folder_ / "real") << "old";
  fs::permissions(folder_ / "real", fs::perms::owner_all | fs::perms::group_read);
  fs::create_symlink("real", folder_ / "link");
  ASSERT_THAT(WriteFileAtomically(folder_ / "link", "new"), IsOk());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(**ReadSmallFile(folder_ / "real", 10), "new");
  EXPECT_EQ(fs::status(folder_ / "real").permissions(),
            fs::perms::owner_all | fs::perms::group_read);
}

TEST_F(AtomicFile, LeavesNothingBehindWhenItFails) {
  fs::create_directory(folder_ / "taken");
  std::ofstream(folder_ / "taken" / "child") << "x";
  EXPECT_THAT(WriteFileAtomically(folder_ / "taken", "x"), FailsWith("file_not_written"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace ducat
