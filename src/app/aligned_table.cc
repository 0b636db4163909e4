#include "app/aligned_table.h"

#include <algorithm>
#include <utility>

#include <utf8proc.h>

#include "base/result.h"
#include "base/text.h"

namespace ducat::app {
namespace {

void AppendPadded(std::string& line, std::string_view cell, size_t width, Align align, bool last) {
  const size_t gap = width - std::min(width, DisplayWidth(cell));
  if (align == Align::kRight) line.append(gap, ' ');
  line += cell;
  if (align == Align::kLeft && !last) line.append(gap, ' ');
}

}  // namespace

size_t DisplayWidth(std::string_view text) {
  if (AsciiPrefix(text) == text.size()) return text.size();
  size_t width = 0;
  while (!text.empty()) {
    utf8proc_int32_t code_point = 0;
    const utf8proc_ssize_t bytes =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), &code_point);
    if (bytes <= 0) {
      text.remove_prefix(1);
      ++width;
      continue;
    }
    width += static_cast<size_t>(std::max(0, utf8proc_charwidth(code_point)));
    text.remove_prefix(static_cast<size_t>(bytes));
  }
  return width;
}

AlignedTable::AlignedTable(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

void AlignedTable::Row(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string AlignedTable::Text() const {
  std::vector<size_t> widths;
  widths.reserve(columns_.size());
  for (const TableColumn& column : columns_) {
    widths.push_back(DisplayWidth(column.name));
  }
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  std::string text;
  const auto add_line = [&](auto cell_at, bool header) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) text += "  ";
      const bool last = i + 1 == columns_.size();
      AppendPadded(text, cell_at(i), widths[i], columns_[i].align, last && !header);
    }
    while (text.ends_with(' ')) {
      text.pop_back();
    }
    text += '\n';
  };
  add_line([this](size_t i) { return std::string_view(columns_[i].name); }, true);
  for (size_t i = 0; i < columns_.size(); ++i) {
    text.append(i == 0 ? "" : "  ").append(widths[i], '-');
  }
  text += '\n';
  for (const auto& row : rows_) {
    add_line([&row](size_t i) { return std::string_view(row[i]); }, false);
  }
  return text;
}

}  // namespace ducat::app
