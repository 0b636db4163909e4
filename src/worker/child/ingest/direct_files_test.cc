#include "worker/child/ingest/direct_files.h"

#include <filesystem>
#include <string>
#include <sys/stat.h>

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"
#include "worker/child/ingest/packed_text.h"

namespace ducat::ingest {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

class DirectFilesTest : public ::testing::Test {
 protected:
  Status Check(const std::string& file, DirectReader reader = DirectReader::kJson) {
    return files_.Check(folder_.string(), file, reader, [this] { return interrupted_; });
  }
  static std::string Nested(size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  }

  testing::ScratchFolder folder_;
  DirectFiles files_;
  bool interrupted_ = false;
};

TEST_F(DirectFilesTest, PipesAreNotOpened) {
  ASSERT_EQ(mkfifo((folder_.path() / "x.csv").c_str(), 0600), 0);
  const Status refused = Check("x.csv", DirectReader::kOther);
  EXPECT_THAT(refused, FailsWith("table_unreadable"));
  EXPECT_THAT(refused.error().message, HasSubstr("\"x.csv\" is no regular file"));
  EXPECT_THAT(Check("gone.csv"), IsOk()) << "the engine says so";
}

TEST_F(DirectFilesTest, JsonIsNoDeeperThanTheEngineBears) {
  folder_.Write("most.json", Nested(1'000));
  folder_.Write("deep.json", Nested(1'001));
  folder_.Write("deep.csv", Nested(1'001));
  EXPECT_THAT(Check("most.json"), IsOk());
  const Status refused = Check("deep.json");
  EXPECT_THAT(refused, FailsWith("table_unreadable"));
  EXPECT_THAT(refused.error().message, HasSubstr("\"deep.json\""));
  EXPECT_THAT(refused.error().message, HasSubstr("1,000 levels"));
  EXPECT_THAT(Check("deep.csv", DirectReader::kCsv), IsOk());
}

TEST_F(DirectFilesTest, CompressionHidesNothing) {
  for (const Packing packing : {Packing::kGzip, Packing::kZstd}) {
    folder_.Write("deep.json.gz", Packed(Nested(60'000), packing));
    EXPECT_THAT(Check("deep.json.gz"), FailsWith("table_unreadable"));
    folder_.Write("flat.json.gz", Packed("[1,2,3]", packing));
    EXPECT_THAT(Check("flat.json.gz"), IsOk());
  }
}

TEST_F(DirectFilesTest, LooksOnceUntilTheFileChanges) {
  folder_.Write("x.json", "[1]");
  EXPECT_THAT(Check("x.json"), IsOk());
  interrupted_ = true;
  EXPECT_THAT(Check("x.json"), IsOk()) << "not read again";
  folder_.Write("x.json", "[1,2]");
  EXPECT_THAT(Check("x.json"), FailsWith("cancelled"));
  interrupted_ = false;
  folder_.Write("x.json", Nested(1'001));
  EXPECT_THAT(Check("x.json"), FailsWith("table_unreadable"));
}

TEST_F(DirectFilesTest, TextHasNoMoreColumnsThanATable) {
  const auto row = [](size_t columns) { return "a" + std::string(columns - 1, ';') + "\n"; };
  folder_.Write("most.csv", row(16'384) + row(16'384));
  folder_.Write("wide.csv", "title\n" + row(16'385));
  folder_.Write("wide.csv.gz", Packed(row(16'385), Packing::kGzip));
  EXPECT_THAT(Check("most.csv", DirectReader::kCsv), IsOk());
  EXPECT_THAT(Check("wide.csv", DirectReader::kOther), IsOk());
  for (const char* file : {"wide.csv", "wide.csv.gz"}) {
    const Status refused = Check(file, DirectReader::kCsv);
    ASSERT_THAT(refused, FailsWith("table_unreadable")) << file;
    EXPECT_THAT(refused.error().message, HasSubstr("16,385 columns, the limit is 16,384"));
  }
}

TEST_F(DirectFilesTest, AFileThatBecameALinkOutIsRefusedAsAPath) {
  folder_.Write("data/x.csv", "a,b\n1,2\n");
  folder_.Write("outside.csv", "secret\n");
  const std::string data = folder_.string() + "/data";
  const auto check = [&] {
    return files_.Check(data, "x.csv", DirectReader::kCsv, [] { return false; });
  };
  EXPECT_THAT(check(), IsOk());
  std::filesystem::remove(data + "/x.csv");
  std::filesystem::create_symlink(folder_.path() / "outside.csv", data + "/x.csv");
  const Status refused = check();
  ASSERT_THAT(refused, FailsWith("path_outside_data_dir"));
  EXPECT_THAT(refused.error().message, HasSubstr("'x.csv'"));
}

}  // namespace
}  // namespace ducat::ingest
