#include "packs/analyst/file_scan.h"

#include <chrono>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::analyst {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::ScratchFolder;

ScannedDirectory Scan(const std::string& directory, ScanRules rules = {}, size_t step = 3) {
  Result<FileScan> scan = FileScan::Open(directory, std::move(rules));
  EXPECT_THAT(scan, IsOk());
  while (!scan->Step(step)) {
  }
  return scan->Take();
}

std::vector<std::string> Paths(const ScannedDirectory& found) {
  std::vector<std::string> paths;
  for (const ScannedFile& file : found.files)
    paths.push_back(file.path);
  return paths;
}

std::vector<std::string> Skipped(const ScannedDirectory& found) {
  std::vector<std::string> skipped;
  for (const SkippedFile& file : found.skipped)
    skipped.push_back(file.path + " " + file.reason);
  return skipped;
}

TEST(FileScan, FindsDataFilesInByteOrderAndCountsOthers) {
  const ScratchFolder folder;
  for (const char* path : {"b.csv", "a.CSV", "sub/deep/x.parquet", "y.jsonl", "z.ndjson", "w.json",
                           "v.tsv", "n.csv.gz", "m.json.zst"}) {
    folder.Write(path, "1");
  }
  for (const char* path : {"readme.md", "x.parquet.gz", "noext", "csv"})
    folder.Write(path, "1");
  const ScannedDirectory found = Scan(folder.string());
  EXPECT_THAT(Paths(found),
              ElementsAre("a.CSV", "b.csv", "m.json.zst", "n.csv.gz", "sub/deep/x.parquet", "v.tsv",
                          "w.json", "y.jsonl", "z.ndjson"));
  EXPECT_EQ(found.other_files, 4U);
  EXPECT_EQ(found.visible.size(), 13U);
}

TEST(FileScan, LeavesOutHiddenOwnAndLockFiles) {
  const ScratchFolder folder;
  for (const char* path : {".hidden.csv", ".git/x.csv", "sub/.secret/y.csv", "~$book.csv",
                           "ducat.yaml", "saved_queries.json", "sub/saved_queries.json"}) {
    folder.Write(path, "1");
  }
  const ScannedDirectory found = Scan(folder.string());
  EXPECT_THAT(Paths(found), ElementsAre("sub/saved_queries.json"));
  EXPECT_THAT(found.visible, ElementsAre("sub/saved_queries.json"));
}

