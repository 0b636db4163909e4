#pragma once
// Ingestion of one file of the data directory into one immutable table file (analyst.md 3): finds
// it, judges its bytes, lets the engine read it with types that all rows prove, writes
// <private>/out.tmp. Parquet is read in place: its footer and first row are looked at. Role ingest;
// job thread.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "worker/catalog.h"
#include "worker/child/engine/connection.h"
#include "worker/child/ingest/column_types.h"

namespace ducat::ingest {

enum class SourceFormat : uint8_t { kCsv, kTsv, kParquet, kJson };

struct IngestRequest {
  std::string_view data_dir;  // canonical
  std::string_view private_dir;
  std::string_view path;  // relative to data_dir; bytes, which need not be UTF-8
  SourceFormat format = SourceFormat::kCsv;
  uint64_t bytes_max = uint64_t{16} << 30;  // as it lies, and unpacked
  uint64_t unpack_ratio_max = 1'000;
};

// How a delimited text was cut (analyst.md 3.3).
struct FoundDialect {
  std::string delimiter;  // empty: a line is a field
  std::string quote;      // empty: quotes are text
  std::string escape;     // of a quote inside quotes
  std::string newline;    // "\n", "\r\n", "\r" or mixed
  bool header = true;
  std::string decimal_separator = ".";
};

// A column whose name in the file could not be taken as it is.
struct OriginalName {
  std::string column;
  std::string written;  // empty: the file gives it none
};

struct IngestedTable {
  std::vector<worker::CatalogColumn> columns;
  int64_t row_count = 0;
  int64_t bytes = 0;                    // of the file that is mounted
  bool in_place = false;                // the source is mounted, nothing was written
  std::vector<TypeFinding> findings;    // column empty: about the whole file
  std::string encoding;                 // empty: not a text file
  std::optional<FoundDialect> dialect;  // of delimited text
  std::optional<int64_t> rejected;      // records that are no rows; absent for Parquet
  std::vector<OriginalName> original_names;
};

// Reasons: those of FindSource, MakeReadable, Unpack, CheckJsonDepth and FileFailure; file_changed
// when somebody wrote to the file meanwhile; too_many_columns; no_records. After an error nothing
// is left behind but what the private directory's owner removes.
[[nodiscard]] Result<IngestedTable> IngestFile(engine::Connection& connection,
                                               const IngestRequest& request,
                                               const std::function<bool()>& interrupted);

}  // namespace ducat::ingest
