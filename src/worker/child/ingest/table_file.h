#pragma once
// Writing a SELECT into the one immutable file of a table: <private>/out.tmp, Parquet, carriers
// where Parquet would change a type. A failure leaves no file. Role ingest only; job thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/catalog.h"
#include "worker/child/engine/connection.h"

namespace ducat::ingest {

inline constexpr int64_t kRowGroupRows = 122'880;
inline constexpr std::string_view kStagedName = "out.tmp";

struct TableFile {
  std::vector<worker::CatalogColumn> columns;
  int64_t row_count = 0;
  int64_t bytes = 0;
};

[[nodiscard]] engine::EngineResult<TableFile> WriteTable(engine::Connection& connection,
                                                         std::string_view select_sql,
                                                         std::string_view private_dir);

}  // namespace ducat::ingest
