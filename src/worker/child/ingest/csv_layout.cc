#include "worker/child/ingest/csv_layout.h"

#include <charconv>

#include <fmt/format.h>

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteText;

constexpr std::string_view kNone = "(empty)";  // the engine's word for no character

std::string Character(const std::optional<std::string>& text) {
  if (!text.has_value() || *text == kNone) return {};
  return *text == "\\t" ? "\t" : *text;
}

template <class T>
T Number(const std::optional<std::string>& text) {
  T value{};
  if (text.has_value()) std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

EngineResult<CsvLayout> Sniff(engine::Connection& connection, std::string_view path,
                              const CsvHints& hints, GuessEffort effort) {
  const bool strict = effort != GuessEffort::kForgiving;
  std::string options =
      fmt::format(", strict_mode = {}, max_line_size = {}", strict, kLineBytesMax);
  if (effort != GuessEffort::kSample) options += ", sample_size = -1";
  if (!hints.delimiter.empty()) options += ", delim = " + QuoteText(hints.delimiter);
  if (!hints.compression.empty()) options += ", compression = " + QuoteText(hints.compression);
  auto rows =
      connection.Run(fmt::format("SELECT Delimiter, Quote, Escape, Comment, SkipRows, len(Columns)"
                                 " FROM sniff_csv({}{})",
                                 engine::QuotePath(path), options));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  if (table->size() != 1) {
    return tl::unexpected(engine::EngineError{.type = "Invalid Input", .message = "no layout"});
  }
  const auto& row = table->front();
  return CsvLayout{.delimiter = Character(row[0]),
                   .quote = Character(row[1]),
                   .escape = Character(row[2]),
                   .comment = Character(row[3]),
                   .skip = Number<int64_t>(row[4]),
                   .columns = Number<size_t>(row[5]),
                   .strict = strict,
                   .compression = hints.compression};
}

// No quote or escape was seen where the engine looked; the usual ones may still come.
CsvLayout WithUsualQuotes(CsvLayout layout) {
  if (layout.quote.empty()) layout.quote = "\"";
  if (layout.escape.empty()) layout.escape = layout.quote;
  return layout;
}

}  // namespace

EngineResult<std::vector<CsvLayout>> GuessLayouts(engine::Connection& connection,
                                                  std::string_view path, const CsvHints& hints,
                                                  GuessEffort effort) {
  auto found = Sniff(connection, path, hints, effort);
  if (!found.has_value()) return tl::unexpected(std::move(found).error());
  std::vector<CsvLayout> layouts;
  // Leading comment lines are skipped by number, so that a # inside a value stays.
  CsvLayout plain = WithUsualQuotes(*found);
  plain.comment.clear();
  layouts.push_back(plain);
  if (effort == GuessEffort::kSample) return layouts;
  if (!found->comment.empty()) {
    CsvLayout commented = WithUsualQuotes(*found);
    commented.skip = 0;  // the engine does not count comments among skipped lines
    layouts.push_back(commented);
  }
  CsvLayout as_told = *found;
  as_told.comment.clear();
  layouts.push_back(as_told);
  plain.pad = true;
  layouts.push_back(plain);
  return layouts;
}

std::string CsvColumn(size_t index) {
  return fmt::format("c{}", index);
}

std::string CsvSourceSql(const CsvLayout& layout, std::string_view path, bool header) {
  std::string columns;
  for (size_t i = 0; i < layout.columns; ++i) {
    columns += fmt::format("{}c{}: 'VARCHAR'", i == 0 ? "" : ", ", i);
  }
  std::string sql = fmt::format(
      "read_csv({}, auto_detect = false, header = {}, skip = {}, delim = {}, quote = {},"
      " escape = {}, comment = {}, columns = {{{}}}, nullstr = '', allow_quoted_nulls = false,"
      " strict_mode = {}, null_padding = {}, max_line_size = {}, hive_partitioning = false",
      engine::QuotePath(path), header, layout.skip, QuoteText(layout.delimiter),
      QuoteText(layout.quote), QuoteText(layout.escape), QuoteText(layout.comment), columns,
      layout.strict, layout.pad, kLineBytesMax);
  if (!layout.compression.empty()) sql += ", compression = " + QuoteText(layout.compression);
  return sql + ")";
}

}  // namespace ducat::ingest
