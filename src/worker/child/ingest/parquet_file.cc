// Parquet: read in place. The footer is checked (analyst.md 3.5), and one row is read where that is
// cheap: what is wrong with either is the file's fault, or a form that the engine does not know.
#include <charconv>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "worker/child/ingest/csv_walk.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/open_file.h"
#include "worker/child/ingest/readers.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;

constexpr std::string_view kMark = "PAR1";
constexpr std::string_view kEncryptedMark = "PARE";
constexpr size_t kMarkBytes = 4;
constexpr size_t kTailBytes = 8;  // length of the footer, mark
// A row costs the pages that it lies in, at most the first row group: some 50 ms for so many bytes.
constexpr int64_t kProbedBytesMax = int64_t{16} << 20;
// What the engine unpacks, as it writes them; with any other codec it is asked for a row.
constexpr std::string_view kKnownCodecs =
    "'UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI', 'LZ4_RAW'";

struct Ends {
  uint64_t bytes = 0;
  std::string head, tail;
};

Ends ReadEnds(const std::string& path) {
  Ends ends;
  std::error_code ignored;
  ends.bytes = std::filesystem::file_size(path, ignored);
  const Result<FileHandle> opened = OpenToRead(path);
  if (!opened.has_value() || ends.bytes < kMarkBytes + kTailBytes) return ends;
  std::FILE* file = opened->get();
  ends.head.resize(kMarkBytes);
  ends.tail.resize(kTailBytes);
  const bool read = std::fread(ends.head.data(), 1, kMarkBytes, file) == kMarkBytes &&
                    std::fseek(file, -static_cast<long>(kTailBytes), SEEK_END) == 0 &&
                    std::fread(ends.tail.data(), 1, kTailBytes, file) == kTailBytes;
  if (!read) ends.tail.clear();
  return ends;
}

// What the marks at both ends say before the engine reads between them.
EngineResult<void> CheckEnds(const std::string& path, std::string_view name) {
  const Ends ends = ReadEnds(path);
  const auto corrupt = [name](std::string_view what) {
    return OwnError("corrupt", fmt::format("\"{}\" {}", name, what));
  };
  if (ends.bytes < kMarkBytes + kTailBytes) {
    return corrupt(fmt::format("has {} bytes, too few for a Parquet file", ends.bytes));
  }
  const std::string_view tail = ends.tail;
  if (ends.head == kEncryptedMark || tail.ends_with(kEncryptedMark)) {
    return OwnError("encrypted", fmt::format("\"{}\" has an encrypted footer", name));
  }
  if (ends.head != kMark) return corrupt("is no Parquet file: it does not begin with PAR1");
  if (!tail.ends_with(kMark)) return corrupt("is cut off: a Parquet file ends with PAR1");
  uint64_t footer = 0;
  for (size_t i = kMarkBytes; i-- > 0;) {
    footer = footer << 8U | static_cast<unsigned char>(tail[i]);
  }
  if (footer == 0 || footer > ends.bytes - kMarkBytes - kTailBytes) {
    return corrupt(fmt::format("claims a footer of {} bytes in a file of {}", footer, ends.bytes));
  }
  return {};
}

// Absolute paths are nobody's business, and words around them say little.
bool NamesAPath(std::string_view words) {
  return words.starts_with('/') || words.find(" /") != std::string_view::npos ||
         words.find("\"/") != std::string_view::npos || words.find("(/") != std::string_view::npos;
}

struct Place {
  std::string_view path, name;
  std::string_view part;  // "footer", "pages"
};

