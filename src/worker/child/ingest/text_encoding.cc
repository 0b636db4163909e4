#include "worker/child/ingest/text_encoding.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "worker/child/ingest/open_file.h"

namespace ducat::ingest {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr std::string_view kCopyName = "text.tmp";
// Valid multi-byte sequences per invalid byte above which a file is UTF-8 with a few strays.
constexpr int64_t kUtf8Majority = 10;
constexpr char32_t kReplacement = 0xFFFD;

// 0x80 to 0x9F; the rest of cp1252 equals ISO-8859-1.
constexpr std::array<char16_t, 32> kCp1252High{
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

// Reads a file in blocks; `tail` bytes that the consumer did not take come again in front.
template <class Consume>
Status ForEachBlock(const SourceFile& source, const std::function<bool()>& interrupted,
                    Consume consume) {
  TRY_ASSIGN(const FileHandle file, OpenToRead(source.path));
  std::string block;
  size_t kept = 0;
  for (bool last = false; !last;) {
    block.resize(kept + kBlockBytes);
    const size_t got = std::fread(block.data() + kept, 1, kBlockBytes, file.get());
    if (std::ferror(file.get()) != 0) {
      return Fail(ErrorCode::kFailedPrecondition, "engine_error", "The file cannot be read");
    }
    last = std::feof(file.get()) != 0;
    block.resize(kept + got);
    TRY_ASSIGN(const size_t taken, consume(std::string_view(block), last));
    block.erase(0, taken);
    kept = block.size();
    if (interrupted()) return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
  }
  return {};
}

bool IsAscii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

struct Utf8Count {
  int64_t sequences = 0;  // valid, of several bytes
  int64_t invalid_bytes = 0;
  int64_t first_invalid_line = 1;
};

// A cut sequence at the end of a block waits for the next one.
bool MayContinue(std::string_view rest) {
  constexpr size_t kSequenceBytesMax = 4;
  if (rest.size() >= kSequenceBytesMax) return false;
  const auto lead = static_cast<unsigned char>(rest.front());
  const size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  return rest.size() < wanted;
}

// Calls ascii(run), sequence(bytes) and stray(byte) in order; gives the bytes taken.
template <class Ascii, class Sequence, class Stray>
size_t WalkUtf8(std::string_view block, bool is_last, Ascii ascii, Sequence sequence, Stray stray) {
  size_t at = 0;
  while (at < block.size()) {
    size_t end = at;
    while (end < block.size() && IsAscii(block[end])) {
      ++end;
    }
    if (end > at) ascii(block.substr(at, end - at));
    at = end;
    if (at == block.size()) break;
    const std::string_view rest = block.substr(at);
    if (!is_last && MayContinue(rest)) break;
    const Utf8Step step = NextUtf8(rest);
    if (step.valid) {
      sequence(rest.substr(0, step.length));
      at += step.length;
    } else {
      stray(static_cast<unsigned char>(rest.front()));
      ++at;
    }
  }
  return at;
}

Result<Utf8Count> CountUtf8(const SourceFile& source, const std::function<bool()>& interrupted) {
  Utf8Count count;
  TRY(ForEachBlock(source, interrupted, [&](std::string_view block, bool last) -> Result<size_t> {
    return WalkUtf8(
        block, last,
        [&](std::string_view run) {
          if (count.invalid_bytes == 0) {
            count.first_invalid_line += std::count(run.begin(), run.end(), '\n');
          }
        },
        [&](std::string_view) { ++count.sequences; },
        [&](unsigned char) { ++count.invalid_bytes; });
  }));
  return count;
}

size_t FromUtf16(std::string_view block, bool is_last, bool big_endian, std::string& out) {
  const auto unit = [&](size_t i) {
    const auto first = static_cast<unsigned char>(block[i]);
    const auto second = static_cast<unsigned char>(block[i + 1]);
    return static_cast<char32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  size_t at = 0;
  while (at + 1 < block.size()) {
    const char32_t high = unit(at);
    if (high >= 0xD800 && high < 0xDC00) {
      if (at + 3 >= block.size() && !is_last) return at;
      const char32_t low = at + 3 < block.size() ? unit(at + 2) : 0;
      const bool paired = low >= 0xDC00 && low < 0xE000;
      AppendUtf8(out, paired ? 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00) : kReplacement);
      at += paired ? 4 : 2;
      continue;
    }
    AppendUtf8(out, high >= 0xDC00 && high < 0xE000 ? kReplacement : high);
    at += 2;
  }
  return is_last ? block.size() : at;
}

size_t Convert(std::string_view block, bool is_last, TextEncoding encoding, std::string& out) {
  switch (encoding) {
    case TextEncoding::kUtf16Le:
    case TextEncoding::kUtf16Be:
      return FromUtf16(block, is_last, encoding == TextEncoding::kUtf16Be, out);
    case TextEncoding::kCp1252:
      for (const char c : block) {
        AppendCp1252(out, static_cast<unsigned char>(c));
      }
      return block.size();
    default:
      return WalkUtf8(
          block, is_last, [&](std::string_view run) { out += run; },
          [&](std::string_view sequence) { out += sequence; },
          [&](unsigned char byte) { AppendCp1252(out, byte); });
  }
}

size_t MarkBytes(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::kUtf16Le:
    case TextEncoding::kUtf16Be:
      return 2;
    case TextEncoding::kUtf8Mark:
      return 3;
    default:
      return 0;
  }
}

Result<std::string> WriteCopy(const SourceFile& source, std::string_view private_dir,
                              TextEncoding encoding, const std::function<bool()>& interrupted) {
  std::string path = (std::filesystem::path(private_dir) / kCopyName).string();
  const FileHandle copy(std::fopen(path.c_str(), "wbe"), &std::fclose);
  if (copy == nullptr) return Internal("cannot write into the private directory");
  size_t skip = MarkBytes(encoding);
  std::string out;
  TRY(ForEachBlock(source, interrupted, [&](std::string_view block, bool last) -> Result<size_t> {
    const size_t marked = std::min(skip, block.size());
    skip -= marked;
    out.clear();
    const size_t taken = marked + Convert(block.substr(marked), last, encoding, out);
    if (std::fwrite(out.data(), 1, out.size(), copy.get()) != out.size()) {
      return Fail(ErrorCode::kResourceExhausted, "temp_limit", "No room for a copy as UTF-8");
    }
    return taken;
  }));
  if (std::fflush(copy.get()) != 0) {
    return Fail(ErrorCode::kResourceExhausted, "temp_limit", "No room for a copy as UTF-8");
  }
  return path;
}

Result<ReadableText> Copied(const SourceFile& source, std::string_view private_dir,
                            ReadableText text, const std::function<bool()>& interrupted) {
  TRY_ASSIGN(text.path, WriteCopy(source, private_dir, text.encoding, interrupted));
  text.is_copy = true;
  return text;
}

}  // namespace

