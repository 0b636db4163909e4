#include "worker/child/ingest/unpack.h"

#include <filesystem>

#include <fmt/format.h>

#include "worker/child/ingest/csv_record.h"

namespace ducat::ingest {
namespace {

constexpr std::string_view kUnpackedName = "unpacked.tmp";
// A delimiter that no text holds makes every line one field.
constexpr std::string_view kNever = "E'\\x01\\x02\\x01'";

}  // namespace

engine::EngineResult<SourceFile> Unpack(engine::Connection& connection, const ReadableText& packed,
                                        std::string_view private_dir) {
  SourceFile unpacked{.path = (std::filesystem::path(private_dir) / kUnpackedName).string()};
  const std::string_view method = packed.compression == Compression::kGzip ? "gzip" : "zstd";
  auto copied = connection.Run(fmt::format(
      "COPY (SELECT line FROM read_csv({}, columns = {{'line': 'VARCHAR'}}, auto_detect = false,"
      " header = false, delim = {}, quote = '', escape = '', comment = '', compression = '{}',"
      " strict_mode = false, max_line_size = {}, hive_partitioning = false))"
      " TO {} (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER E'\\x01')",
      engine::QuotePath(packed.path), kNever, method, kLineBytesMax,
      engine::QuoteText(unpacked.path)));
  if (!copied.has_value()) return tl::unexpected(std::move(copied).error());
  auto done = copied->AllText();
  if (!done.has_value()) return tl::unexpected(std::move(done).error());
  std::error_code ignored;
  unpacked.bytes = static_cast<int64_t>(std::filesystem::file_size(unpacked.path, ignored));
  return unpacked;
}

}  // namespace ducat::ingest
