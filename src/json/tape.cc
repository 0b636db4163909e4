#include "json/tape.h"

#include "base/text.h"

namespace ducat::json {

namespace {
constexpr size_t kPathBytesMax = 200;
constexpr size_t kKeyBytesMax = 64;
constexpr std::string_view kCut = "...";
}  // namespace

void AppendKeyToPath(std::string& path, std::string_view key) {
  if (path.size() > kPathBytesMax) return;
  if (!path.empty()) path += '.';
  path += ClipUtf8(key, kKeyBytesMax);
  if (key.size() > kKeyBytesMax || path.size() > kPathBytesMax) path += kCut;
}

void AppendIndexToPath(std::string& path, size_t index) {
  if (path.size() > kPathBytesMax) return;
  path += '[' + std::to_string(index) + ']';
  if (path.size() > kPathBytesMax) path += kCut;
}

std::string PathOf(const Tape& tape, size_t target) {
  std::string path;
  for (size_t at = tape::kRoot; at < target && tape::IsContainer(tape::TagAt(tape, at));) {
    const bool object = tape::TagAt(tape, at) == tape::kObject;
    const size_t key_words = object ? 1 : 0;
    size_t index = 0;
    size_t child = at + 1;
    while (tape::After(tape, child + key_words) <= target) {
      child = tape::After(tape, child + key_words);
      ++index;
    }
    if (object) {
      AppendKeyToPath(path, tape::StringAt(tape, child));
    } else {
      AppendIndexToPath(path, index);
    }
    at = child + key_words;
  }
  return path;
}

}  // namespace ducat::json
