#pragma once
// Cells: one column of one chunk, ready to be written value by value: its type, its vector, those
// of its children, and the function that writes its kind of value. Built once per chunk, dies with
// it. Job thread only.

#include <cstdint>
#include <string>
#include <vector>

#include "worker/child/engine/chunk.h"
#include "worker/child/engine/types.h"
#include "worker/child/rows/value_style.h"

namespace ducat::rows {

struct Cells {
  // `type` must be what the vector holds, outlive this, and have no kOther in it
  // (Connection::RunReadable).
  Cells(const engine::Type& column_type, engine::Vector column_vector);

  const engine::Type& type;
  engine::Vector vector;
  std::vector<Cells> children;
  // Appends the value of a row that is not NULL as JSON.
  void (*append)(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out);
};

// Appends a value, `null` for NULL.
inline void AppendJson(const Cells& cells, uint64_t row, const ValueStyle& style,
                       std::string& out) {
  if (cells.vector.IsNull(row)) {
    out.append("null", 4);
  } else {
    cells.append(cells, row, style, out);
  }
}

using AppendFunction = decltype(Cells::append);

// The writers of each family, by type; null when the type is not theirs. One file each.
[[nodiscard]] AppendFunction NumberWriter(engine::TypeId id);
[[nodiscard]] AppendFunction DecimalWriter(const engine::Type& type);
[[nodiscard]] AppendFunction TextWriter(engine::TypeId id);
[[nodiscard]] AppendFunction TemporalWriter(engine::TypeId id);
[[nodiscard]] AppendFunction NestedWriter(const engine::Type& type);

// Text of VARCHAR and ENUM (viewed in place) and BLOB (built in `scratch`): what their JSON string
// stands for. Only for types of which IsRawText is true.
[[nodiscard]] bool IsRawText(engine::TypeId id);
[[nodiscard]] std::string_view RawText(const Cells& cells, uint64_t row, std::string& scratch);

// Index of an ENUM value in its type's names.
[[nodiscard]] uint32_t EnumIndex(const Cells& cells, uint64_t row);

}  // namespace ducat::rows
