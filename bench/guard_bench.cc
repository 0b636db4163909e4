// The guard's cost (guard.md 17): a statement judged for the first time, the same from the cache,
// and long statements, whose cost must be linear.

#include "worker/child/guard/guard.h"

#include <filesystem>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "worker/child/engine/connection.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::guard {
namespace {

// An engine with one table, orders; lives as long as the process.
struct Bench {
  std::filesystem::path root;
  std::unique_ptr<engine::Database> database;
  std::unique_ptr<engine::Connection> connection;
  worker::child::MountedCatalog catalog;

  static Bench& Get() {
    static Bench bench;
    return bench;
  }

 private:
  Bench() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ducat-bench-XXXXXX").string();
    CHECK(mkdtemp(pattern.data()) != nullptr);
    root = pattern;
    auto opened = engine::Database::Open(
        {.data_dir = root, .tables_dir = root, .private_dir = root, .threads = 2});
    CHECK(opened.has_value());
    database = std::make_unique<engine::Database>(*std::move(opened));
    connection = std::make_unique<engine::Connection>(*database->Connect());
    const std::string file = root / "orders.parquet";
    auto copied = connection->Run(
        "COPY (SELECT i AS id, i % 10 AS customer_id, 'n' || i AS name, i * 1.5 AS amount, "
        "'paid' AS status, TIMESTAMP '2024-01-01' AS ts FROM range(1000) r(i)) TO " +
        engine::QuoteText(file) + " (FORMAT parquet)");
    CHECK(copied.has_value() && copied->AllText().has_value());
    worker::CatalogTable table{.name = "orders", .source = "orders.csv", .file = file};
    for (const auto& [name, type] : {std::pair{"id", "BIGINT"},
                                     {"customer_id", "BIGINT"},
                                     {"name", "VARCHAR"},
                                     {"amount", "DECIMAL(20,1)"},
                                     {"status", "VARCHAR"},
                                     {"ts", "TIMESTAMP"}}) {
      table.columns.push_back({.name = name, .type = type});
    }
    CHECK(catalog.Apply({.version = 1, .tables = {table}}, *connection).has_value());
  }
  ~Bench() {
    connection.reset();
    database.reset();
    std::filesystem::remove_all(root);
  }
};

constexpr std::string_view kStatement300 =
    "SELECT customer_id, status, count(*) AS orders, sum(amount) AS total, avg(amount) AS mean\n"
    "FROM orders\nWHERE status IN ('paid', 'open') AND amount BETWEEN 10 AND 500 AND name LIKE "
    "'n%'\nGROUP BY customer_id, status\nHAVING sum(amount) > 100\nORDER BY total DESC, "
    "customer_id LIMIT 20";

Verdict Judged(Guard& guard, std::string_view sql, bool check_plan) {
  Bench& bench = Bench::Get();
  Verdict verdict =
      guard.Judge({.sql = sql, .check_plan = check_plan}, bench.catalog, *bench.connection);
  CHECK(verdict.allowed);
  return verdict;
}

// A text that the cache cannot know: the literal differs each time.
std::string Fresh(std::string_view sql, int64_t i) {
  return std::string(sql) + " -- " + std::to_string(i);
}

void BM_SerializeOnly(benchmark::State& state) {
  Bench& bench = Bench::Get();
  for (auto _ : state)
    benchmark::DoNotOptimize(bench.connection->SerializeSql(kStatement300));
}
BENCHMARK(BM_SerializeOnly)->Unit(benchmark::kMicrosecond);

// The two engine calls of the plan check.
void BM_ExplainOnly(benchmark::State& state) {
  Bench& bench = Bench::Get();
  for (auto _ : state)
    benchmark::DoNotOptimize(bench.connection->ExplainJson(kStatement300));
}
BENCHMARK(BM_ExplainOnly)->Unit(benchmark::kMicrosecond);

void BM_PrepareOnly(benchmark::State& state) {
  Bench& bench = Bench::Get();
  for (auto _ : state)
    benchmark::DoNotOptimize(bench.connection->Prepare(kStatement300));
}
BENCHMARK(BM_PrepareOnly)->Unit(benchmark::kMicrosecond);

void BM_JudgeCold(benchmark::State& state) {
  Guard guard(worker::Profile::kAnalyst, Bench::Get().root);
  int64_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(Judged(guard, Fresh(kStatement300, ++i), false));
}
BENCHMARK(BM_JudgeCold)->Unit(benchmark::kMicrosecond);

void BM_JudgeColdWithPlan(benchmark::State& state) {
  Guard guard(worker::Profile::kAnalyst, Bench::Get().root);
  int64_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(Judged(guard, Fresh(kStatement300, ++i), true));
}
BENCHMARK(BM_JudgeColdWithPlan)->Unit(benchmark::kMicrosecond);

void BM_JudgeCached(benchmark::State& state) {
  Guard guard(worker::Profile::kAnalyst, Bench::Get().root);
  Judged(guard, kStatement300, true);
  for (auto _ : state)
    benchmark::DoNotOptimize(Judged(guard, kStatement300, true));
}
BENCHMARK(BM_JudgeCached)->Unit(benchmark::kMicrosecond);

// Statements of about 25, 50, 100 and 200 KB.
void BM_JudgeLong(benchmark::State& state) {
  Guard guard(worker::Profile::kAnalyst, Bench::Get().root);
  std::string sql = "SELECT * FROM orders WHERE name IN ('x'";
  while (sql.size() < static_cast<size_t>(state.range(0)) * 1000) {
    sql += ", 'n" + std::to_string(sql.size()) + "'";
  }
  sql += ')';
  int64_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(Judged(guard, Fresh(sql, ++i), false));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_JudgeLong)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

std::string Expressions(int64_t kilobytes) {
  std::string sql = "SELECT id";
  while (sql.size() < static_cast<size_t>(kilobytes) * 1000) {
    sql += ", upper(name) || lower(status) || (amount + id) * 2";
  }
  return sql + " FROM orders";
}

void BM_SerializeLongExpressions(benchmark::State& state) {
  Bench& bench = Bench::Get();
  const std::string sql = Expressions(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(bench.connection->SerializeSql(sql));
}
BENCHMARK(BM_SerializeLongExpressions)->Arg(100)->Unit(benchmark::kMillisecond);

// The same sizes as arithmetic: many nodes, little text each.
void BM_JudgeLongExpressions(benchmark::State& state) {
  Guard guard(worker::Profile::kAnalyst, Bench::Get().root);
  const std::string sql = Expressions(state.range(0));
  int64_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(Judged(guard, Fresh(sql, ++i), false));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_JudgeLongExpressions)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

}  // namespace
}  // namespace ducat::guard
