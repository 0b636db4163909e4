#include "worker/child/ingest/json_depth.h"

#include <algorithm>

#include "base/text.h"
#include "worker/child/ingest/open_file.h"

namespace ducat::ingest {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;

bool IsLetter(char c) {
  return AsciiLower(c) >= 'a' && AsciiLower(c) <= 'z';
}

Failure Unreadable(std::string reason, std::string message, std::string hint = {}) {
  return Fail(ErrorCode::kFailedPrecondition, std::move(reason), std::move(message),
              std::move(hint));
}

}  // namespace

Failure DeepNesting() {
  return Unreadable(
      "deep_nesting",
      "A value is nested more than " + WithThousands(int64_t{kJsonDepthMax}) + " levels deep",
      "Flatten the file; real data is rarely nested 20 deep.");
}

std::string RecordTooLarge(int64_t line) {
  return "The record that begins in line " + WithThousands(line) + " has more than " +
         WithThousands(kJsonRecordBytesMax) + " bytes, the limit of a record";
}

void JsonDepth::Open(bool is_array) {
  // The elements of a root array are records; otherwise the root values are.
  if (!started_) record_depth_ = is_array ? 2 : 1;
  started_ = true;
  ++depth_;
  deepest_ = std::max(deepest_, depth_);
}

void JsonDepth::Close() {
  if (depth_ > 0) --depth_;
}

void JsonDepth::Number(char c) {
  constexpr uint32_t kDoubleDigits = 17;
  if (IsAsciiDigit(c)) {
    if (c != '0' || digits_ > 0) ++digits_;
    has_long_number_ = has_long_number_ || digits_ > kDoubleDigits;
  } else if (AsciiLower(c) == 'e' && digits_ > 0) {
    has_long_number_ = true;
  } else if (c != '.') {
    digits_ = 0;
  }
}

// NaN and Infinity, in any spelling that the engine takes: no other word of JSON has such letters
// there.
void JsonDepth::Word(char c) {
  const bool begins = !IsLetter(before_);
  const bool is_infinity = begins && (c == 'I' || c == 'i');
  const bool is_nan = AsciiLower(c) == 'a' && AsciiLower(before_) == 'n';
  if (is_infinity || is_nan) ++nonstandard_numbers_;
}

void JsonDepth::NoteRecord() {
  if (record_ <= longest_) return;
  longest_ = record_;
  longest_line_ = record_line_;
}

void JsonDepth::InString(char c) {
  if (escaped_) {
    escaped_ = false;
  } else if (c == '\\') {
    escaped_ = true;
  } else if (c == '"' || c == '\n') {
    // A string cannot hold a line break: an unclosed quote must not hide what follows.
    in_string_ = false;
  }
}

void JsonDepth::Feed(std::string_view piece) {
  for (const char c : piece) {
    ++record_;
    line_ += c == '\n' ? 1 : 0;
    if (in_string_) {
      InString(c);
      continue;
    }
    Number(c);
    if (IsLetter(c)) Word(c);
    before_ = c;
    switch (c) {
      case '"':
        in_string_ = true;
        break;
      case '[':
      case '{':
        Open(c == '[');
        break;
      case ']':
      case '}':
        Close();
        [[fallthrough]];
      case ',':
      case '\n':
        if (depth_ < record_depth_) {
          NoteRecord();
          record_ = 0;
          record_line_ = line_;
        }
        break;
      default:
        break;
    }
  }
  NoteRecord();
}

Result<JsonDepth> CheckJsonDepth(const std::string& path,
                                 const std::function<bool()>& interrupted) {
  TRY_ASSIGN(const FileHandle file, OpenToRead(path));
  std::string piece(kPieceBytes, '\0');
  JsonDepth depth;
  while (true) {
    const size_t got = std::fread(piece.data(), 1, piece.size(), file.get());
    if (got == 0 && std::ferror(file.get()) != 0) {
      return Unreadable("engine_error", "The file cannot be read");
    }
    if (got == 0) return depth;
    depth.Feed(std::string_view(piece).substr(0, got));
    if (depth.deepest() > kJsonDepthMax) {
      return DeepNesting();
    }
    if (depth.longest_record() > kJsonRecordBytesMax) {
      return Unreadable("too_large", RecordTooLarge(depth.longest_line()));
    }
    if (interrupted()) return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
  }
}

}  // namespace ducat::ingest
