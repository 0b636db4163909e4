#include "packs/analyst/tools/markdown_table.h"

#include "base/result.h"
#include "json/writer.h"

namespace ducat::analyst {

MarkdownTable::MarkdownTable(std::initializer_list<std::string_view> headers)
    : columns_(headers.size()) {
  Row(headers);
  table_ += '|';
  for (size_t i = 0; i < columns_; ++i) {
    table_ += "---|";
  }
  table_ += '\n';
}

void MarkdownTable::Row(std::initializer_list<std::string_view> cells) {
  CHECK(cells.size() == columns_);
  table_ += '|';
  for (const std::string_view cell : cells) {
    table_ += mcp::MarkdownCell(cell);
    table_ += '|';
  }
  table_ += '\n';
}

std::string CountText(const std::optional<int64_t>& count) {
  return count.has_value() ? std::to_string(*count) : "?";
}

std::string Counted(int64_t count, std::string_view noun) {
  std::string text = std::to_string(count);
  text.append(" ").append(noun);
  if (count != 1) text += 's';
  return text;
}

std::string Milliseconds(double ms) {
  std::string text;
  json::AppendShortest(text, ms);
  return text + " ms";
}

}  // namespace ducat::analyst
