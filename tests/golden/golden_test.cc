// Plays every transcript of tests/golden/<revision>/ against a whole server. DUCAT_UPDATE_GOLDEN=1
// rewrites them for review instead.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asking_tools.h"
#include "mcp/revision.h"
#include "support/http_fixture.h"
#include "transcript.h"

namespace ducat::testing {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> Transcripts() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(DUCAT_GOLDEN_DIR)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".jsonl") && !name.ends_with(".http.jsonl")) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Golden : public ::testing::TestWithParam<fs::path> {};

mcp::ServerOptions Options() {
  mcp::ServerOptions options;
  options.info.version = "1.0.0";
  return options;
}

std::string PlayAnew(const std::string& written, std::unique_ptr<Wire> (*make_wire)(McpFixture&)) {
  McpFixture fixture(Options());
  AddAskingTools(fixture);
  const auto wire = make_wire(fixture);
  return Play(written, *wire);
}

std::string PlayOverHttp(const std::string& written) {
  HttpFixture fixture({}, Options());
  AddAskingTools(fixture.mcp);
  const auto wire = MakeHttpWire(fixture);
  return Play(written, *wire);
}

// Where the same conversation stands as it is over HTTP.
fs::path OverHttp(const fs::path& path) {
  return path.parent_path() / (path.stem().string() + ".http.jsonl");
}

TEST_P(Golden, PlaysInMemory) {
  const std::string written = ReadAll(GetParam());
  const std::string played = PlayAnew(written, MakeMemoryWire);
  if (std::getenv("DUCAT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(GetParam(), std::ios::binary) << played;
    GTEST_SKIP() << "rewritten: " << GetParam();
  }
  EXPECT_EQ(written, played);
}

TEST_P(Golden, PlaysTheSameOverStdio) {
  const std::string written = ReadAll(GetParam());
  EXPECT_EQ(written, PlayAnew(written, MakeStdioWire));
}

// The same messages, each as a POST, with statuses and headers in what comes back.
TEST_P(Golden, PlaysOverHttp) {
  const fs::path path = OverHttp(GetParam());
  const std::string played = PlayOverHttp(ReadAll(GetParam()));
  if (std::getenv("DUCAT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << played;
    GTEST_SKIP() << "rewritten: " << path;
  }
  EXPECT_EQ(ReadAll(path), played);
}

// Each transcript must show that the server survives nonsense and goes on.
TEST_P(Golden, HasGarbageInTheMiddleAndServiceAfterIt) {
  const std::string text = ReadAll(GetParam());
  const size_t garbage = text.find("{\"in_text\":");
  ASSERT_NE(garbage, std::string::npos);
  EXPECT_NE(text.substr(0, garbage).find("\"result\""), std::string::npos);
  EXPECT_NE(text.substr(garbage).find("\"result\""), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Transcripts, Golden, ::testing::ValuesIn(Transcripts()),
                         [](const auto& info) {
                           std::string name = info.param.parent_path().filename().string() + "_" +
                                              info.param.stem().string();
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

TEST(GoldenFiles, CoverEveryRevision) {
  for (const std::string_view revision : mcp::kRevisionNames) {
    const auto own = std::ranges::count_if(Transcripts(), [revision](const fs::path& path) {
      return path.parent_path().filename() == revision;
    });
    EXPECT_GT(own, 0) << revision;
  }
}

}  // namespace
}  // namespace ducat::testing