std::string_view EncodingName(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::kUtf8:
      return "utf-8";
    case TextEncoding::kUtf8Mark:
      return "utf-8-bom";
    case TextEncoding::kUtf16Le:
      return "utf-16le";
    case TextEncoding::kUtf16Be:
      return "utf-16be";
    case TextEncoding::kUtf8WithCp1252:
      return "utf-8+cp1252";
    case TextEncoding::kCp1252:
      return "cp1252";
  }
  return "";
}

Compression CompressionOf(std::string_view head) {
  if (head.starts_with("\x1F\x8B")) return Compression::kGzip;
  if (head.starts_with("\x28\xB5\x2F\xFD")) return Compression::kZstd;
  return Compression::kNone;
}

void AppendCp1252(std::string& out, unsigned char byte) {
  const bool is_high = byte >= 0x80 && byte < 0xA0;
  AppendUtf8(out, is_high ? kCp1252High[byte - 0x80U] : byte);
}

Result<ReadableText> MakeReadable(const SourceFile& source, std::string_view private_dir,
                                  bool keep_mark, const std::function<bool()>& interrupted) {
  ReadableText text{.path = source.path};
  TRY_ASSIGN(const std::string head, ReadHead(source, kMagicBytes));
  text.compression = CompressionOf(head);
  if (text.compression != Compression::kNone) return text;
  if (head.starts_with("\xFF\xFE")) text.encoding = TextEncoding::kUtf16Le;
  if (head.starts_with("\xFE\xFF")) text.encoding = TextEncoding::kUtf16Be;
  if (text.encoding != TextEncoding::kUtf8) {
    return Copied(source, private_dir, std::move(text), interrupted);
  }
  TRY(CheckText(source));
  TRY_ASSIGN(const Utf8Count count, CountUtf8(source, interrupted));
  if (count.invalid_bytes == 0) {
    if (!head.starts_with("\xEF\xBB\xBF")) return text;
    text.encoding = TextEncoding::kUtf8Mark;
    if (keep_mark) return text;
    return Copied(source, private_dir, std::move(text), interrupted);
  }
  text.replaced_bytes = count.invalid_bytes;
  text.first_replaced_line = count.first_invalid_line;
  text.encoding = count.sequences > count.invalid_bytes * kUtf8Majority
                      ? TextEncoding::kUtf8WithCp1252
                      : TextEncoding::kCp1252;
  return Copied(source, private_dir, std::move(text), interrupted);
}

}  // namespace ducat::ingest
