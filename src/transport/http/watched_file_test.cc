#include "transport/http/watched_file.h"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "support/scratch_folder.h"

namespace ducat::transport {
namespace {

using ::testing::HasSubstr;

class WatchedFiles : public ::testing::Test {
 protected:
  std::string path_of(const std::string& name) { return folder_.string() + "/" + name; }

  testing::ScratchFolder folder_;
};

TEST_F(WatchedFiles, IsReadAgainWhenItHasChanged) {
  folder_.Write("keys", "one");
  WatchedFile file("Key file", "broken_keys", path_of("keys"));
  EXPECT_EQ(file.Read(true).value(), "one");
  EXPECT_EQ(file.Read(false).value(), std::nullopt);
  folder_.Write("keys", "three");
  EXPECT_EQ(file.Read(false).value(), "three");
  EXPECT_EQ(file.Read(false).value(), std::nullopt);
  EXPECT_EQ(file.Read(true).value(), "three");
}

TEST_F(WatchedFiles, OneThatIsGoneIsToldOnceAndReadWhenItIsBack) {
  folder_.Write("keys", "one");
  WatchedFile file("Key file", "broken_keys", path_of("keys"));
  EXPECT_EQ(file.Read(true).value(), "one");
  std::filesystem::remove(path_of("keys"));
  EXPECT_EQ(file.Read(false).value(), std::nullopt) << "it may just be being replaced";
  EXPECT_THAT(file.Read(false).error().message, HasSubstr("No such file"));
  EXPECT_EQ(file.Read(false).value(), std::nullopt);
  folder_.Write("keys", "one");
  EXPECT_EQ(file.Read(false).value(), "one");
}

TEST_F(WatchedFiles, AModeThatIsPutRightIsAChange) {
  folder_.Write("keys", "one");
  WatchedFile file("Key file", "broken_keys", path_of("keys"));
  ::chmod(path_of("keys").c_str(), 0660);
  EXPECT_FALSE(file.Read(false).has_value());
  EXPECT_EQ(file.Read(false).value(), std::nullopt) << "told once";
  ::usleep(20'000);  // the kernel's clock of files is coarse
  ::chmod(path_of("keys").c_str(), 0600);
  EXPECT_EQ(file.Read(false).value(), "one");
}

TEST_F(WatchedFiles, OneThatIsAwayIsAnErrorWhenItIsWanted) {
  WatchedFile file("Key file", "broken_keys", path_of("away"));
  const auto wanted = file.Read(true);
  EXPECT_EQ(wanted.error().reason, "broken_keys");
  EXPECT_THAT(wanted.error().message, HasSubstr("Key file"));
  EXPECT_THAT(wanted.error().message, HasSubstr("No such file"));
}

TEST_F(WatchedFiles, OthersMayNotWriteIt) {
  folder_.Write("keys", "one");
  ::chmod(path_of("keys").c_str(), 0620);
  WatchedFile file("Key file", "broken_keys", path_of("keys"));
  EXPECT_THAT(file.Read(true).error().message, HasSubstr("chmod 600"));
}

TEST_F(WatchedFiles, HasALimitOfSize) {
  folder_.Write("keys", std::string(size_t{1} << 20U, 'a'));
  WatchedFile file("Key file", "broken_keys", path_of("keys"));
  EXPECT_TRUE(file.Read(true).has_value());
  folder_.Write("keys", std::string((size_t{1} << 20U) + 1, 'a'));
  EXPECT_THAT(file.Read(true).error().message, HasSubstr("over 1 MiB"));
  EXPECT_THAT(WatchedFile("Key file", "broken_keys", folder_.string()).Read(true).error().message,
              HasSubstr("no regular file"));
}

}  // namespace
}  // namespace ducat::transport
