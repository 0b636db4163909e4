// CSV: our own pass over the file finds layout, header and types from every record and value
// (analyst.md 3.3, 3.4); the engine then reads what it is told to.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/text.h"
#include "worker/child/ingest/column_names.h"
#include "worker/child/ingest/csv_scan.h"
#include "worker/child/ingest/csv_source.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/readers.h"
#include "worker/child/ingest/table_file.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;

constexpr size_t kShownNameBytes = 200;

bool IsYear(const std::optional<std::string>& field) {
  return field.has_value() && field->size() == 4 &&
         std::all_of(field->begin(), field->end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Ascending years over typed columns are names after all when a text column's first field stands
// out.
bool AreYearNames(const CsvScan& scan, const std::vector<TextColumn>& columns) {
  int previous = 0;
  bool any_year = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].type.kind == TextType::Kind::kVarchar) continue;
    if (!IsYear(scan.first_fields[i])) return false;
    const int year = std::stoi(*scan.first_fields[i]);
    if (year <= previous) return false;
    previous = year;
    any_year = true;
  }
  return any_year;
}

// A column that is text because of the form of its values (a code, an unclear date) tells names
// from data as well as a typed one does.
bool HasForm(const TextType& type) {
  return type.kind != TextType::Kind::kVarchar || !type.warning.empty();
}

bool FitsColumn(TextClasses field, const TextColumn& column) {
  if (column.type.warning.empty()) return FitsType(field, column.type, column.origin);
  return field == 0 ||
         DecideType(column.facts.classes | field, column.origin).warning == column.type.warning;
}

// True when the first record holds names; the rule of analyst.md 3.3.
bool HoldsNames(const CsvScan& scan, const std::vector<TextColumn>& columns) {
  bool any_form = false;
  bool any_field = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    any_field = any_field || scan.first_facts[i].classes != 0;
    if (!HasForm(columns[i].type)) continue;
    any_form = true;
    if (!FitsColumn(scan.first_facts[i].classes, columns[i])) return true;
  }
  return !any_form || !any_field;
}

struct Header {
  bool present = true;
  std::string_view finding;
};

// The years exception asks whether a text column's first field occurs nowhere else in it. A second
// pass, for the few files whose first record is made of years.
Result<bool> FirstTextStandsOut(const CsvScan& scan, const std::vector<TextColumn>& columns,
                                const std::string& path, const std::function<bool()>& interrupted) {
  std::vector<size_t> alone;
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool is_text = columns[i].type.kind == TextType::Kind::kVarchar;
    if (is_text && scan.first_fields[i].has_value()) alone.push_back(i);
  }
  int64_t row = 0;
  TRY(WalkCsv(path, scan.layout, interrupted,
              [&](const CsvRecord& record, RecordKind kind, int64_t) {
                if (kind > RecordKind::kTrimmed || row++ == 0) return;
                std::erase_if(alone, [&](size_t i) {
                  return CsvValue(record.fields[i], scan.layout.dialect) == scan.first_fields[i];
                });
              }));
  return !alone.empty();
}

Result<Header> JudgeHeader(const CsvScan& scan, const std::vector<TextColumn>& columns,
                           const std::string& path, const std::function<bool()>& interrupted) {
  if (HoldsNames(scan, columns)) return Header{};
  if (AreYearNames(scan, columns)) {
    TRY_ASSIGN(const bool stands_out, FirstTextStandsOut(scan, columns, path, interrupted));
    if (stands_out) return Header{.present = true, .finding = "header_years"};
  }
  return Header{.present = false, .finding = "header_missing"};
}

// The scan's columns with names and types; a wholly empty, unnamed last one is left out.
struct Plan {
  Header header;
  std::vector<TextColumn> columns;
  std::vector<TypeFinding> findings;
  bool drops_last = false;
};

void Note(IngestedTable& table, std::string code, int64_t count, std::string message) {
  if (count == 0) return;
  table.findings.push_back({.code = std::move(code),
                            .column = {},
                            .count = count,
                            .message = std::move(message),
                            .suggestion = {}});
}

// "line 107: Total, line 108: ...", the first few.
std::string Shown(const CsvScan& scan, RecordKind kind) {
  constexpr size_t kShown = 3;
  std::string text;
  size_t shown = 0;
  for (const RejectedRecord& record : scan.rejected) {
    if (record.kind != kind || shown == kShown) continue;
    text += fmt::format("{}line {}: \"{}\"", shown++ == 0 ? "" : ", ", record.line, record.text);
  }
  return text;
}

