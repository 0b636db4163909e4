#include "worker/child/guard/place.h"

#include <algorithm>

#include "base/text.h"

namespace ducat::guard {
namespace {

constexpr size_t kCaretLineCharactersMax = 120;
constexpr size_t kCaretLineBefore = 60;

}  // namespace

Position PositionOf(std::string_view source, Span span) {
  Position position;
  position.offset = std::min<uint64_t>(span.offset, source.size());
  position.length = std::min<uint64_t>(span.length, source.size() - position.offset);
  const std::string_view before = source.substr(0, position.offset);
  position.line = 1 + static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  const size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  position.column = 1 + CountCodePoints(before.substr(line_start));
  return position;
}

uint64_t ByteOffset(std::string_view source, uint64_t characters) {
  return FirstCodePoints(source, characters).size();
}

std::string Where(const Position& position) {
  return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column);
}

std::string CaretLines(std::string_view source, const Position& position) {
  const std::string_view before = source.substr(0, position.offset);
  const size_t newline = before.rfind('\n');
  size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  size_t column = position.column - 1;
  if (column > kCaretLineBefore) {
    start += FirstCodePoints(source.substr(start), column - kCaretLineBefore).size();
    column = kCaretLineBefore;
  }
  std::string_view line = source.substr(start);
  line = line.substr(0, line.find_first_of("\r\n"));
  std::string shown(FirstCodePoints(line, kCaretLineCharactersMax));
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  return shown + '\n' + std::string(column, ' ') + '^';
}

}  // namespace ducat::guard
