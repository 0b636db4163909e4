#include "worker/child/ingest/file_failure.h"

#include <array>

#include "base/text.h"

namespace ducat::ingest {
namespace {

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

constexpr std::string_view kLongLine = "Maximum line size";

struct Words {
  std::string_view part;    // of the engine's message
  std::string_view reason;  // analyst.md 10
};
constexpr std::array kReasons{
    Words{kLongLine, "line_too_long"},
    Words{"maximum_object_size", "too_large"},
    Words{"Missing closing brace", "corrupt"},
    Words{"detect the CSV parsing dialect", "not_tabular"},
    Words{"encrypted", "encrypted"},
    Words{"No magic bytes", "corrupt"},
    Words{"too small to be a Parquet", "corrupt"},
    Words{"Malformed JSON", "corrupt"},
    Words{"Invalid Input Error: Malformed", "corrupt"},
    Words{"Corrupt", "corrupt"},
    Words{"corrupt", "corrupt"},
    Words{"TProtocolException", "corrupt"},
    Words{"ZSTD", "corrupt"},
    Words{"GZIP", "corrupt"},
    Words{"No files found", "not_found"},
    Words{"Permission denied", "permission"},
};

void ReplaceAll(std::string& text, std::string_view part, std::string_view with) {
  if (part.empty()) return;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + with.size())) {
    text.replace(at, part.size(), with);
  }
}

void RemoveLine(std::string& text, std::string_view start) {
  const size_t at = text.find(start);
  if (at == std::string::npos) return;
  const size_t end = text.find('\n', at);
  text.erase(at, end == std::string::npos ? end : end - at + 1);
}

}  // namespace

std::string EngineSentence(std::string message, const FileNames& names) {
  ReplaceAll(message, names.path, names.name);
  for (const std::string_view path : names.hidden) {
    ReplaceAll(message, path, "");
  }
  RemoveLine(message, "Original Line: ");  // data, up to the whole line limit
  const size_t advice = std::min(message.find("\n\n"), message.find("\nPossible"));
  if (advice != std::string::npos) message.resize(advice);
  for (const std::string_view rest :
       {"\nThe search space", "Try setting", "Try increasing", "\nLINE 1"}) {
    if (const size_t at = message.find(rest); at != std::string::npos) message.resize(at);
  }
  for (char& c : message) {
    if (c == '\n') c = ' ';
  }
  constexpr size_t kMessageBytesMax = 300;
  return std::string(ClipUtf8(message, kMessageBytesMax));
}

namespace {

Error Make(ErrorCode code, std::string_view reason, std::string message, std::string hint = {}) {
  return Error{.code = code,
               .reason = std::string(reason),
               .message = std::move(message),
               .hint = std::move(hint)};
}

bool IsDiskFull(const engine::EngineError& error) {
  return Contains(error.message, "No space left") ||
         Contains(error.message, "max_temp_directory_size") ||
         Contains(error.message, "failed to offload");
}

}  // namespace

bool IsFinal(const engine::EngineError& error) {
  return Contains(error.message, kLongLine) || error.type == "Interrupt" ||
         error.type == "Out of Memory" || error.type == "INTERNAL" || error.type == "FATAL" ||
         IsDiskFull(error);
}

std::string_view HintFor(std::string_view reason) {
  if (reason == "corrupt") return "Write or copy the file again: what is there is not whole.";
  if (reason == "encrypted") return "Write the file without encryption.";
  if (reason == "line_too_long") return "Check that the file is text with line ends.";
  if (reason == "too_many_columns") return "Split the file, or turn its columns into rows.";
  return {};
}

Error FileFailure(const engine::EngineError& error, const FileNames& names) {
  if (error.type == "Interrupt") {
    return Make(ErrorCode::kDeadlineExceeded, "query_timeout", "Reading the file took too long",
                "Raise --load-timeout-s.");
  }
  if (IsDiskFull(error)) {
    return Make(ErrorCode::kResourceExhausted, "temp_limit",
                "The file needs more temporary space than the limit", "Raise --temp-limit.");
  }
  if (error.type == "Out of Memory") {
    return Make(ErrorCode::kResourceExhausted, "memory_limit",
                "The file needs more memory than the limit", "Raise --memory-limit.");
  }
  if (error.type == "INTERNAL" || error.type == "FATAL") {
    return Make(ErrorCode::kFailedPrecondition, "engine_error",
                "The engine failed on this file: " + EngineSentence(error.message, names));
  }
  std::string_view reason = "engine_error";
  for (const Words& words : kReasons) {
    if (!Contains(error.message, words.part)) continue;
    reason = words.reason;
    break;
  }
  return Make(ErrorCode::kFailedPrecondition, reason, EngineSentence(error.message, names),
              std::string(HintFor(reason)));
}

}  // namespace ducat::ingest
