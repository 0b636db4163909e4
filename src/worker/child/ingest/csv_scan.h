#pragma once
// One pass over a delimited file: what every record is and what the values of every column are. The
// accounting law of analyst.md 3.1 holds for its counts. Job thread.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "worker/child/ingest/csv_walk.h"
#include "worker/child/ingest/engine_loss.h"
#include "worker/child/ingest/value_class.h"

namespace ducat::ingest {

inline constexpr size_t kRejectedShown = 20;

struct RejectedRecord {
  int64_t line = 0;
  RecordKind kind = RecordKind::kFooter;
  std::string text;  // at most 200 bytes, whole characters
};

struct CsvScan {
  CsvLayout layout;
  // The first row, which may be the header. Empty: the file has no row.
  std::vector<std::optional<std::string>> first_fields;
  std::vector<ColumnFacts> first_facts;
  std::vector<ColumnFacts> facts;   // of all other rows
  std::vector<EngineLoss> losses;   // of the same
  int64_t rows = 0;                 // with the first
  std::array<int64_t, 9> counts{};  // records by kind
  size_t first_title_width = 0;     // fields of the first line, when it is no row
  int64_t lead_lines = 0;           // line ends before the first row
  int64_t inner_blanks = 0;         // blank records that others follow
  int64_t unterminated = 0;
  size_t longest_record = 0;
  bool mixed_ends = false;
  LineEnd end = LineEnd::kNone;  // of the records, when it is one
  // True: a reader that knows nothing but the layout reads the same, so the source itself is read.
  bool is_plain = true;
  std::vector<RejectedRecord> rejected;  // the first few
  int64_t first_padded_line = 0, first_long_line = 0;

  [[nodiscard]] int64_t count(RecordKind kind) const { return counts[static_cast<size_t>(kind)]; }
};

// Detects the layout, or takes the delimiter as told. Reasons: those of WalkCsv, too_many_columns,
// no_records.
[[nodiscard]] Result<CsvScan> ScanCsv(const std::string& path, std::string_view delimiter,
                                      const std::function<bool()>& interrupted);
// As told.
[[nodiscard]] Result<CsvScan> ScanCsvAs(const std::string& path, const CsvLayout& layout,
                                        const std::function<bool()>& interrupted);

}  // namespace ducat::ingest
