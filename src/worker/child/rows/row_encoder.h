#pragma once
// RowEncoder: rows to bytes, twice at once: elements of a JSON array (`[1,"a"],[2,"b"]`) and lines
// of a Markdown table inside a JSON string (`| 1 | a |\n`). Cells longer than the cap are cut with
// a marker that says how much is missing. The hot path of every answer with rows. Job thread only.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/chunk.h"
#include "worker/child/engine/types.h"
#include "worker/child/rows/cells.h"
#include "worker/child/rows/value_style.h"

namespace ducat::rows {

// Which JSON forms a column's values took (bits).
enum JsonForm : uint8_t {
  kNumberForm = 1,
  kStringForm = 2,
  kBooleanForm = 4,
  kArrayForm = 8,
  kObjectForm = 16,
};

struct CellCut {
  uint64_t characters_max = 1'000;  // shown of one cell
  uint64_t offset = 0;              // first character shown of cells that are longer than that
};

class RowEncoder {
 public:
  // `types` outlives the encoder.
  RowEncoder(const std::vector<engine::Type>& types, const ValueStyle& style);

  // The chunk whose rows follow; valid until the next one.
  void Open(const engine::Chunk& chunk);
  // Appends one row to each buffer. Neither comma nor newline between rows: see the format above.
  void Append(uint64_t row, const CellCut& cut, std::string& rows, std::string& text);

  // What was seen in the rows appended so far; a row that is taken back restores what was before
  // it.
  struct Counts {
    std::vector<uint8_t> forms;  // per column, JsonForm bits
    uint64_t clipped_cells = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  void Restore(const Counts& counts) { counts_ = counts; }
  // number, string, boolean, array, object, mixed; by its type when it held only NULLs.
  [[nodiscard]] std::string_view FormOf(size_t column) const;

 private:
  // A cell's content after cutting.
  struct Shown {
    std::string_view text;
    uint64_t hidden = 0;  // characters after it
    bool is_whole = true;
  };
  static Shown Cut(std::string_view content, const CellCut& cut);

  void AppendShown(size_t column, const Shown& shown, std::string& rows, std::string& text);
  void AppendNested(size_t column, uint64_t row, const CellCut& cut, std::string& rows,
                    std::string& text);
  void AppendPlain(size_t column, uint64_t row, const CellCut& cut, std::string& rows,
                   std::string& text);

  const std::vector<engine::Type>& types_;
  ValueStyle style_;
  std::vector<Cells> columns_;
  std::string scratch_;
  Counts counts_;
};

}  // namespace ducat::rows
