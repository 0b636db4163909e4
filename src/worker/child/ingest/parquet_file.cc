// Parquet: read in place; footer and schema are checked, no row is read (analyst.md 3.5). Whatever
// is wrong with a footer is the file's fault, so its reason is never "engine_error".
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "worker/child/ingest/csv_walk.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/readers.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;

constexpr std::string_view kMark = "PAR1";
constexpr std::string_view kEncryptedMark = "PARE";
constexpr size_t kMarkBytes = 4;
constexpr size_t kTailBytes = 8;  // length of the footer, mark

struct Ends {
  uint64_t bytes = 0;
  std::string head, tail;
};

Ends ReadEnds(const std::string& path) {
  Ends ends;
  std::error_code ignored;
  ends.bytes = std::filesystem::file_size(path, ignored);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             &std::fclose);
  if (file == nullptr || ends.bytes < kMarkBytes + kTailBytes) return ends;
  ends.head.resize(kMarkBytes);
  ends.tail.resize(kTailBytes);
  const bool read = std::fread(ends.head.data(), 1, kMarkBytes, file.get()) == kMarkBytes &&
                    std::fseek(file.get(), -static_cast<long>(kTailBytes), SEEK_END) == 0 &&
                    std::fread(ends.tail.data(), 1, kTailBytes, file.get()) == kTailBytes;
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

// The engine's refusal of a footer. Memory, disk and deadline are not the file's fault.
engine::EngineError Refusal(engine::EngineError error, std::string_view name) {
  const bool is_broken = error.type == "INTERNAL" || error.type == "FATAL";
  if (IsFinal(error) && !is_broken) return error;
  if (error.message.find("ncrypt") != std::string::npos) {
    return OwnError("encrypted", fmt::format("\"{}\" is encrypted", name)).value();
  }
  if (error.type == "Not implemented") return error;
  if (error.type == "IO" && error.message.find("Cannot open") != std::string::npos) return error;
  const std::string_view said = std::string_view(error.message).substr(0, error.message.find('\n'));
  const std::string_view words = said.find('/') == std::string_view::npos ? said : "";
  return OwnError("corrupt", fmt::format("\"{}\" has a footer that cannot be read{}{}", name,
                                         words.empty() ? "" : ": ", words))
      .value();
}

}  // namespace

EngineResult<IngestedTable> ReadParquetFooter(engine::Connection& connection,
                                              const std::string& path, std::string_view name) {
  auto ends = CheckEnds(path, name);
  if (!ends.has_value()) return tl::unexpected(std::move(ends).error());
  const std::string quoted = engine::QuotePath(path);
  auto rows = connection.Run(
      fmt::format("SELECT * FROM read_parquet({}, hive_partitioning = false) LIMIT 0", quoted));
  if (!rows.has_value()) return tl::unexpected(Refusal(std::move(rows).error(), name));
  IngestedTable table{.columns = {}, .row_count = 0, .bytes = 0, .in_place = true, .findings = {}};
  for (const engine::ResultColumn& column : rows->columns()) {
    table.columns.push_back({.name = column.name, .type = column.type, .carrier = {}});
  }
  if (table.columns.size() > kColumnsMax) {
    return OwnError("too_many_columns", fmt::format("The file has {} columns, the limit is {}",
                                                    table.columns.size(), kColumnsMax));
  }
  auto footer = connection.Run(
      fmt::format("SELECT CAST(num_rows AS BIGINT) FROM parquet_file_metadata({})", quoted));
  if (!footer.has_value()) return tl::unexpected(Refusal(std::move(footer).error(), name));
  auto counts = footer->AllText();
  if (!counts.has_value()) return tl::unexpected(Refusal(std::move(counts).error(), name));
  if (counts->size() == 1 && counts->front().front().has_value()) {
    const std::string& text = *counts->front().front();
    std::from_chars(text.data(), text.data() + text.size(), table.row_count);
  }
  std::error_code ignored;
  table.bytes = static_cast<int64_t>(std::filesystem::file_size(path, ignored));
  return table;
}

}  // namespace ducat::ingest
