#include "packs/analyst/jobs/json_rows.h"

#include <charconv>

#include "base/text.h"
#include "json/writer.h"
#include "worker/child/rows/cells.h"

namespace ducat::analyst {

engine::EngineResult<std::vector<JsonRow>> FetchJson(engine::Connection& connection,
                                                     std::string_view sql) {
  auto rows = connection.RunReadable(sql);
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  std::vector<JsonRow> table;
  while (true) {
    auto next = rows->Next();
    if (!next.has_value()) return tl::unexpected(std::move(next).error());
    const engine::Chunk* chunk = *next;
    if (chunk == nullptr) return table;
    const size_t first = table.size();
    table.resize(first + chunk->row_count(), JsonRow(rows->types().size()));
    for (size_t column = 0; column < rows->types().size(); ++column) {
      const rows::Cells cells(rows->types()[column], chunk->column(column));
      for (uint64_t row = 0; row < chunk->row_count(); ++row) {
        rows::AppendJson(cells, row, rows::kAnalystStyle, table[first + row][column]);
      }
    }
  }
}

int64_t AsInteger(std::string_view json) {
  if (json.starts_with('"')) json.remove_prefix(1);
  int64_t value = 0;
  std::from_chars(json.data(), json.data() + json.size(), value);
  return value;
}

double AsDouble(std::string_view json) {
  if (json.starts_with('"')) json.remove_prefix(1);
  double value = 0;
  std::from_chars(json.data(), json.data() + json.size(), value);
  return value;
}

std::string ClipJson(std::string json, size_t characters_max) {
  const bool is_text = json.starts_with('"');
  if (!is_text && !json.starts_with('[') && !json.starts_with('{')) return json;
  if (json.size() <= characters_max) return json;
  const std::string text =
      is_text ? json::Unescape(std::string_view(json).substr(1, json.size() - 2)) : json;
  if (CountCodePoints(text) <= characters_max) return json;
  std::string clipped = "\"";
  json::AppendEscaped(clipped, FirstCodePoints(text, characters_max - 1));
  return clipped + "…\"";
}

}  // namespace ducat::analyst
