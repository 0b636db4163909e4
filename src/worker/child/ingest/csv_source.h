#pragma once
// What the engine reads of a scanned CSV file: the source itself where a plain reader cuts it as we
// did, else a copy of its rows in the plainest form. Either way the engine is told everything and
// guesses nothing. Job thread.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "worker/child/ingest/column_types.h"
#include "worker/child/ingest/csv_scan.h"

namespace ducat::ingest {

struct CsvSource {
  std::string path;
  char delimiter = ',';
  char quote = '"';
  int64_t skip = 0;     // lines before the first row
  bool header = false;  // the first row is left out
  size_t columns = 0;   // as the engine sees them
  size_t longest_record = 0;
};

// The source as it lies.
[[nodiscard]] CsvSource PlainSource(const CsvScan& scan, const std::string& path, bool header);
// Writes the rows (without the first when it is the header) into the private directory. Reasons:
// those of WalkCsv, temp_limit.
[[nodiscard]] Result<CsvSource> CopyRows(const CsvScan& scan, const std::string& path, bool header,
                                         std::string_view private_dir,
                                         const std::function<bool()>& interrupted);

// SQL of a table expression with the columns c0, c1, ...: VARCHAR as written (unquoted empty fields
// are NULL, quoted ones the empty string), or the type of the column where its reader takes every
// value; those are marked is_typed. `columns` may be fewer than the source has.
[[nodiscard]] std::string CsvSourceSql(const CsvSource& source, bool typed,
                                       std::vector<TextColumn>& columns);

// "c12"
[[nodiscard]] std::string CsvColumn(size_t index);

}  // namespace ducat::ingest
