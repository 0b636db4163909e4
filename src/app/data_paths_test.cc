#include "app/data_paths.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::app {
namespace {

using testing::FailsWith;
using testing::IsOk;

Status Resolve(const std::string& data, const std::string& db = "", Settings* out = nullptr) {
  Settings settings;
  settings.analyst.data_dir = data;
  settings.analyst.db_file = db;
  settings.home = "/home/state";
  Status status = ResolveDataPaths(settings);
  if (out != nullptr) *out = settings;
  return status;
}

TEST(DataPaths, AreCanonicalAndHaveTheirOwnState) {
  const testing::ScratchFolder folder;
  folder.Write("data/x.csv", "1");
  folder.Link("link", folder.path() / "data");
  Settings direct, linked;
  ASSERT_THAT(Resolve(folder.string() + "/data", "", &direct), IsOk());
  ASSERT_THAT(Resolve(folder.string() + "/link/../link", "", &linked), IsOk());
  EXPECT_EQ(direct.analyst.data_root, folder.string() + "/data");
  EXPECT_EQ(linked.analyst.state_dir, direct.analyst.state_dir);
  EXPECT_EQ(direct.analyst.state_dir.size(), std::string("/home/state/state/").size() + 16);
}

TEST(DataPaths, RefuseTheSystemsOwnDirectories) {
  const testing::ScratchFolder folder;
  folder.Link("root", "/");
  for (const std::string& path :
       {std::string("/"), std::string("/etc"), std::string("/etc/../etc/"),
        folder.string() + "/root", folder.string() + "/root/etc"}) {
    EXPECT_THAT(Resolve(path), FailsWith("data_dir_refused")) << path;
  }
}

TEST(DataPaths, RefuseWhatIsNotUtf8) {
  const testing::ScratchFolder folder;
  folder.Write("caf\xE9/data/a.csv", "1");
  folder.Link("plain", folder.path() / "caf\xE9");
  for (const std::string& path : {folder.string() + "/caf\xE9", folder.string() + "/caf\xE9/data",
                                  folder.string() + "/plain"}) {
    EXPECT_THAT(Resolve(path), FailsWith("data_dir_refused"));
  }
}

TEST(DataPaths, SayWhatIsMissing) {
  const testing::ScratchFolder folder;
  folder.Write("file", "1");
  EXPECT_THAT(Resolve(""), FailsWith("data_dir_required"));
  EXPECT_THAT(Resolve(folder.string() + "/none"), FailsWith("data_dir_missing"));
  EXPECT_THAT(Resolve(folder.string() + "/file"), FailsWith("data_dir_not_a_directory"));
  EXPECT_THAT(Resolve(folder.string(), folder.string() + "/none.db"), FailsWith("db_missing"));
  EXPECT_THAT(Resolve(folder.string(), folder.string()), FailsWith("db_missing"));
  EXPECT_THAT(Resolve(folder.string(), folder.string() + "/file"), IsOk());
}

TEST(FindWorker, NamesWhatCannotBeRun) {
  const Environment named = [](std::string_view name) -> std::optional<std::string> {
    return name == "DUCAT_WORKER" ? std::optional<std::string>("/no/worker") : std::nullopt;
  };
  const auto found = FindWorker(named);  // beside the test executable there is one in a full build
  if (!found) {
    EXPECT_THAT(found, FailsWith("worker_unavailable"));
    EXPECT_THAT(found.error().message, ::testing::HasSubstr("/no/worker"));
  } else {
    EXPECT_TRUE(found->ends_with("/ducat-worker"));
  }
}

}  // namespace
}  // namespace ducat::app
