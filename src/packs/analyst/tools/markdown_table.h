#pragma once
// MarkdownTable: small tables of a tool's own facts as text. Rows of data come finished from a
// worker instead. Control thread; a plain value.

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/text.h"

namespace ducat::analyst {

class MarkdownTable {
 public:
  MarkdownTable(std::initializer_list<std::string_view> headers);
  // As many cells as headers; each is escaped.
  void Row(std::initializer_list<std::string_view> cells);
  void AppendTo(mcp::Text& text) const { text.Add(table_); }
  [[nodiscard]] const std::string& text() const { return table_; }

 private:
  size_t columns_;
  std::string table_;
};

// A count for people and agents: digits without separators, or "?" while it is not known.
[[nodiscard]] std::string CountText(const std::optional<int64_t>& count);
// "1 row", "4 rows".
[[nodiscard]] std::string Counted(int64_t count, std::string_view noun);
// "1.4 ms"
[[nodiscard]] std::string Milliseconds(double ms);

}  // namespace ducat::analyst
