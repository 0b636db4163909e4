#include "worker/child/guard/plan_files.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace ducat::guard {
namespace {

constexpr std::string_view kItem = "Filename(s):";
constexpr std::string_view kBorder = "\u2502";

using Line = std::vector<std::string_view>;  // its characters

std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines(1);
  while (!text.empty()) {
    const std::string_view character = text.substr(0, NextUtf8(text).length);
    text.remove_prefix(character.size());
    if (character == "\n") {
      lines.emplace_back();
    } else {
      lines.back().push_back(character);
    }
  }
  return lines;
}

struct Cell {
  size_t first = 0, last = 0;  // between two borders
};

// The cell of the line in which the item begins at or behind `from`; an empty one: none.
Cell FindItem(const Line& line, size_t from) {
  for (size_t at = from; at + kItem.size() <= line.size(); ++at) {
    bool hit = true;
    for (size_t i = 0; hit && i < kItem.size(); ++i) {
      hit = line[at + i] == kItem.substr(i, 1);
    }
    if (!hit) continue;
    Cell cell{.first = at, .last = at + kItem.size()};
    while (cell.first > 0 && line[cell.first - 1] != kBorder) {
      --cell.first;
    }
    while (cell.last < line.size() && line[cell.last] != kBorder) {
      ++cell.last;
    }
    const bool boxed = cell.first > 0 && cell.last < line.size();
    if (boxed) return cell;
  }
  return {};
}

bool Blank(Line& line, Cell cell) {
  if (cell.last > line.size()) return false;
  const auto first = line.begin() + static_cast<std::ptrdiff_t>(cell.first);
  const auto last = line.begin() + static_cast<std::ptrdiff_t>(cell.last);
  if (std::all_of(first, last, [](std::string_view c) { return c == " "; })) return false;
  std::fill(first, last, " ");
  return true;
}

}  // namespace

std::string WithoutFileNames(std::string_view plan) {
  std::vector<Line> lines = LinesOf(plan);
  for (size_t i = 0; i < lines.size(); ++i) {
    for (Cell cell = FindItem(lines[i], 0); cell.last > 0; cell = FindItem(lines[i], cell.last)) {
      // The item ends at the first empty line of its cell.
      for (size_t below = i; below < lines.size() && Blank(lines[below], cell);) {
        ++below;
      }
    }
  }
  std::string text;
  text.reserve(plan.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += '\n';
    for (const std::string_view character : lines[i]) {
      text += character;
    }
  }
  return text;
}

}  // namespace ducat::guard