// The engine's refusal of a part. Memory, disk and deadline are not the file's fault.
engine::EngineError Refusal(engine::EngineError error, const Place& place) {
  const bool is_broken = error.type == "INTERNAL" || error.type == "FATAL";
  if (IsFinal(error) && !is_broken) return error;
  if (error.message.find("ncrypt") != std::string::npos) {
    return OwnError("encrypted", fmt::format("\"{}\" is encrypted", place.name)).value();
  }
  if (error.type == "IO" && error.message.find("Cannot open") != std::string::npos) return error;
  const std::string words =
      EngineSentence(error.message, {.path = place.path, .name = place.name, .hidden = {}});
  const bool is_new = error.type == "Not implemented" ||
                      words.find("nsupported") != std::string::npos ||
                      words.find("ot implemented") != std::string::npos;
  return OwnError(is_new ? "engine_error" : "corrupt",
                  fmt::format("\"{}\" has {} that cannot be read{}{}", place.name, place.part,
                              NamesAPath(words) ? "" : ": ", NamesAPath(words) ? "" : words))
      .value();
}

// What the footer tells beyond the columns.
struct Footer {
  int64_t rows = 0;
  bool worth_probing = false;
};

EngineResult<Footer> ReadFooter(engine::Connection& connection, const std::string& quoted) {
  auto rows = connection.Run(fmt::format(
      "SELECT (SELECT CAST(num_rows AS BIGINT) FROM parquet_file_metadata({0})),"
      " CAST(coalesce(sum(total_compressed_size) FILTER (row_group_id = 0), 0) AS BIGINT) <= {1}"
      " OR bool_or(compression NOT IN ({2})) FROM parquet_metadata({0})",
      quoted, kProbedBytesMax, kKnownCodecs));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto values = rows->AllText();
  if (!values.has_value()) return tl::unexpected(std::move(values).error());
  Footer footer;
  if (values->size() != 1 || values->front().size() != 2) return footer;
  const std::string count = values->front()[0].value_or("0");
  std::from_chars(count.data(), count.data() + count.size(), footer.rows);
  footer.worth_probing = values->front()[1] == "true";
  return footer;
}

// One row of every column: a page that the engine cannot unpack is told now, not by the first
// query. A row that is too large for the memory says nothing of the other columns.
EngineResult<void> ReadOneRow(engine::Connection& connection, const std::string& source) {
  auto rows = connection.RunReadable("SELECT * FROM " + source + " LIMIT 1");
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto chunk = rows->Next();
  if (!chunk.has_value()) return tl::unexpected(std::move(chunk).error());
  return {};
}

EngineResult<IngestedTable> ReadColumns(engine::Connection& connection, const std::string& source) {
  auto rows = connection.Run("SELECT * FROM " + source + " LIMIT 0");
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  IngestedTable table{.columns = {}, .row_count = 0, .bytes = 0, .in_place = true, .findings = {}};
  for (const engine::ResultColumn& column : rows->columns()) {
    table.columns.push_back({.name = column.name, .type = column.type, .carrier = {}});
  }
  return table;
}

}  // namespace

EngineResult<IngestedTable> ReadParquet(engine::Connection& connection, const std::string& path,
                                        std::string_view name) {
  auto ends = CheckEnds(path, name);
  if (!ends.has_value()) return tl::unexpected(std::move(ends).error());
  const auto refused = [&](engine::EngineError error, std::string_view part) {
    return tl::unexpected(Refusal(std::move(error), {.path = path, .name = name, .part = part}));
  };
  const std::string quoted = engine::QuotePath(path);
  const std::string source = fmt::format("read_parquet({}, hive_partitioning = false)", quoted);
  auto table = ReadColumns(connection, source);
  if (!table.has_value()) return refused(std::move(table).error(), "a footer");
  if (table->columns.size() > kColumnsMax) {
    return OwnError("too_many_columns", fmt::format("The file has {} columns, the limit is {}",
                                                    table->columns.size(), kColumnsMax));
  }
  auto footer = ReadFooter(connection, quoted);
  if (!footer.has_value()) return refused(std::move(footer).error(), "a footer");
  table->row_count = footer->rows;
  if (footer->worth_probing) {
    auto probed = ReadOneRow(connection, source);
    if (!probed.has_value() && probed.error().type != "Out of Memory") {
      return refused(std::move(probed).error(), "pages");
    }
  }
  std::error_code ignored;
  table->bytes = static_cast<int64_t>(std::filesystem::file_size(path, ignored));
  return table;
}

}  // namespace ducat::ingest