void NoteRecords(const CsvScan& scan, IngestedTable& table) {
  const auto shown = [&](RecordKind kind) { return Shown(scan, kind); };
  Note(table, "title_lines", scan.count(RecordKind::kTitle),
       "Lines before the first record that are no records were left out");
  Note(table, "comment_lines", scan.count(RecordKind::kComment),
       "Lines that begin with # were left out");
  Note(table, "blank_lines", scan.inner_blanks, "Blank lines were left out");
  Note(table, "short_rows", scan.count(RecordKind::kPadded),
       fmt::format("Missing fields of short records are NULL, first in line {}",
                   scan.first_padded_line));
  Note(table, "footer", scan.count(RecordKind::kFooter),
       fmt::format("Rejected, one field where the table has {}: {}", scan.layout.columns,
                   shown(RecordKind::kFooter)));
  Note(table, "long_row", scan.count(RecordKind::kTooLong),
       fmt::format("Rejected, more fields than the {} of the table: {}", scan.layout.columns,
                   shown(RecordKind::kTooLong)));
  Note(table, "line_too_long", scan.count(RecordKind::kLongLine),
       fmt::format("Rejected, longer than the {} bytes of a line: {}", WithThousands(kLineBytesMax),
                   shown(RecordKind::kLongLine)));
  Note(table, "trailing_delimiter", scan.count(RecordKind::kTrimmed),
       "Empty fields beyond the last column were dropped");
  Note(table, "unterminated_quote", scan.unterminated, "A quote that never closes is kept as text");
  Note(table, "mixed_newlines", scan.mixed_ends ? 1 : 0, "Lines end in more than one way");
}

std::string_view EndName(const CsvScan& scan) {
  if (scan.mixed_ends) return "mixed";
  switch (scan.end) {
    case LineEnd::kCrLf:
      return "\r\n";
    case LineEnd::kCr:
      return "\r";
    case LineEnd::kLf:
    case LineEnd::kNone:
      break;
  }
  return "\n";
}

FoundDialect DialectOf(const CsvScan& scan, const Plan& plan) {
  const CsvDialect& dialect = scan.layout.dialect;
  const auto shown = [](char c) {
    return c == CsvDialect::kNone ? std::string() : std::string(1, c);
  };
  const bool commas = std::ranges::any_of(plan.columns, [](const TextColumn& column) {
    return column.type.kind == TextType::Kind::kCommaDouble;
  });
  return {.delimiter = shown(dialect.delimiter),
          .quote = shown(dialect.quote),
          .escape = dialect.backslash ? "\\" : shown(dialect.quote),
          .newline = std::string(EndName(scan)),
          .header = plan.header.present,
          .decimal_separator = commas ? "," : "."};
}

// Names that could not be taken as written, outer blanks aside.
void NoteNames(const CsvScan& scan, const Plan& plan, IngestedTable& table) {
  if (!plan.header.present) return;
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    const std::string written = scan.first_fields[i].value_or("");
    const std::string& name = plan.columns[i].name;
    if (Trim(written) == name) continue;
    table.original_names.push_back(
        {.column = name, .written = std::string(ClipUtf8(Trim(written), kShownNameBytes))});
    table.findings.push_back({.code = "original_name",
                              .column = name,
                              .count = 1,
                              .message = Trim(written).empty()
                                             ? std::string("The header gives the column no name")
                                             : fmt::format("The header calls the column \"{}\"",
                                                           ClipUtf8(written, kShownNameBytes)),
                              .suggestion = {}});
  }
}

// What the engine would have made of columns about which there is nothing else to say.
void NoteLosses(const CsvScan& scan, const Plan& plan, engine::Connection& connection,
                std::vector<TypeFinding>& findings) {
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    auto finding = scan.losses[i].Finding(plan.columns[i], connection);
    if (finding.has_value()) findings.push_back(*std::move(finding));
  }
}

void NoteHeader(const CsvScan& scan, const Header& header, bool drops_last, IngestedTable& table) {
  Note(table, "header_missing", header.finding == "header_missing" ? 1 : 0,
       "The first record is data; columns are named column0, column1, ...");
  Note(table, "header_years", header.finding == "header_years" ? 1 : 0,
       "The first record looks like data but holds years as names");
  Note(table, "trailing_delimiter", drops_last ? scan.rows : 0,
       "The last column has neither name nor value and was dropped");
  const bool one_column = scan.layout.columns == 1 && header.present;
  const std::string_view name = one_column && scan.first_fields[0].has_value()
                                    ? std::string_view(*scan.first_fields[0])
                                    : std::string_view();
  Note(table, "delimiter_doubt", name.find_first_of(",;\t|") != std::string_view::npos ? 1 : 0,
       "The header holds a delimiter, yet the records do not: read as one column");
}

