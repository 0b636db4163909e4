// Rows to JSON and Markdown bytes (guard.md 17: at least 200 MB/s), and what a small query costs
// through our layer over the same SQL through the engine's C API.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>
#include <duckdb.h>

#include "worker/child/engine/connection.h"
#include "worker/child/rows/result_writer.h"
#include "worker/child/rows/row_encoder.h"
#include "worker/child/rows/string_output.h"

namespace ducat {
namespace {

class BenchEngine {
 public:
  BenchEngine() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ducat-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
    auto database = engine::Database::Open({.private_dir = folder_});
    if (!database.has_value()) std::abort();
    database_ = std::make_unique<engine::Database>(*std::move(database));
    auto connection = database_->Connect();
    if (!connection.has_value()) std::abort();
    connection_ = std::make_unique<engine::Connection>(*std::move(connection));
  }
  ~BenchEngine() {
    connection_.reset();
    database_.reset();
    std::filesystem::remove_all(folder_);
  }
  BenchEngine(const BenchEngine&) = delete;
  BenchEngine& operator=(const BenchEngine&) = delete;

  engine::Connection& connection() { return *connection_; }

 private:
  std::string folder_;
  std::unique_ptr<engine::Database> database_;
  std::unique_ptr<engine::Connection> connection_;
};

// Both surfaces of all rows of `select`, in pieces as an answer has them. Time includes fetching.
void WriteRows(benchmark::State& state, const std::string& select) {
  constexpr size_t kPieceBytes = 256 * 1024;
  BenchEngine engine;
  auto made = engine.connection().Run("CREATE TEMP TABLE t AS " + select);
  if (!made.has_value()) {
    state.SkipWithError(made.error().message.c_str());
    return;
  }
  int64_t json_bytes = 0, text_bytes = 0;
  std::string rows, text;
  for (auto _ : state) {
    auto result = engine.connection().Run("FROM t");
    rows::RowEncoder encoder(result->types(), rows::kAnalystStyle);
    for (auto chunk = result->Next(); chunk.value() != nullptr; chunk = result->Next()) {
      encoder.Open(**chunk);
      for (uint64_t row = 0; row < (*chunk)->row_count(); ++row) {
        encoder.Append(row, {}, rows, text);
      }
      if (rows.size() < kPieceBytes) continue;
      json_bytes += static_cast<int64_t>(rows.size());
      text_bytes += static_cast<int64_t>(text.size());
      rows.clear();
      text.clear();
    }
  }
  state.SetBytesProcessed(json_bytes + text_bytes);
  state.counters["json_MB/s"] =
      benchmark::Counter(static_cast<double>(json_bytes) / 1e6, benchmark::Counter::kIsRate);
}

void BM_Integers(benchmark::State& state) {
  WriteRows(state, "SELECT i, i * 1000003 AS j, i % 7 AS k FROM range(300000) t(i)");
}
void BM_Doubles(benchmark::State& state) {
  WriteRows(state,
            "SELECT i / 7.0::DOUBLE AS d, round(i / 3.0::DOUBLE, 2) AS r FROM range(300000) t(i)");
}
void BM_Decimals(benchmark::State& state) {
  WriteRows(
      state,
      "SELECT (i / 100)::DECIMAL(10,2) AS a, (i / 7)::DECIMAL(18,4) AS b FROM range(300000) t(i)");
}
void BM_Text(benchmark::State& state) {
  WriteRows(state,
            "SELECT 'the text of row ' || i AS s, repeat('abc ', 10) AS r, 'k' || i % 9 AS k "
            "FROM range(200000) t(i)");
}
void BM_Timestamps(benchmark::State& state) {
  WriteRows(state,
            "SELECT TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS t, DATE '2020-01-01' + "
            "i::INTEGER % 3000 AS d "
            "FROM range(300000) t(i)");
}
void BM_Nested(benchmark::State& state) {
  WriteRows(state,
            "SELECT [i, i + 1, i + 2] AS l, {'a': i, 'b': 'x' || i} AS s FROM range(100000) t(i)");
}
// A publisher's orders: ids, codes, money, dates, flags.
void BM_Mixed(benchmark::State& state) {
  WriteRows(state,
            "SELECT i AS order_id, i % 1000 AS subscriber_id, ['digital','print','student'][i % 3 "
            "+ 1] AS plan, "
            "(i % 50000 / 100)::DECIMAL(10,2) AS amount_eur, DATE '2024-01-01' + i::INTEGER % 700 "
            "AS ordered, "
            "i % 5 = 0 AS renewed, TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS at, i / "
            "3.0::DOUBLE AS score "
            "FROM range(150000) t(i)");
}
BENCHMARK(BM_Integers)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Doubles)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Decimals)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Text)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Timestamps)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Nested)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Mixed)->Unit(benchmark::kMillisecond);

constexpr const char* kSmallQuery =
    "SELECT plan, count(*) AS n FROM (SELECT ['a','b'][i % 2 + 1] AS plan FROM range(1200) t(i)) "
    "GROUP BY 1 ORDER BY n DESC LIMIT 2";

void BM_SmallQueryCApi(benchmark::State& state) {
  duckdb_database database{};
  duckdb_connection connection{};
  if (duckdb_open(nullptr, &database) != DuckDBSuccess ||
      duckdb_connect(database, &connection) != DuckDBSuccess) {
    std::abort();
  }
  for (auto _ : state) {
    duckdb_result result{};
    if (duckdb_query(connection, kSmallQuery, &result) != DuckDBSuccess) std::abort();
    benchmark::DoNotOptimize(duckdb_row_count(&result));
    duckdb_destroy_result(&result);
  }
  duckdb_disconnect(&connection);
  duckdb_close(&database);
}
void BM_SmallQueryOurs(benchmark::State& state) {
  BenchEngine engine;
  for (auto _ : state) {
    auto result = engine.connection().RunReadable(kSmallQuery);
    worker::child::StringOutput output;
    auto summary = rows::WriteResult(*result, {"plan", "n"}, {}, rows::kAnalystStyle, output);
    benchmark::DoNotOptimize(summary);
  }
}
BENCHMARK(BM_SmallQueryCApi)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_SmallQueryOurs)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ducat
