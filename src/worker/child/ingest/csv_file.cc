// CSV: the engine guesses the layout, a whole read proves it; header, names and types are decided
// from every value (analyst.md 3.3, 3.4).
#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "worker/child/ingest/column_names.h"
#include "worker/child/ingest/csv_layout.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/readers.h"
#include "worker/child/ingest/table_file.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;

struct FirstRecord {
  std::vector<std::optional<std::string>> fields;
  std::vector<TextClasses> classes;
};

EngineResult<std::optional<FirstRecord>> ReadFirstRecord(engine::Connection& connection,
                                                         const CsvLayout& layout,
                                                         std::string_view path) {
  auto rows = connection.Run("SELECT * FROM " + CsvSourceSql(layout, path, false) + " LIMIT 1");
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  if (table->empty()) return std::optional<FirstRecord>{};
  FirstRecord record{.fields = std::move(table->front()), .classes = {}};
  std::string values;
  for (const auto& field : record.fields) {
    values += (values.empty() ? "(" : ", (") +
              (field.has_value() ? engine::QuoteText(*field) : std::string("NULL")) + "::VARCHAR)";
  }
  auto judged =
      connection.Run(fmt::format("SELECT {} FROM (SELECT {} AS v FROM (VALUES {}) t(c))",
                                 ClassSql("v"), JudgedSql(TextOrigin::kDelimited, "c"), values));
  if (!judged.has_value()) return tl::unexpected(std::move(judged).error());
  auto numbers = judged->AllText();
  if (!numbers.has_value()) return tl::unexpected(std::move(numbers).error());
  for (const auto& row : *numbers) {
    TextClasses value = 0;
    const auto& number = row.front();
    if (number) std::from_chars(number->data(), number->data() + number->size(), value);
    record.classes.push_back(value);
  }
  return std::optional(std::move(record));
}

bool IsYear(const std::optional<std::string>& field) {
  return field.has_value() && field->size() == 4 &&
         std::all_of(field->begin(), field->end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Ascending years over typed columns are names after all when a text column's first field stands
// out.
bool AreYearNames(const FirstRecord& first, const std::vector<TextColumn>& columns) {
  int previous = 0;
  bool any_year = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].type.kind == TextType::Kind::kVarchar) continue;
    if (!IsYear(first.fields[i])) return false;
    const int year = std::stoi(*first.fields[i]);
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
         DecideType(column.classes | field, column.origin).warning == column.type.warning;
}

// True when the first record holds names; the rule of analyst.md 3.3.
bool HoldsNames(const FirstRecord& first, const std::vector<TextColumn>& columns) {
  bool any_form = false;
  bool any_field = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    any_field = any_field || first.classes[i] != 0;
    if (!HasForm(columns[i].type)) continue;
    any_form = true;
    if (!FitsColumn(first.classes[i], columns[i])) return true;
  }
  return !any_form || !any_field;
}

// The years exception asks whether a text column's first field occurs nowhere else in it.
EngineResult<bool> FirstTextStandsOut(engine::Connection& connection, const std::string& source_sql,
                                      const FirstRecord& first,
                                      const std::vector<TextColumn>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].type.kind != TextType::Kind::kVarchar || !first.fields[i].has_value()) continue;
    auto rows = connection.Run(fmt::format("SELECT count(*) FROM {} WHERE {} = {}", source_sql,
                                           columns[i].column, engine::QuoteText(*first.fields[i])));
    if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
    auto table = rows->AllText();
    if (!table.has_value()) return tl::unexpected(std::move(table).error());
    if (table->front().front() == "0") return true;
  }
  return false;
}

struct Header {
  bool present = true;
  std::string_view finding;
};

EngineResult<Header> JudgeHeader(engine::Connection& connection, const std::string& source_sql,
                                 const FirstRecord& first, const std::vector<TextColumn>& columns) {
  if (HoldsNames(first, columns)) return Header{};
  if (AreYearNames(first, columns)) {
    auto stands_out = FirstTextStandsOut(connection, source_sql, first, columns);
    if (!stands_out.has_value()) return tl::unexpected(std::move(stands_out).error());
    if (*stands_out) return Header{.present = true, .finding = "header_years"};
  }
  return Header{.present = false, .finding = "header_missing"};
}

