#include "worker/child/ingest/csv_scan.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "worker/child/ingest/csv_dialect.h"

namespace ducat::ingest {
namespace {

constexpr size_t kShownBytes = 200;

class Scanner {
 public:
  explicit Scanner(const CsvLayout& layout) : fields_seen_(kColumnsMax + 2) {
    scan_.layout = layout;
    scan_.facts.resize(layout.columns);
    scan_.losses.resize(layout.columns);
  }

  void Visit(const CsvRecord& record, RecordKind kind, int64_t line) {
    NoteForm(record, kind, line);
    const bool is_first_line = kind == RecordKind::kTitle && line == 1;
    if (is_first_line) scan_.first_title_width = record.width;
    ++scan_.counts[static_cast<size_t>(kind)];
    const bool is_row = kind <= RecordKind::kTrimmed;
    if (is_row && scan_.rows++ > 0) {
      TakeRow(record, line);
    } else if (is_row) {
      TakeFirst(record, line);
    } else if (kind >= RecordKind::kFooter && scan_.rejected.size() < kRejectedShown) {
      scan_.rejected.push_back(
          {.line = line, .kind = kind, .text = std::string(ClipUtf8(record.text, kShownBytes))});
    }
  }

  [[nodiscard]] CsvScan Finish() && {
    if (ends_ > 1) scan_.mixed_ends = true;
    scan_.end = last_end_;
    if (scan_.mixed_ends || cr_ends_) scan_.is_plain = false;
    return std::move(scan_);
  }
  // The width of most records, when it is not that of the layout.
  [[nodiscard]] std::optional<size_t> BetterWidth() const {
    const auto most = std::max_element(fields_seen_.begin() + 2, fields_seen_.end());
    const auto width = static_cast<size_t>(most - fields_seen_.begin());
    if (scan_.layout.columns < 2 || *most <= fields_seen_[scan_.layout.columns]) return {};
    return width;
  }

 private:
  // Whether a plain reader would have read the record so too.
  void NoteForm(const CsvRecord& record, RecordKind kind, int64_t line) {
    if (kind != RecordKind::kBlank) {
      if (blanks_ > 0) scan_.is_plain = scan_.is_plain && scan_.rows == 0;
      scan_.inner_blanks += blanks_;
      if (kind != RecordKind::kLongLine) NoteWidth(record, kind);
    }
    const bool is_blank = kind == RecordKind::kBlank;
    blanks_ = is_blank ? blanks_ + 1 : 0;
    const bool is_lead =
        kind == RecordKind::kTitle || kind == RecordKind::kComment || kind == RecordKind::kBlank;
    const bool is_skipped = is_lead && scan_.rows == 0;
    if (kind != RecordKind::kRow && !is_skipped && !is_blank) {
      scan_.is_plain = false;
    }
    if (record.width == 0 || scan_.layout.dialect.remarks) scan_.is_plain = false;
    if (record.odd || (is_lead && record.text.find('"') != std::string_view::npos)) {
      scan_.is_plain = false;
    }
    if (is_blank && !record.text.empty()) scan_.is_plain = false;
    if (scan_.layout.columns == 1) NoteOneColumn(record);
    if (record.unterminated) ++scan_.unterminated;
    if (kind == RecordKind::kPadded && scan_.first_padded_line == 0) scan_.first_padded_line = line;
    if (kind == RecordKind::kLongLine && scan_.first_long_line == 0) scan_.first_long_line = line;
    NoteEnd(record.end);
  }
  void NoteOneColumn(const CsvRecord& record) {
    const bool quoted = !record.fields.empty() && record.fields.front().quoted;
    // The engine cuts at some delimiter, always; and takes an empty line for a value.
    if (blanks_ > 0 || (!quoted && record.text.find(',') != std::string_view::npos)) {
      scan_.is_plain = false;
    }
  }
  void NoteWidth(const CsvRecord& record, RecordKind kind) {
    const size_t width = kind == RecordKind::kTrimmed ? scan_.layout.columns : record.width;
    ++fields_seen_[std::min(width, fields_seen_.size() - 1)];
    scan_.longest_record = std::max(scan_.longest_record, record.bytes);
  }
  void NoteEnd(LineEnd end) {
    if (end == LineEnd::kNone || end == last_end_) return;
    last_end_ = end;
    const auto bit = 1U << static_cast<unsigned>(end);
    if ((ends_seen_ & bit) != 0) return;
    ends_seen_ |= bit;
    ++ends_;
    cr_ends_ = cr_ends_ || end == LineEnd::kCr;
  }
  void TakeRow(const CsvRecord& record, int64_t line) {
    for (size_t i = 0; i < record.fields.size(); ++i) {
      const CsvField& field = record.fields[i];
      const TextClasses found = scan_.facts[i].AddField(field.text, field.quoted);
      scan_.losses[i].Look(found, line, field.text);
    }
    if (scan_.rows != kEngineSampleRows) return;
    for (size_t i = 0; i < scan_.losses.size(); ++i) {
      scan_.losses[i].EndSample(scan_.facts[i].classes);
    }
  }
  void TakeFirst(const CsvRecord& record, int64_t line) {
    scan_.lead_lines = line - 1;
    for (const CsvField& field : record.fields) {
      const bool is_null = field.text.empty() && !field.quoted;
      scan_.first_fields.push_back(is_null ? std::nullopt
                                           : std::optional(CsvValue(field, scan_.layout.dialect)));
      scan_.first_facts.emplace_back().AddField(field.text, field.quoted);
    }
  }

  CsvScan scan_;
  std::vector<int64_t> fields_seen_;  // records by their number of fields
  int64_t blanks_ = 0;                // blank records just before
  unsigned ends_seen_ = 0;
  int ends_ = 0;
  bool cr_ends_ = false;
  LineEnd last_end_ = LineEnd::kNone;
};

Result<Scanner> Scan(const std::string& path, const CsvLayout& layout,
                     const std::function<bool()>& interrupted) {
  if (layout.columns > kColumnsMax) {
    return Fail(
        ErrorCode::kFailedPrecondition, "too_many_columns",
        fmt::format("The file has {} columns, the limit is {}", layout.columns, kColumnsMax));
  }
  Scanner scanner(layout);
  TRY(WalkCsv(path, layout, interrupted,
              [&scanner](const CsvRecord& record, RecordKind kind, int64_t line) {
                scanner.Visit(record, kind, line);
              }));
  return scanner;
}

}  // namespace

Result<CsvScan> ScanCsvAs(const std::string& path, const CsvLayout& layout,
                          const std::function<bool()>& interrupted) {
  TRY_ASSIGN(Scanner scanner, Scan(path, layout, interrupted));
  return std::move(scanner).Finish();
}

Result<CsvScan> ScanCsv(const std::string& path, std::string_view delimiter,
                        const std::function<bool()>& interrupted) {
  TRY_ASSIGN(const CsvHead head, ReadCsvHead(path, kDialectSampleBytes));
  CsvLayout layout = DetectLayout(head, delimiter);
  TRY_ASSIGN(Scanner scanner, Scan(path, layout, interrupted));
  const std::optional<size_t> better = scanner.BetterWidth();
  if (!better.has_value()) return std::move(scanner).Finish();
  layout.columns = *better;  // the sample was not like the rest
  return ScanCsvAs(path, layout, interrupted);
}

}  // namespace ducat::ingest
