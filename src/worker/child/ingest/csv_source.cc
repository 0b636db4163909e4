#include "worker/child/ingest/csv_source.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "worker/child/engine/connection.h"

namespace ducat::ingest {
namespace {

using engine::QuoteText;

constexpr std::string_view kRowsName = "rows.tmp";
constexpr size_t kOutBytes = size_t{1} << 20;
// The engine's buffers are 16 lines of the longest allowed, so that is kept near what there is.
constexpr size_t kLineBytesMin = 2'000'000;

void AppendField(std::string& out, const std::string& value, bool quoted) {
  const bool needs_quotes = quoted || value.find_first_of(",\"\r\n") != std::string::npos ||
                            value.starts_with(' ') || value.ends_with(' ');
  if (!needs_quotes) {
    out += value;
    return;
  }
  out += '"';
  for (const char c : value) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

class RowWriter {
 public:
  RowWriter(std::FILE* file, const CsvDialect& dialect) : file_(file), dialect_(dialect) {}
  void Write(const CsvRecord& record) {
    for (size_t i = 0; i < record.fields.size(); ++i) {
      if (i > 0) out_ += ',';
      const CsvField& field = record.fields[i];
      if (!field.text.empty() || field.quoted) {
        AppendField(out_, CsvValue(field, dialect_), field.quoted);
      }
    }
    // An empty line would be no row.
    if (record.fields.size() == 1) out_ += ',';
    longest_ = std::max(longest_, out_.size() - line_start_);
    out_ += '\n';
    if (out_.size() >= kOutBytes) Flush();
    line_start_ = out_.size();
  }
  void Flush() {
    failed_ = failed_ || std::fwrite(out_.data(), 1, out_.size(), file_) != out_.size();
    out_.clear();
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] size_t longest() const { return longest_; }

 private:
  std::FILE* file_;
  CsvDialect dialect_;
  std::string out_;
  size_t line_start_ = 0;
  size_t longest_ = 0;
  bool failed_ = false;
};

bool HasOwnReader(TextType::Kind kind) {
  return kind == TextType::Kind::kBigInt || kind == TextType::Kind::kDouble ||
         kind == TextType::Kind::kDate || kind == TextType::Kind::kTimestamp;
}

}  // namespace

CsvSource PlainSource(const CsvScan& scan, const std::string& path, bool header) {
  const CsvDialect& dialect = scan.layout.dialect;
  const bool one_column = dialect.delimiter == CsvDialect::kNone;
  return {.path = path,
          .delimiter = one_column ? ',' : dialect.delimiter,
          .quote = dialect.quote,
          .skip = scan.lead_lines,
          .header = header,
          .columns = scan.layout.columns,
          .longest_record = scan.longest_record};
}

Result<CsvSource> CopyRows(const CsvScan& scan, const std::string& path, bool header,
                           std::string_view private_dir, const std::function<bool()>& interrupted) {
  const std::string copy = (std::filesystem::path(private_dir) / kRowsName).string();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(copy.c_str(), "wbe"),
                                                             &std::fclose);
  if (file == nullptr) return Internal("cannot write into the private directory");
  RowWriter writer(file.get(), scan.layout.dialect);
  bool leave_out = header;
  TRY(WalkCsv(path, scan.layout, interrupted,
              [&](const CsvRecord& record, RecordKind kind, int64_t) {
                if (kind > RecordKind::kTrimmed) return;
                if (!leave_out) writer.Write(record);
                leave_out = false;
              }));
  writer.Flush();
  if (writer.failed() || std::fflush(file.get()) != 0) {
    return Fail(ErrorCode::kResourceExhausted, "temp_limit", "No room for a copy of the rows",
                "Raise --temp-limit.");
  }
  return CsvSource{.path = copy,
                   .columns = std::max<size_t>(scan.layout.columns, 2),
                   .longest_record = writer.longest()};
}

std::string CsvColumn(size_t index) {
  return fmt::format("c{}", index);
}

std::string CsvSourceSql(const CsvSource& source, bool typed, std::vector<TextColumn>& columns) {
  std::string spec;
  for (size_t i = 0; i < source.columns; ++i) {
    std::string type = "VARCHAR";
    if (i < columns.size()) {
      columns[i].is_typed =
          typed && !columns[i].facts.needs_trim && HasOwnReader(columns[i].type.kind);
      if (columns[i].is_typed) type = columns[i].type.Name();
    }
    spec += fmt::format("{}c{}: '{}'", i == 0 ? "" : ", ", i, type);
  }
  const bool has_quote = source.quote != CsvDialect::kNone;
  const std::string quote = QuoteText(has_quote ? std::string(1, source.quote) : "");
  return fmt::format(
      "read_csv({}, auto_detect = false, header = {}, skip = {}, delim = {}, quote = {},"
      " escape = {}, comment = '', columns = {{{}}}, nullstr = '', allow_quoted_nulls = false,"
      " strict_mode = true, null_padding = false, max_line_size = {}, hive_partitioning = false)",
      engine::QuotePath(source.path), source.header, source.skip,
      QuoteText(std::string(1, source.delimiter)), quote, quote, spec,
      std::max(source.longest_record + 2, kLineBytesMin));
}

}  // namespace ducat::ingest
