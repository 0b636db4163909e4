// Loading a CSV file (analyst.md 12): ours, every value judged, against the engine's own reader
// with its default options writing the same kind of file. Ten columns, 72 MB; DUCAT_BENCH_CSV names
// another file.

#include "worker/child/ingest/ingest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "worker/child/engine/connection.h"
#include "worker/child/ingest/csv_scan.h"

namespace ducat::ingest {
namespace {

constexpr size_t kFileBytes = size_t{72} << 20;
constexpr const char* kName = "big.csv";

void WriteRows(std::ofstream& file) {
  file << "id,ts,name,city,amount,qty,price,flag,day,note\n";
  uint64_t seed = 7;
  size_t bytes = 0;
  for (uint64_t i = 1; bytes < kFileBytes; ++i) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::string row = fmt::format(
        "{},2024-{:02}-{:02} {:02}:{:02}:{:02},Person {},City "
        "{},{:.2f},{},{:.6f},{},2023-{:02}-{:02}"
        ",some note {}\n",
        i, 1 + i % 12, 1 + i % 28, i % 24, i % 60, i * 7 % 60, i % 7, i % 977,
        static_cast<double>(seed >> 40U) / 1e4, seed >> 33U & 511U,
        static_cast<double>(seed >> 11U) / 1e16, i % 3 == 0 ? "false" : "true", 1 + i % 12,
        1 + i % 28, i % 1013);
    file << row;
    bytes += row.size();
  }
}

// A folder with the file and an engine; lives as long as the process.
struct Bench {
  std::filesystem::path root;
  std::unique_ptr<engine::Database> database;
  std::unique_ptr<engine::Connection> connection;
  std::string data_dir, name;

  static Bench& Get() {
    static Bench bench;
    return bench;
  }
  [[nodiscard]] std::string path() const { return data_dir + "/" + name; }
  [[nodiscard]] int64_t bytes() const {
    return static_cast<int64_t>(std::filesystem::file_size(path()));
  }

 private:
  Bench() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ducat-bench-XXXXXX").string();
    CHECK(mkdtemp(pattern.data()) != nullptr);
    root = pattern;
    std::filesystem::create_directory(root / "private");
    data_dir = root;
    name = kName;
    // One thread so far.
    const char* named = std::getenv("DUCAT_BENCH_CSV");  // NOLINT(concurrency-mt-unsafe)
    if (named != nullptr) {
      const std::filesystem::path file = std::filesystem::canonical(named);
      data_dir = file.parent_path();
      name = file.filename();
    } else {
      std::ofstream file(root / kName);
      WriteRows(file);
    }
    auto opened = engine::Database::Open(
        {.data_dir = data_dir, .tables_dir = root, .private_dir = root / "private", .threads = 2});
    CHECK(opened.has_value());
    database = std::make_unique<engine::Database>(*std::move(opened));
    connection = std::make_unique<engine::Connection>(*database->Connect());
  }
  ~Bench() {
    connection.reset();
    database.reset();
    std::filesystem::remove_all(root);
  }
};

void Engine(benchmark::State& state) {
  Bench& bench = Bench::Get();
  const std::string out = bench.root / "private" / "engine.parquet";
  for (auto _ : state) {
    auto copied = bench.connection->Run(
        fmt::format("COPY (FROM read_csv({})) TO {} (FORMAT parquet, COMPRESSION zstd)",
                    engine::QuotePath(bench.path()), engine::QuoteText(out)));
    CHECK(copied.has_value() && copied->AllText().has_value());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * bench.bytes());
}

void Ducat(benchmark::State& state) {
  Bench& bench = Bench::Get();
  const std::string scratch = bench.root / "private";
  for (auto _ : state) {
    auto table = IngestFile(
        *bench.connection, {.data_dir = bench.data_dir, .private_dir = scratch, .path = bench.name},
        [] { return false; });
    CHECK(table.has_value());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * bench.bytes());
}

// Our pass alone.
void Scan(benchmark::State& state) {
  Bench& bench = Bench::Get();
  for (auto _ : state) {
    auto scan = ScanCsv(bench.path(), "", [] { return false; });
    CHECK(scan.has_value());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * bench.bytes());
}

BENCHMARK(Engine)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(Ducat)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(Scan)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
}  // namespace ducat::ingest
