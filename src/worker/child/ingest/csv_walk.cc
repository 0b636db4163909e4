#include "worker/child/ingest/csv_walk.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "worker/child/ingest/open_file.h"
#include "worker/child/ingest/text_window.h"

namespace ducat::ingest {
namespace {

constexpr int kRecordsPerCheck = 50'000;
constexpr size_t kShownBytes = 200;
// A head with fewer lines tells nothing of the layout.
constexpr std::ptrdiff_t kHeadLinesMin = 4;

bool IsTooLong(std::string_view line) {
  return static_cast<int64_t>(line.size()) > kLineBytesMax;
}

bool AreEmpty(std::vector<CsvField>::const_iterator first,
              std::vector<CsvField>::const_iterator last) {
  return std::all_of(first, last, [](const CsvField& field) {
    return !field.quoted && field.text.find_first_not_of(' ') == std::string_view::npos;
  });
}

RecordKind JudgeRecord(CsvRecord& record, size_t columns, bool any_row) {
  std::vector<CsvField>& fields = record.fields;
  // In one column an empty line is a value that is missing; WalkCsv tells those at the end.
  const bool is_value = columns == 1 && any_row && !record.text.empty();
  if (record.is_blank() && !is_value) {
    return record.text.starts_with('#') ? RecordKind::kComment : RecordKind::kBlank;
  }
  const size_t count = fields.size();
  if (count == columns) {
    const bool is_remark = columns == 1 && !any_row && record.text.starts_with('#');
    return is_remark ? RecordKind::kComment : RecordKind::kRow;
  }
  if (record.text.starts_with('#')) return RecordKind::kComment;
  if (count > columns) {
    const auto surplus = fields.begin() + static_cast<std::ptrdiff_t>(columns);
    if (record.width > count || !AreEmpty(surplus, fields.end())) {
      return any_row ? RecordKind::kTooLong : RecordKind::kTitle;
    }
    fields.erase(surplus, fields.end());
    return RecordKind::kTrimmed;
  }
  if (!any_row) return RecordKind::kTitle;
  if (count == 1 && columns >= 3) return RecordKind::kFooter;
  fields.resize(columns);
  return RecordKind::kPadded;
}

// Hands the records on; in one column, empty lines between values are values that are missing.
class RecordSink {
 public:
  RecordSink(const CsvLayout& layout, const RecordVisit& visit)
      : columns_(layout.columns), visit_(visit) {
    missing_.fields.resize(1);
    missing_.end = LineEnd::kNone;
  }
  void Take(CsvRecord& record) {
    const RecordKind kind =
        IsTooLong(record.text) ? RecordKind::kLongLine : JudgeRecord(record, columns_, any_row_);
    any_row_ = any_row_ || kind == RecordKind::kRow || kind == RecordKind::kTrimmed;
    if (kind == RecordKind::kBlank && columns_ == 1 && any_row_) {
      ++empty_lines_;
      line_ += record.lines;
    } else {
      Hand(record, kind);
    }
  }
  void TakeLong(const CsvRecord& record) { Hand(record, RecordKind::kLongLine); }
  void Finish() {
    for (; empty_lines_ > 0; --empty_lines_) {
      visit_(missing_, RecordKind::kBlank, line_ - empty_lines_);
    }
  }

 private:
  void Hand(const CsvRecord& record, RecordKind kind) {
    for (; empty_lines_ > 0; --empty_lines_) {
      visit_(missing_, RecordKind::kRow, line_ - empty_lines_);
    }
    visit_(record, kind, line_);
    line_ += record.lines;
  }

  size_t columns_;
  const RecordVisit& visit_;
  CsvRecord missing_;
  int64_t line_ = 1;
  int64_t empty_lines_ = 0;  // not handed on yet
  bool any_row_ = false;
};

// The line at the window's start, longer than a line may be, is passed over without being held.
// `record` tells its beginning, which stays in `shown`.
Status SkipLine(TextWindow& window, std::string& shown, CsvRecord& record) {
  shown = window.text().substr(0, kShownBytes);
  record = CsvRecord{.fields = {}, .text = shown, .end = LineEnd::kNone};
  while (true) {
    const std::string_view text = window.text();
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const bool is_cut = end + 1 >= text.size() && !window.is_last();
    if (end < text.size() && !is_cut) {
      const bool is_pair = text.substr(end, 2) == "\r\n";
      record.end = is_pair ? LineEnd::kCrLf : text[end] == '\n' ? LineEnd::kLf : LineEnd::kCr;
      window.Take(end + (is_pair ? 2 : 1));
      return {};
    }
    window.Take(end);
    if (window.is_last()) return {};
    TRY(window.Fill());
  }
}

}  // namespace

Status WalkCsv(const std::string& path, const CsvLayout& layout,
               const std::function<bool()>& interrupted, const RecordVisit& visit) {
  TextWindow window;
  TRY(window.Open(path));
  CsvCutter cutter(layout.dialect);
  RecordSink sink(layout, visit);
  CsvRecord record;
  std::string shown;
  int until_check = kRecordsPerCheck;
  while (!window.text().empty() || !window.is_last()) {
    const bool is_cut =
        !window.text().empty() && cutter.Cut(window.text(), window.is_last(), record);
    if (is_cut) {
      sink.Take(record);
      window.Take(record.bytes);
    } else if (window.text().size() > static_cast<size_t>(kLineBytesMax) + 2) {
      TRY(SkipLine(window, shown, record));
      sink.TakeLong(record);
    } else {
      TRY(window.Fill());
    }
    if (is_cut && --until_check > 0) continue;
    until_check = kRecordsPerCheck;
    if (interrupted()) return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
  }
  sink.Finish();
  return {};
}

Result<CsvHead> ReadCsvHead(const std::string& path, size_t bytes) {
  TRY_ASSIGN(const FileHandle file, OpenToRead(path));
  constexpr size_t kBytesMax = 2 * static_cast<size_t>(kLineBytesMax);
  CsvHead head;
  std::ptrdiff_t lines = 0;
  while (!head.is_all && lines < kHeadLinesMin && head.text.size() < kBytesMax) {
    const size_t held = head.text.size();
    const size_t wanted = std::max(bytes, held);
    head.text.resize(held + wanted);
    const size_t got = std::fread(head.text.data() + held, 1, wanted, file.get());
    head.text.resize(held + got);
    const int next = got < wanted ? EOF : std::fgetc(file.get());
    head.is_all = next == EOF || std::ungetc(next, file.get()) == EOF;
    lines = std::max(std::count(head.text.begin(), head.text.end(), '\n'),
                     std::count(head.text.begin(), head.text.end(), '\r'));
  }
  if (head.text.starts_with(kUtf8Mark)) head.text.erase(0, kUtf8Mark.size());
  return head;
}

}  // namespace ducat::ingest