void NoteLayout(const CsvLayout& layout, const Header& header, IngestedTable& table) {
  auto note = [&](std::string code, int64_t count, std::string message) {
    table.findings.push_back({.code = std::move(code),
                              .column = {},
                              .count = count,
                              .message = std::move(message),
                              .suggestion = {}});
  };
  if (layout.skip > 0) {
    note("title_lines", layout.skip, "Lines before the header that are no records were left out");
  }
  if (header.finding == "header_missing") {
    note("header_missing", 1, "The first record is data; columns are named column0, column1, ...");
  }
  if (header.finding == "header_years") {
    note("header_years", 1, "The first record looks like data but holds years as names");
  }
  if (layout.pad) note("short_rows", 1, "Missing fields of short records are NULL");
  if (!layout.strict) note("mixed_newlines", 1, "Line ends or quotes break the rules of CSV");
}

EngineResult<IngestedTable> ReadAs(engine::Connection& connection, const CsvLayout& layout,
                                   std::string_view path, std::string_view private_dir) {
  auto first = ReadFirstRecord(connection, layout, path);
  if (!first.has_value()) return tl::unexpected(std::move(first).error());
  if (!first->has_value()) return OwnError("no_records", "The file holds no record");
  std::vector<TextColumn> columns(layout.columns);
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i].column = CsvColumn(i);
  std::string source_sql = CsvSourceSql(layout, path, /*header=*/true);
  auto row_count = ScanClasses(connection, source_sql, columns);
  if (!row_count.has_value()) return tl::unexpected(std::move(row_count).error());
  for (TextColumn& column : columns)
    column.type = DecideType(column.classes, column.origin);
  auto header = JudgeHeader(connection, source_sql, **first, columns);
  if (!header.has_value()) return tl::unexpected(std::move(header).error());
  if (!header->present) {
    source_sql = CsvSourceSql(layout, path, /*header=*/false);
    ++*row_count;
    for (size_t i = 0; i < columns.size(); ++i)
      columns[i].classes |= (*first)->classes[i];
    (*first)->fields.assign(columns.size(), std::nullopt);
  }
  const std::vector<std::string> names = HeaderNames((*first)->fields);
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i].name = names[i];
  auto findings = SettleTypes(connection, source_sql, layout.delimiter != ",", columns);
  if (!findings.has_value()) return tl::unexpected(std::move(findings).error());
  auto file = WriteTable(connection, TypedSelectSql(source_sql, columns), private_dir);
  if (!file.has_value()) return tl::unexpected(std::move(file).error());
  if (file->row_count != *row_count)
    return OwnError("file_changed", "The file changed while it was read");
  IngestedTable table{.columns = std::move(file->columns),
                      .row_count = file->row_count,
                      .bytes = file->bytes,
                      .in_place = false,
                      .findings = std::move(*findings)};
  NoteLayout(layout, *header, table);
  return table;
}

CsvHints HintsOf(const ReadableText& text, std::string_view delimiter) {
  CsvHints hints{.delimiter = std::string(delimiter), .compression = {}};
  if (text.compression == Compression::kGzip) hints.compression = "gzip";
  if (text.compression == Compression::kZstd) hints.compression = "zstd";
  return hints;
}

}  // namespace

tl::unexpected<engine::EngineError> OwnError(std::string reason, std::string message) {
  engine::EngineError error;
  error.type = std::string(kOwnError);
  error.subtype = std::move(reason);
  error.message = std::move(message);
  return tl::unexpected(std::move(error));
}

EngineResult<IngestedTable> ReadCsv(engine::Connection& connection, const ReadableText& text,
                                    std::string_view delimiter, std::string_view private_dir) {
  const CsvHints hints = HintsOf(text, delimiter);
  std::optional<engine::EngineError> first_error;
  for (const GuessEffort effort :
       {GuessEffort::kSample, GuessEffort::kWholeFile, GuessEffort::kForgiving}) {
    auto layouts = GuessLayouts(connection, text.path, hints, effort);
    if (!layouts.has_value()) {
      if (IsFinal(layouts.error())) return tl::unexpected(std::move(layouts).error());
      if (!first_error) first_error = std::move(layouts).error();
      continue;
    }
    for (const CsvLayout& layout : *layouts) {
      if (layout.columns > kColumnsMax) {
        return OwnError("too_many_columns", fmt::format("The file has {} columns, the limit is {}",
                                                        layout.columns, kColumnsMax));
      }
      auto table = ReadAs(connection, layout, text.path, private_dir);
      if (table.has_value() || IsFinal(table.error())) return table;
      if (!first_error) first_error = std::move(table).error();
    }
  }
  return tl::unexpected(*std::move(first_error));
}

}  // namespace ducat::ingest
