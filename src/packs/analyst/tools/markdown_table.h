#pragma once
// MarkdownTable: small tables of a tool's own facts as text. Rows of data come finished from a
// worker instead. A cell shows pipes and backslashes escaped, so what a reader may copy into SQL is
// told again below the table as it is. Control thread; a plain value.

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
  // A cell whose text a reader may copy.
  std::string_view Name(std::string_view name);
  void AppendTo(mcp::Text& text) const { text.Add(this->text()); }
  [[nodiscard]] std::string text() const { return table_ + names_; }

 private:
  size_t columns_;
  std::string table_;
  std::string names_;  // lines after the table
};

// Text to be copied, for the end of a line: as it is or, when some of its characters cannot be
// shown, as a JSON string that says so.
[[nodiscard]] std::string Verbatim(std::string_view text);

// A count for people and agents: digits without separators, or "?" while it is not known.
[[nodiscard]] std::string CountText(const std::optional<int64_t>& count);
// "1 row", "4 rows".
[[nodiscard]] std::string Counted(int64_t count, std::string_view noun);
// "1.4 ms"
[[nodiscard]] std::string Milliseconds(double ms);

}  // namespace ducat::analyst
