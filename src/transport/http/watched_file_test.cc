#include "transport/http/watched_file.h"

#include <sys/stat.h>

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

TEST_F(WatchedFiles, OneThatIsAwayCountsAsUnchanged) {
  WatchedFile file("Key file", "broken_keys", path_of("away"));
  EXPECT_EQ(file.Read(false).value(), std::nullopt);
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
