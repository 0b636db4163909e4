#include "worker/child/ingest/csv_walk.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>

#include "worker/child/ingest/text_window.h"

namespace ducat::ingest {
namespace {

constexpr int kRecordsPerCheck = 50'000;

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
    if (!AreEmpty(surplus, fields.end())) {
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
    const RecordKind kind = JudgeRecord(record, columns_, any_row_);
    any_row_ = any_row_ || kind == RecordKind::kRow || kind == RecordKind::kTrimmed;
    if (kind == RecordKind::kBlank && columns_ == 1 && any_row_) {
      ++empty_lines_;
    } else {
      for (; empty_lines_ > 0; --empty_lines_) {
        visit_(missing_, RecordKind::kRow, line_ - empty_lines_);
      }
      visit_(record, kind, line_);
    }
    line_ += record.lines;
  }
  void Finish() {
    for (; empty_lines_ > 0; --empty_lines_) {
      visit_(missing_, RecordKind::kBlank, line_ - empty_lines_);
    }
  }

 private:
  size_t columns_;
  const RecordVisit& visit_;
  CsvRecord missing_;
  int64_t line_ = 1;
  int64_t empty_lines_ = 0;  // not handed on yet
  bool any_row_ = false;
};

}  // namespace

Status WalkCsv(const std::string& path, const CsvLayout& layout,
               const std::function<bool()>& interrupted, const RecordVisit& visit) {
  TextWindow window;
  TRY(window.Open(path));
  CsvCutter cutter(layout.dialect);
  RecordSink sink(layout, visit);
  CsvRecord record;
  int until_check = kRecordsPerCheck;
  while (!window.text().empty() || !window.is_last()) {
    const bool is_cut =
        !window.text().empty() && cutter.Cut(window.text(), window.is_last(), record);
    if (is_cut) {
      sink.Take(record);
      window.Take(record.bytes);
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
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             &std::fclose);
  if (file == nullptr) {
    return Fail(ErrorCode::kFailedPrecondition, "permission", "The file cannot be opened");
  }
  CsvHead head;
  head.text.resize(bytes + 1);
  const size_t got = std::fread(head.text.data(), 1, head.text.size(), file.get());
  head.is_all = got <= bytes;
  head.text.resize(std::min(got, bytes));
  if (head.text.starts_with(kUtf8Mark)) head.text.erase(0, kUtf8Mark.size());
  return head;
}

}  // namespace ducat::ingest
