// JSON: what a call costs to read, and rows to write, beside nlohmann-json doing the same work.
//   cmake --preset bench && ninja -C build/bench json_bench && build/bench/bin/json_bench
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include "json/decode.h"
#include "json/encode.h"
#include "json/view.h"
#include "json/writer.h"

namespace ducat::json {
namespace {

// 200 bytes, as a client sends it.
constexpr std::string_view kCall =
    R"({"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"analyst_query",)"
    R"("arguments":{"sql":"SELECT author, count(*) FROM articles GROUP BY 1 ORDER BY 2 DESC",)"
    R"("limit":50,"format":"rows"}}})";

struct QueryIn {
  std::string sql;
  int limit = 0;
  std::optional<std::string> format;
  std::optional<std::string> cursor;
  bool exact = false;
  static constexpr auto Fields() {
    return std::array{
        Describe<&QueryIn::sql>("sql", "SQL.", {.max_length = 100'000, .free_text = true}),
        Describe<&QueryIn::limit>("limit", "Rows.",
                                  {.minimum = 1, .maximum = 10'000, .default_json = "200"}),
        Describe<&QueryIn::format>("format", "Form."),
        Describe<&QueryIn::cursor>("cursor", "Page."),
        Describe<&QueryIn::exact>("exact", "Exact.", {.default_json = "false"})};
  }
};

void BM_ParseCall(benchmark::State& state) {
  Document document;
  for (auto _ : state) {
    auto root = document.Parse(kCall);
    benchmark::DoNotOptimize(root);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kCall.size()));
}
BENCHMARK(BM_ParseCall);

void BM_ParseCallFreshDocument(benchmark::State& state) {
  for (auto _ : state) {
    Document document;
    auto root = document.Parse(kCall);
    benchmark::DoNotOptimize(root);
  }
}
BENCHMARK(BM_ParseCallFreshDocument);

void BM_ParseCallNlohmann(benchmark::State& state) {
  for (auto _ : state) {
    auto root = nlohmann::json::parse(kCall);
    benchmark::DoNotOptimize(root);
  }
}
BENCHMARK(BM_ParseCallNlohmann);

void BM_ParseAndDecodeCall(benchmark::State& state) {
  Document document;
  for (auto _ : state) {
    const auto root = document.Parse(kCall);
    QueryIn in;
    auto report = DecodeArguments(kShape<QueryIn>, *root->Find("params")->Find("arguments"), &in);
    benchmark::DoNotOptimize(report);
    benchmark::DoNotOptimize(in);
  }
}
BENCHMARK(BM_ParseAndDecodeCall);

void BM_ScanTopLevelId(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(ScanTopLevel(kCall, "id"));
}
BENCHMARK(BM_ScanTopLevelId);

struct Row {
  int64_t id = 0;
  std::string title;
  double price = 0;
  std::string day;
};

std::vector<Row> MakeRows(bool beyond_ascii) {
  std::vector<Row> rows;
  for (int i = 0; i < 1'000; ++i) {
    const std::string name = beyond_ascii ? "Z\xC3\xBCrich \xE2\x80\x93 \xE5\x8C\x97\xE4\xBA\xAC "
                                          : "An \"article\" title ";
    rows.push_back({.id = i * 7919,
                    .title = name + std::to_string(i),
                    .price = i * 0.37,
                    .day = "2024-01-31"});
  }
  return rows;
}

std::string WriteRows(const std::vector<Row>& rows) {
  std::string text;
  JsonWriter out(text);
  out.BeginArray();
  for (const Row& row : rows) {
    out.BeginArray();
    out.Integer(row.id);
    out.String(row.title);
    out.Double(row.price);
    out.String(row.day);
    out.EndArray();
  }
  out.EndArray();
  return text;
}

void BM_WriteRows(benchmark::State& state) {
  const std::vector<Row> rows = MakeRows(state.range(0) != 0);
  size_t bytes = 0;
  for (auto _ : state) {
    std::string text = WriteRows(rows);
    bytes = text.size();
    benchmark::DoNotOptimize(text);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}
BENCHMARK(BM_WriteRows)->Arg(0)->Arg(1);

void BM_WriteRowsNlohmann(benchmark::State& state) {
  const nlohmann::json rows = nlohmann::json::parse(WriteRows(MakeRows(state.range(0) != 0)));
  size_t bytes = 0;
  for (auto _ : state) {
    std::string text = rows.dump();
    bytes = text.size();
    benchmark::DoNotOptimize(text);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}
BENCHMARK(BM_WriteRowsNlohmann)->Arg(0)->Arg(1);

// 0: whole numbers, 1: two decimals, 2: all digits.
void BM_WriteDoubles(benchmark::State& state) {
  std::vector<double> values;
  for (int i = 1; i <= 10'000; ++i) {
    values.push_back(state.range(0) == 0   ? i * 31.0
                     : state.range(0) == 1 ? i * 37 / 100.0
                                           : 1e4 / i);
  }
  size_t bytes = 0;
  for (auto _ : state) {
    std::string text;
    JsonWriter out(text);
    out.BeginArray();
    for (const double value : values)
      out.Double(value);
    out.EndArray();
    bytes = text.size();
    benchmark::DoNotOptimize(text);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}
BENCHMARK(BM_WriteDoubles)->DenseRange(0, 2);

void BM_EscapeText(benchmark::State& state) {
  std::string text;
  while (text.size() < 100'000) {
    text += state.range(0) == 0   ? "The quick brown fox jumps over the lazy dog. "
            : state.range(0) == 1 ? "Z\xC3\xBCrich \xE5\x8C\x97\xE4\xBA\xAC \xE2\x82\xAC "
                                  : "a \"quoted\"\n\\path\\";
  }
  for (auto _ : state) {
    std::string out;
    AppendEscaped(out, text);
    benchmark::DoNotOptimize(out);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_EscapeText)->DenseRange(0, 2);

}  // namespace
}  // namespace ducat::json