Result<Plan> MakePlan(CsvScan& scan, const std::string& path,
                      const std::function<bool()>& interrupted) {
  Plan plan;
  plan.columns.resize(scan.layout.columns);
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    plan.columns[i].column = CsvColumn(i);
    plan.columns[i].facts = scan.facts[i];
    plan.columns[i].type = DecideType(scan.facts[i].classes, TextOrigin::kDelimited);
  }
  TRY_ASSIGN(plan.header, JudgeHeader(scan, plan.columns, path, interrupted));
  plan.drops_last = plan.header.present && plan.columns.size() > 1 &&
                    scan.facts.back().is_empty() && !scan.first_fields.back().has_value();
  std::vector<std::optional<std::string>> names = scan.first_fields;
  if (!plan.header.present) {
    for (size_t i = 0; i < plan.columns.size(); ++i) {
      plan.columns[i].facts.Merge(scan.first_facts[i]);
    }
    names.assign(names.size(), std::nullopt);
  }
  if (plan.drops_last) plan.columns.pop_back();
  names.resize(plan.columns.size());
  const std::vector<std::string> unique = HeaderNames(names);
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    plan.columns[i].name = unique[i];
  }
  const bool comma_decimals = scan.layout.dialect.delimiter != ',';
  plan.findings = SettleTypes(comma_decimals, plan.columns);
  return plan;
}

EngineResult<TableFile> Load(engine::Connection& connection, const CsvSource& source, bool typed,
                             Plan& plan, std::string_view private_dir) {
  const std::string source_sql = CsvSourceSql(source, typed, plan.columns);
  return WriteTable(connection, TypedSelectSql(source_sql, plan.columns), private_dir);
}

// What a plain reader may read is read in place; when it finds other rows than we did, or refuses,
// its reading is thrown away and it is shown our own cut.
EngineResult<TableFile> LoadRows(engine::Connection& connection, const CsvScan& scan, Plan& plan,
                                 const CsvJob& job) {
  const int64_t rows = scan.rows - (plan.header.present ? 1 : 0);
  if (scan.is_plain) {
    const CsvSource source = PlainSource(scan, job.path, plan.header.present);
    auto file = Load(connection, source, /*typed=*/true, plan, job.private_dir);
    if (file.has_value() ? file->row_count == rows : IsFinal(file.error())) return file;
  }
  auto copied = CopyRows(scan, job.path, plan.header.present, job.private_dir, job.interrupted);
  if (!copied.has_value()) return OwnError(copied.error());
  auto file = Load(connection, *copied, /*typed=*/true, plan, job.private_dir);
  std::error_code ignored;
  std::filesystem::remove(copied->path, ignored);
  if (file.has_value() && file->row_count != rows) {
    return OwnError("file_changed", "The file changed while it was read");
  }
  return file;
}

// Where all records are shorter than the one line above them, which then holds the names.
Result<void> WidenToHeader(CsvScan& scan, Plan& plan, const CsvJob& job) {
  const bool is_wide = scan.first_title_width > scan.layout.columns;
  if (plan.header.present || !is_wide || scan.count(RecordKind::kTitle) != 1) return {};
  TRY_ASSIGN(
      scan, ScanCsvAs(job.path, {.dialect = scan.layout.dialect, .columns = scan.first_title_width},
                      job.interrupted));
  TRY_ASSIGN(plan, MakePlan(scan, job.path, job.interrupted));
  return {};
}

}  // namespace

EngineResult<IngestedTable> ReadCsv(engine::Connection& connection, const CsvJob& job) {
  auto scan = ScanCsv(job.path, job.delimiter, job.interrupted);
  if (!scan.has_value()) return OwnError(scan.error());
  // Without the lines before the first row nobody knows what the columns are called; one row is but
  // a header.
  const int64_t long_line = scan->first_long_line;
  if (long_line > 0 && (scan->rows <= 1 || long_line <= scan->lead_lines)) {
    return OwnError("line_too_long",
                    fmt::format("Line {} is longer than {} bytes, the limit of a "
                                "line",
                                WithThousands(long_line), WithThousands(kLineBytesMax)));
  }
  if (scan->rows == 0) return OwnError("no_records", "The file holds no record");
  auto plan = MakePlan(*scan, job.path, job.interrupted);
  if (!plan.has_value()) return OwnError(plan.error());
  auto widened = WidenToHeader(*scan, *plan, job);
  if (!widened.has_value()) return OwnError(widened.error());
  auto file = LoadRows(connection, *scan, *plan, job);
  if (!file.has_value()) return tl::unexpected(std::move(file).error());
  IngestedTable table{.columns = std::move(file->columns),
                      .row_count = file->row_count,
                      .bytes = file->bytes,
                      .in_place = false,
                      .findings = std::move(plan->findings)};
  NoteLosses(*scan, *plan, connection, table.findings);
  table.dialect = DialectOf(*scan, *plan);
  NoteNames(*scan, *plan, table);
  NoteRecords(*scan, table);
  NoteHeader(*scan, plan->header, plan->drops_last, table);
  return table;
}

}  // namespace ducat::ingest
