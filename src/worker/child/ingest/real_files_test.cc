// Real and nasty files (not shipped): every one is read or refused with a reason, and where an
// independent reader counted rows and columns, ours are the same. Skipped when the folder that
// DUCAT_ANALYST_FILES names is not there.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include "worker/child/ingest/ingest_fixture.h"

namespace ducat::ingest {
namespace {

struct Entry {
  std::string file, encoding, rows, columns, verdict;
};

std::filesystem::path Folder() {
  // One thread so far.
  const char* named = std::getenv("DUCAT_ANALYST_FILES");  // NOLINT(concurrency-mt-unsafe)
  return named != nullptr ? named : "shared-data-not-named";
}

std::vector<Entry> ReadIndex() {
  std::vector<Entry> entries;
  std::ifstream index(Folder() / "index.tsv");
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) {
    std::istringstream fields(line);
    Entry entry;
    std::string bytes;
    std::getline(fields, entry.file, '\t');
    std::getline(fields, bytes, '\t');
    std::getline(fields, entry.encoding, '\t');
    std::getline(fields, entry.rows, '\t');
    std::getline(fields, entry.columns, '\t');
    std::getline(fields, entry.verdict, '\t');
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::optional<SourceFormat> FormatOf(const std::filesystem::path& file) {
  static const std::map<std::string, SourceFormat> kFormats{
      {".csv", SourceFormat::kCsv},         {".tsv", SourceFormat::kTsv},
      {".parquet", SourceFormat::kParquet}, {".json", SourceFormat::kJson},
      {".ndjson", SourceFormat::kJson},     {".jsonl", SourceFormat::kJson}};
  const auto found = kFormats.find(file.extension().string());
  if (found == kFormats.end()) return std::nullopt;
  return found->second;
}

// Files that are something else here than in the index, and what. It counted rows by footers alone;
// a file whose pages cannot be read is told at load.
std::optional<std::string> FoundInstead(const std::string& file) {
  static const std::map<std::string, std::string> kInstead{
      // The index has the engine's reading of the path (month=07) as a second column.
      {"duckdb/json/13725/month=07/mytest.json", "1x1"},
      {"parquet-testing/bad_data/ARROW-GH-47662.parquet", "corrupt"},
      {"parquet-testing/data/non_hadoop_lz4_compressed.parquet", "engine_error"},
      // Shredded variants that the engine does not read.
      {"parquet-testing/shredded_variant/case-041.parquet", "corrupt"},
      {"parquet-testing/shredded_variant/case-087.parquet", "corrupt"},
      {"parquet-testing/shredded_variant/case-127.parquet", "engine_error"},
      {"parquet-testing/shredded_variant/case-131.parquet", "corrupt"}};
  const auto found = kInstead.find(file);
  if (found == kInstead.end()) return std::nullopt;
  return found->second;
}

class RealFilesTest : public IngestFixture {
 protected:
  void Configure(engine::EngineSettings& settings) override {
    settings.data_dir =
        std::filesystem::exists(Folder()) ? std::filesystem::canonical(Folder()) : root() / "data";
    data_ = settings.data_dir;
  }
  std::string data_;
};

TEST_F(RealFilesTest, CountsEqualThoseOfAnIndependentReader) {
  const std::vector<Entry> entries = ReadIndex();
  if (entries.empty()) GTEST_SKIP() << "no files at " << Folder();
  std::map<std::string, int> outcomes;
  for (const Entry& entry : entries) {
    const std::optional<SourceFormat> format = FormatOf(entry.file);
    if (!format) continue;
    auto table = IngestFile(connection(),
                            {.data_dir = data_,
                             .private_dir = settings_.private_dir,
                             .path = entry.file,
                             .format = *format},
                            [] { return false; });
    const std::string outcome = table.has_value() ? "read" : table.error().reason;
    ++outcomes[entry.verdict + " " + outcome];
    if (!table.has_value()) {
      EXPECT_FALSE(table.error().message.empty()) << entry.file;
      EXPECT_EQ(table.error().message.find(data_), std::string::npos) << table.error().message;
    }
    if (entry.verdict == "empty") EXPECT_EQ(outcome, "empty") << entry.file;
    if (connection().is_broken()) OpenEngine();
    if (entry.verdict != "rows" && entry.verdict != "rows_after_decoding") continue;
    const std::string found = table.has_value() ? std::to_string(table->row_count) + "x" +
                                                      std::to_string(table->columns.size())
                                                : table.error().reason;
    EXPECT_EQ(found, FoundInstead(entry.file).value_or(entry.rows + "x" + entry.columns))
        << entry.file << ": " << (table.has_value() ? "" : table.error().message);
  }
  // Into the report file: "review_not_tabular" -> 3.
  for (const auto& [outcome, count] : outcomes) {
    std::string key = outcome;
    std::replace(key.begin(), key.end(), ' ', '_');
    RecordProperty(key, count);
  }
}

}  // namespace
}  // namespace ducat::ingest
