#include "worker/child/ingest/open_file.h"

#include <string>
#include <sys/stat.h>

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::ingest {
namespace {

using testing::FailsWith;
using testing::IsOk;

TEST(OpenFile, TakesRegularFilesOnly) {
  const testing::ScratchFolder folder;
  folder.Write("file", "text");
  folder.Write("folder/file", "");
  folder.Link("link", folder.path() / "file");
  folder.Link("loop", "loop");
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  const auto open = [&](const char* name) { return OpenToRead((folder.path() / name).string()); };
  EXPECT_THAT(open("file"), IsOk());
  EXPECT_THAT(open("link"), IsOk());
  EXPECT_THAT(open("pipe"), FailsWith("not_tabular")) << "without waiting for a writer";
  EXPECT_THAT(open("folder"), FailsWith("not_tabular"));
  EXPECT_THAT(OpenToRead("/dev/zero"), FailsWith("not_tabular"));
  EXPECT_THAT(open("loop"), FailsWith("outside_link"));
  EXPECT_THAT(open("none"), FailsWith("not_found"));
}

TEST(OpenFile, LooksBeforeTheEngineDoes) {
  const testing::ScratchFolder folder;
  folder.Write("file", "text");
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(CheckRegular((folder.path() / "file").string(), "file"), IsOk());
  EXPECT_THAT(CheckRegular((folder.path() / "none").string(), "none"), IsOk());
  const Status refused = CheckRegular((folder.path() / "pipe").string(), "\"pipe\"");
  EXPECT_THAT(refused, FailsWith("not_tabular"));
  EXPECT_EQ(refused.error().message, "\"pipe\" is no regular file (any more)");
}

}  // namespace
}  // namespace ducat::ingest
