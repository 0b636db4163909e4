#include "worker/private_dir.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::worker {
namespace {

namespace fs = std::filesystem;
using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

class PrivateDirTest : public ::testing::Test {
 protected:
  PrivateDirTest() {
    root_ = (fs::temp_directory_path() / "ducat-private-dir-XXXXXX").string();
    CHECK(mkdtemp(root_.data()) != nullptr);
  }
  ~PrivateDirTest() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  [[nodiscard]] size_t Count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(root_), {}));
  }

  std::string root_;
};

TEST_F(PrivateDirTest, IsTheOwnersAloneAndGoesWithItsContents) {
  std::string first;
  {
    Result<PrivateDir> a = PrivateDir::Create(root_);
    Result<PrivateDir> b = PrivateDir::Create(root_);
    ASSERT_THAT(a, IsOk());
    ASSERT_THAT(b, IsOk());
    EXPECT_NE(a->path(), b->path());
    struct stat status{};
    ASSERT_EQ(stat(a->path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0700u);
    fs::create_directories(a->path() + "/spill/deep");
    std::ofstream(a->path() + "/spill/deep/file") << "x";
    std::ofstream(root_ + "/outside") << "x";
    fs::create_symlink(root_ + "/outside", a->path() + "/link");
    const PrivateDir moved = std::move(*a);
    EXPECT_EQ(Count(), 3u);
  }
  EXPECT_EQ(Count(), 1u) << "what a link names stays";
}

TEST_F(PrivateDirTest, LeftoversAreKnownByTheirMissingLock) {
  fs::create_directories(root_ + "/worker-dead/sub");
  fs::create_directories(root_ + "/new-young");
  fs::create_directories(root_ + "/new-old");
  fs::last_write_time(root_ + "/new-old",
                      fs::file_time_type::clock::now() - std::chrono::minutes(2));
  fs::create_directories(root_ + "/something-else");
  fs::create_directory_symlink(root_ + "/something-else", root_ + "/worker-link");
  const Result<PrivateDir> living = PrivateDir::Create(root_);
  ASSERT_THAT(living, IsOk());
  EXPECT_EQ(RemoveLeftovers(root_), 2u);
  EXPECT_FALSE(fs::exists(root_ + "/worker-dead"));
  EXPECT_FALSE(fs::exists(root_ + "/new-old"));
  EXPECT_TRUE(fs::exists(root_ + "/new-young"));
  EXPECT_TRUE(fs::exists(root_ + "/something-else"));
  EXPECT_TRUE(fs::exists(living->path()));
}

TEST_F(PrivateDirTest, AMissingRootIsReported) {
  EXPECT_THAT(PrivateDir::Create(root_ + "/none"), FailsWith("worker_unavailable"));
  EXPECT_EQ(RemoveLeftovers(root_ + "/none"), 0u);
}

}  // namespace
}  // namespace ducat::worker
