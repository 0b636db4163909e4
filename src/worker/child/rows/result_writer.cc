#include "worker/child/rows/result_writer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "worker/child/rows/markdown_cell.h"
#include "worker/child/rows/row_encoder.h"

namespace ducat::rows {
namespace {

using Written = tl::expected<void, WriteFailure>;
using worker::child::Output;

constexpr size_t kPieceBytes = 256 * 1024;
// A row that alone exceeds bytes_max is written again with shorter cells, down to this.
constexpr uint64_t kShortestCell = 16;

tl::unexpected<WriteFailure> EngineFailed(engine::EngineError error) {
  return tl::unexpected(WriteFailure{.is_engine = true, .engine = std::move(error)});
}

tl::unexpected<WriteFailure> OutputFailed(Error error) {
  return tl::unexpected(WriteFailure{.output = std::move(error)});
}

std::string TableHead(const std::vector<std::string>& names) {
  std::string head = "|";
  for (const std::string& name : names) {
    AppendMarkdownCell(head, name);
    head.push_back('|');
  }
  head.append("\\n|");
  for (size_t i = 0; i < names.size(); ++i) {
    head.append("---|");
  }
  head.append("\\n");
  return head;
}

class ResultWriter {
 public:
  ResultWriter(engine::Rows& result, const ResultLimits& limits, const ValueStyle& style,
               Output& output)
      : result_(result),
        limits_(limits),
        output_(output),
        encoder_(result.types(), style),
        cut_{.characters_max = limits.cell_characters_max} {}

  tl::expected<ResultSummary, WriteFailure> Write(const std::vector<std::string>& names) {
    text_ = TableHead(names);
    if (auto read = ReadRows(); !read.has_value()) return tl::unexpected(std::move(read).error());
    if (auto sent = SendRows(); !sent.has_value()) return tl::unexpected(std::move(sent).error());
    if (Status sent = output_.Text(text_); !sent.has_value()) {
      return OutputFailed(std::move(sent).error());
    }
    summary_.clipped_cells = encoder_.counts().clipped_cells;
    summary_.cell_characters = cut_.characters_max;
    for (size_t i = 0; i < result_.types().size(); ++i) {
      summary_.forms.emplace_back(encoder_.FormOf(i));
    }
    return std::move(summary_);
  }

 private:
  Written ReadRows() {
    while (!summary_.truncated) {
      auto next = result_.Next();
      if (!next.has_value()) return EngineFailed(std::move(next).error());
      const engine::Chunk* chunk = *next;
      if (chunk == nullptr) break;
      UndoOffset();
      encoder_.Open(*chunk);
      for (uint64_t row = 0; row < chunk->row_count() && !summary_.truncated; ++row) {
        if (summary_.row_count == 0) {
          AppendFirst(chunk->row_count() == 1);
        } else {
          AppendFurther(row);
        }
      }
      if (rows_.size() <= kPieceBytes || summary_.cell_offset_used) continue;
      if (auto sent = SendRows(); !sent.has_value()) return sent;
    }
    return {};
  }

  // The first row is always sent, in shorter cells when it is too long. `may_be_only`: no other row
  // of its chunk follows, so the offset may apply; the row without it is kept for UndoOffset.
  void AppendFirst(bool may_be_only) {
    before_ = encoder_.counts();
    const size_t head = text_.size();
    encoder_.Append(0, cut_, rows_, text_);
    while (IsFull() && cut_.characters_max > kShortestCell) {
      cut_.characters_max = std::max(kShortestCell, cut_.characters_max / 2);
      RewriteFirst(head, cut_);
    }
    summary_.row_count = 1;
    if (!may_be_only || limits_.cell_offset == 0) return;
    plain_first_ = {.rows = rows_, .text = text_, .counts = encoder_.counts()};
    CellCut shifted = cut_;
    shifted.offset = limits_.cell_offset;
    RewriteFirst(head, shifted);
    summary_.cell_offset_used = true;
  }

  void RewriteFirst(size_t head, const CellCut& cut) {
    rows_.clear();
    text_.resize(head);
    encoder_.Restore(before_);
    encoder_.Append(0, cut, rows_, text_);
  }

  // Another row came: the offset holds for one-row results only.
  void UndoOffset() {
    if (!summary_.cell_offset_used) return;
    rows_ = std::move(plain_first_.rows);
    text_ = std::move(plain_first_.text);
    encoder_.Restore(plain_first_.counts);
    summary_.cell_offset_used = false;
  }

  void AppendFurther(uint64_t row) {
    if (summary_.row_count == limits_.rows_max) {
      summary_.truncated = true;
      return;
    }
    const size_t rows_before = rows_.size();
    const size_t text_before = text_.size();
    before_ = encoder_.counts();
    rows_.push_back(',');
    encoder_.Append(row, cut_, rows_, text_);
    if (!IsFull()) {
      ++summary_.row_count;
      return;
    }
    rows_.resize(rows_before);
    text_.resize(text_before);
    encoder_.Restore(before_);
    summary_.truncated = true;
    summary_.bytes_max_reached = true;
  }

  [[nodiscard]] bool IsFull() const {
    return summary_.bytes + rows_.size() > limits_.bytes_max || text_.size() > limits_.bytes_max;
  }

  Written SendRows() {
    if (rows_.empty()) return {};
    summary_.bytes += rows_.size();
    if (Status sent = output_.Rows(rows_); !sent.has_value()) {
      return OutputFailed(std::move(sent).error());
    }
    rows_.clear();
    return {};
  }

  struct FirstRow {
    std::string rows, text;
    RowEncoder::Counts counts;
  };

  engine::Rows& result_;
  const ResultLimits& limits_;
  Output& output_;
  RowEncoder encoder_;
  CellCut cut_;
  std::string rows_, text_;  // rows that were not sent yet; all of the text
  RowEncoder::Counts before_;
  FirstRow plain_first_;
  ResultSummary summary_;
};

}  // namespace

// The engine's own rule for a subquery, so that names agree when both apply it.
std::vector<std::string> UniqueNames(const std::vector<std::string>& names) {
  std::set<std::string> used;
  std::map<std::string, int> repeats;
  std::vector<std::string> unique;
  for (const std::string& name : names) {
    std::string candidate = name;
    while (!used.insert(AsciiLower(candidate)).second) {
      candidate = name + "_" + std::to_string(++repeats[AsciiLower(name)]);
    }
    unique.push_back(std::move(candidate));
  }
  return unique;
}

tl::expected<ResultSummary, WriteFailure> WriteResult(engine::Rows& result,
                                                      const std::vector<std::string>& names,
                                                      const ResultLimits& limits,
                                                      const ValueStyle& style, Output& output) {
  return ResultWriter(result, limits, style, output).Write(names);
}

}  // namespace ducat::rows
