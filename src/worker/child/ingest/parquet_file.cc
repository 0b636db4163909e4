// Parquet: read in place; footer and schema are checked, no row is read (analyst.md 3.5).
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "worker/child/ingest/csv_layout.h"
#include "worker/child/ingest/readers.h"

namespace ducat::ingest {

using engine::EngineResult;

EngineResult<IngestedTable> ReadParquetFooter(engine::Connection& connection,
                                              const std::string& path) {
  const std::string quoted = engine::QuotePath(path);
  auto rows = connection.Run(
      fmt::format("SELECT * FROM read_parquet({}, hive_partitioning = false) LIMIT 0", quoted));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  IngestedTable table{.columns = {}, .row_count = 0, .bytes = 0, .in_place = true, .findings = {}};
  for (const engine::ResultColumn& column : rows->columns()) {
    table.columns.push_back({.name = column.name, .type = column.type, .carrier = {}});
  }
  if (table.columns.size() > kColumnsMax) {
    return OwnError("too_many_columns", fmt::format("The file has {} columns, the limit is {}",
                                                    table.columns.size(), kColumnsMax));
  }
  auto footer = connection.Run(
      fmt::format("SELECT CAST(num_rows AS BIGINT) FROM parquet_file_metadata({})", quoted));
  if (!footer.has_value()) return tl::unexpected(std::move(footer).error());
  auto counts = footer->AllText();
  if (!counts.has_value()) return tl::unexpected(std::move(counts).error());
  if (counts->size() == 1 && counts->front().front().has_value()) {
    const std::string& text = *counts->front().front();
    std::from_chars(text.data(), text.data() + text.size(), table.row_count);
  }
  std::error_code ignored;
  table.bytes = static_cast<int64_t>(std::filesystem::file_size(path, ignored));
  return table;
}

}  // namespace ducat::ingest