TEST(FileScan, ListsLinksThatLeadOut) {
  const ScratchFolder folder, outside;
  outside.Write("secret.csv", "1");
  folder.Write("real.csv", "1");
  folder.Link("link.csv", outside.path() / "secret.csv");
  folder.Link("out", outside.path());
  folder.Link("up.csv", "../" + outside.path().filename().string() + "/secret.csv");
  // Nothing tells these from the ones above: what there is outside, and whether, must not be seen.
  folder.Link("dangling.csv", outside.path() / "missing.csv");
  folder.Link("device", "/dev/null");
  folder.Link("loop.csv", "loop.csv");
  folder.Link("notes.txt", outside.path() / "missing.txt");
  folder.Link("nowhere.csv", folder.path() / "missing.csv");
  const ScannedDirectory found = Scan(folder.string());
  EXPECT_THAT(Paths(found), ElementsAre("real.csv"));
  EXPECT_THAT(Skipped(found), ElementsAre("dangling.csv outside_link", "device outside_link",
                                          "link.csv outside_link", "loop.csv outside_link",
                                          "notes.txt outside_link", "nowhere.csv outside_link",
                                          "out outside_link", "up.csv outside_link"));
  for (const SkippedFile& skipped : found.skipped) {
    EXPECT_EQ(skipped.bytes, 0U) << skipped.path;
    struct stat link{};
    ASSERT_EQ(lstat((folder.path() / skipped.path).c_str(), &link), 0);
    EXPECT_EQ(skipped.modified_ns,
              int64_t{link.st_mtim.tv_sec} * 1'000'000'000 + link.st_mtim.tv_nsec)
        << skipped.path << ": of the link itself";
  }
  EXPECT_THAT(found.visible, ElementsAre("real.csv"));
}

TEST(FileScan, FollowsLinksInsideOnceAndNoLoops) {
  const ScratchFolder folder;
  folder.Write("data/a.csv", "1");
  folder.Write("data/deep/b.csv", "1");
  folder.Write(".hidden/c.csv", "1");
  folder.Link("current", "data");
  folder.Link("again", "data");         // the same target is not shown twice
  folder.Link("data/deep/back", "..");  // its target holds it
  folder.Link("self", ".");             // the root itself
  folder.Link("peek", ".hidden");       // hidden stays hidden
  folder.Link("file.csv", "data/a.csv");
  const std::vector<std::string> paths = Paths(Scan(folder.string()));
  const bool through_current = std::ranges::find(paths, "current/a.csv") != paths.end();
  const std::string link = through_current ? "current" : "again";
  EXPECT_THAT(paths, ::testing::UnorderedElementsAre("data/a.csv", "data/deep/b.csv", "file.csv",
                                                     link + "/a.csv", link + "/deep/b.csv"));
}

TEST(FileScan, KeepsToIncludeAndExclude) {
  const ScratchFolder folder;
  for (const char* path : {"a.csv", "b.csv", "sub/a.csv", "sub/c.json"})
    folder.Write(path, "1");
  EXPECT_THAT(Paths(Scan(folder.string(), {.include = {"sub/*"}, .exclude = {}})),
              ElementsAre("sub/a.csv", "sub/c.json"));
  EXPECT_THAT(Paths(Scan(folder.string(), {.include = {}, .exclude = {"a.csv", "*.json"}})),
              ElementsAre("b.csv"));
  // Both at once: exclude wins.
  EXPECT_THAT(Paths(Scan(folder.string(), {.include = {"a.csv"}, .exclude = {"sub/**"}})),
              ElementsAre("a.csv"));
}

TEST(FileScan, TellsGlobsThatMatchNothing) {
  const ScratchFolder folder;
  for (const char* path : {"a.csv", "b.csv", "sub/a.csv"})
    folder.Write(path, "1");
  EXPECT_THAT(Scan(folder.string(), {.include = {"a.csv", "*.cvs"}, .exclude = {"sub", "sub/*"}})
                  .idle_globs,
              ElementsAre("--include *.cvs", "--exclude sub"));
  // A file that is excluded is matched by include as well.
  EXPECT_THAT(Scan(folder.string(), {.include = {"*.csv"}, .exclude = {"*.csv"}}).idle_globs,
              IsEmpty());
}

TEST(FileScan, KeepsToItsLimits) {
  const ScratchFolder folder;
  for (const char* path : {"a.csv", "b.csv", "c.csv"})
    folder.Write(path, "12345");
  EXPECT_EQ(Scan(folder.string(), {.include = {}, .exclude = {}, .files_max = 3}).over_limit, 0U);
  const ScannedDirectory found =
      Scan(folder.string(), {.include = {}, .exclude = {}, .files_max = 2});
  EXPECT_EQ(found.files.size(), 2U);
  EXPECT_EQ(found.over_limit, 1U);

  EXPECT_THAT(Scan(folder.string(), {.include = {}, .exclude = {}, .file_bytes_max = 5}).skipped,
              IsEmpty());
  EXPECT_THAT(Skipped(Scan(folder.string(), {.include = {}, .exclude = {}, .file_bytes_max = 4})),
              ElementsAre("a.csv too_large", "b.csv too_large", "c.csv too_large"));
}

TEST(FileScan, SaysWhatIsWrongWithTheDirectory) {
  const ScratchFolder folder;
  folder.Write("file", "1");
  EXPECT_THAT(FileScan::Open(folder.string() + "/none", {}), FailsWith("data_dir_missing"));
  EXPECT_THAT(FileScan::Open(folder.string() + "/file", {}), FailsWith("data_dir_not_a_directory"));
}

TEST(FileScan, FindsNothingInAnEmptyDirectoryOrWithoutOne) {
  const ScratchFolder folder;
  EXPECT_THAT(Scan(folder.string()).visible, IsEmpty());
  FileScan nothing = FileScan::Nothing();
  EXPECT_TRUE(nothing.Step(1));
}

TEST(FileScan, TakesOddNamesAsTheyAre) {
  const ScratchFolder folder;
  for (const char* path :
       {"star*.csv", "q?.csv", "data[1].csv", "o'brien.csv", "a\"b.csv", "new\nline.csv"}) {
    folder.Write(path, "1");
  }
  EXPECT_EQ(Scan(folder.string()).files.size(), 6U);
}

TEST(FileScan, FindsNamesThatAreNoUtf8ButOffersThemToNoLiteral) {
  const ScratchFolder folder;
  folder.Write("caf\xE9.csv", "1");
  folder.Write("\xFF/a.csv", "1");
  folder.Write("plain.csv", "1");
  const ScannedDirectory found = Scan(folder.string());
  EXPECT_THAT(Paths(found), ElementsAre("caf\xE9.csv", "plain.csv", "\xFF/a.csv"));
  EXPECT_THAT(found.visible, ElementsAre("plain.csv"));
  EXPECT_EQ(Scan(folder.string(), {.include = {}, .exclude = {}, .files_max = 2}).over_limit, 1U);
}

TEST(FileScan, WalksTenThousandFilesQuickly) {
  const ScratchFolder folder;
  for (int i = 0; i < 10'000; ++i) {
    folder.Write("d" + std::to_string(i / 100) + "/f" + std::to_string(i) + ".csv", "1");
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Scan(folder.string(), {}, 256).files.size(), 10'000U);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  RecordProperty("walk_ms", std::to_string(took.count()));
}

}  // namespace
}  // namespace ducat::analyst
