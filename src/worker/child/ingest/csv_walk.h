#pragma once
// Reads a delimited text file once, from front to end, in constant memory, and says what each
// record is: a row, or why it is none (analyst.md 3.3). Nothing is passed over in silence. Job
// thread.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/child/ingest/csv_record.h"

namespace ducat::ingest {

struct CsvLayout {
  CsvDialect dialect;
  size_t columns = 1;
};

enum class RecordKind : uint8_t {
  kRow,
  kPadded,   // a row whose last fields are missing
  kTrimmed,  // a row with surplus fields that are all empty
  kTitle,    // before the first row
  kComment,
  kBlank,
  kFooter,   // one field where there should be three or more
  kTooLong,  // surplus fields with content
  kLongLine  // more than kLineBytesMax bytes; its fields are not looked at
};

// Called with the record as written; rows have exactly the layout's number of fields.
using RecordVisit =
    std::function<void(const CsvRecord& record, RecordKind kind, int64_t line_number)>;

// `path` holds UTF-8; a byte order mark is skipped. Reasons: permission, engine_error, cancelled.
[[nodiscard]] Status WalkCsv(const std::string& path, const CsvLayout& layout,
                             const std::function<bool()>& interrupted, const RecordVisit& visit);

// The start of the file without a byte order mark: `bytes` of it, or more when they hold but a few
// lines. `is_all`: nothing follows.
struct CsvHead {
  std::string text;
  bool is_all = false;
};
[[nodiscard]] Result<CsvHead> ReadCsvHead(const std::string& path, size_t bytes);

}  // namespace ducat::ingest
