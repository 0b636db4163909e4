// Reads every file of the repository once and applies every rule. What a rule means is in the
// rules' own tests; here stands only that the tree keeps them.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tidy/include_rules.h"
#include "tidy/text_rules.h"
#include "tidy/token_rules.h"
#include "tidy/tree_rules.h"

namespace ducat::tidy {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = DUCAT_SOURCE_ROOT;
constexpr std::string_view kUntested = "tests/tidy/untested.txt";

std::string ReadText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool IsRead(const fs::path& path) {
  const std::string name = path.filename().string();
  return IsCpp(name) || name.ends_with(".md") || name == "package-lock.json" ||
         name == "package.json";
}

std::vector<SourceFile> ReadTree() {
  std::vector<SourceFile> files;
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    if (entry.is_regular_file() && IsRead(entry.path())) {
      files.push_back(MakeSourceFile(entry.path().filename().string(), ReadText(entry.path())));
    }
  }
  for (const std::string_view folder :
       {"src", "tests", "examples", "bench", "docs", "engine", "scripts"}) {
    if (!fs::exists(kRoot / folder)) continue;
    for (fs::recursive_directory_iterator it(kRoot / folder), end; it != end; ++it) {
      if (it->path().filename() == "node_modules") it.disable_recursion_pending();
      if (!it->is_regular_file() || !IsRead(it->path())) continue;
      files.push_back(
          MakeSourceFile(fs::relative(it->path(), kRoot).generic_string(), ReadText(it->path())));
    }
  }
  return files;
}

const std::vector<SourceFile>& Tree() {
  static const std::vector<SourceFile> tree = ReadTree();
  return tree;
}

void ExpectNone(const Findings& findings) {
  for (const Finding& finding : findings)
    ADD_FAILURE() << Describe(finding);
}

using FileRule = void (*)(const SourceFile&, Findings&);

void ExpectEveryFileKeeps(FileRule rule) {
  Findings findings;
  for (const SourceFile& file : Tree())
    rule(file, findings);
  ExpectNone(findings);
}

TEST(Tidy, ReadsTheTree) {
  EXPECT_GT(Tree().size(), 50U) << kRoot;
}
TEST(Tidy, LayerArrows) {
  ExpectEveryFileKeeps(CheckIncludes);
}
TEST(Tidy, LinesAndLengths) {
  ExpectEveryFileKeeps(CheckLines);
}
TEST(Tidy, FileNames) {
  ExpectEveryFileKeeps(CheckFileName);
}
TEST(Tidy, HeaderComments) {
  ExpectEveryFileKeeps(CheckHeaderComment);
}
TEST(Tidy, BannedTokens) {
  ExpectEveryFileKeeps(CheckTokens);
}
TEST(Tidy, CoroutineTemporaries) {
  ExpectEveryFileKeeps(CheckCoroutineTemporaries);
}
TEST(Tidy, LockFiles) {
  ExpectEveryFileKeeps(CheckLockFile);
}

TEST(Tidy, EverySourceHasATest) {
  Findings findings;
  CheckEverySourceHasATest(
      Tree(), MakeSourceFile(std::string(kUntested), ReadText(kRoot / kUntested)), findings);
  ExpectNone(findings);
}

TEST(Tidy, NoDeadHeaders) {
  Findings findings;
  CheckNoDeadHeaders(Tree(), findings);
  ExpectNone(findings);
}

TEST(Tidy, DocumentsPointAtFilesThatExist) {
  Findings findings;
  CheckDocumentLinks(
      Tree(), [](const std::string& path) { return fs::exists(kRoot / path); }, findings);
  ExpectNone(findings);
}

TEST(Tidy, DecisionsAreNumbered) {
  Findings findings;
  CheckDecisionNumbers(Tree(), findings);
  ExpectNone(findings);
}

}  // namespace
}  // namespace ducat::tidy
