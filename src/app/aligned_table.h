#pragma once
// AlignedTable: rows as a terminal shows them, columns padded to their widest cell by display
// width. A plain value; pure.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::app {

enum class Align : uint8_t { kLeft, kRight };

struct TableColumn {
  std::string name;
  Align align = Align::kLeft;
};

class AlignedTable {
 public:
  explicit AlignedTable(std::vector<TableColumn> columns);
  // As many cells as columns.
  void Row(std::vector<std::string> cells);
  // Header, rule and rows, each line ending in a newline; nothing trails the last cell.
  [[nodiscard]] std::string Text() const;

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Columns that a terminal needs for `text`; controls and combining marks count 0, wide
// characters 2.
[[nodiscard]] size_t DisplayWidth(std::string_view text);

}  // namespace ducat::app
