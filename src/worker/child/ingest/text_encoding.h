#pragma once
// From bytes to UTF-8 (analyst.md 3.2): the encoding of a whole text file, and a UTF-8 copy in the
// private directory when the engine could not read the bytes themselves. Streams; constant memory.
// Job thread.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/child/ingest/source_file.h"

namespace ducat::ingest {

enum class TextEncoding : uint8_t {
  kUtf8,
  kUtf8Mark,
  kUtf16Le,
  kUtf16Be,
  kUtf8WithCp1252,
  kCp1252
};
[[nodiscard]] std::string_view EncodingName(TextEncoding encoding);

enum class Compression : uint8_t { kNone, kGzip, kZstd };

// By the first kMagicBytes of a file.
inline constexpr size_t kMagicBytes = 4;
[[nodiscard]] Compression CompressionOf(std::string_view head);

struct ReadableText {
  std::string path;  // what the engine is given: the source, or the copy
  TextEncoding encoding = TextEncoding::kUtf8;
  Compression compression = Compression::kNone;  // by magic bytes; its text is looked at unpacked
  int64_t replaced_bytes = 0;  // bytes that were not UTF-8 and were read as cp1252
  int64_t first_replaced_line = 0;
  bool is_copy = false;
};

// `keep_mark`: the reader itself skips a UTF-8 byte order mark. Reasons: those of CheckText,
// temp_limit (no room for the copy), cancelled.
[[nodiscard]] Result<ReadableText> MakeReadable(const SourceFile& source,
                                                std::string_view private_dir, bool keep_mark,
                                                const std::function<bool()>& interrupted);

// Appends the code point that cp1252 gives a byte; undefined bytes are the C1 control of that
// number.
void AppendCp1252(std::string& out, unsigned char byte);

}  // namespace ducat::ingest
