#include "worker/child/rows/row_encoder.h"

#include <algorithm>

#include "base/text.h"
#include "json/writer.h"
#include "worker/child/rows/markdown_cell.h"

namespace ducat::rows {
namespace {

using engine::TypeId;

bool IsNested(TypeId id) {
  return id == TypeId::kList || id == TypeId::kArray || id == TypeId::kStruct ||
         id == TypeId::kMap || id == TypeId::kUnion;
}

bool IsOfAnyLength(TypeId id) {
  return id == TypeId::kBit || id == TypeId::kBignum;
}

JsonForm FormOfText(std::string_view json) {
  switch (json.front()) {
    case '"':
      return kStringForm;
    case '[':
      return kArrayForm;
    case '{':
      return kObjectForm;
    case 't':
    case 'f':
      return kBooleanForm;
    default:
      return kNumberForm;
  }
}

// The form that values of a type take when nothing is out of the ordinary.
JsonForm UsualForm(const engine::Type& type) {
  switch (type.id) {
    case TypeId::kBoolean:
      return kBooleanForm;
    case TypeId::kList:
    case TypeId::kArray:
    case TypeId::kMap:
      return kArrayForm;
    case TypeId::kStruct:
      return type.names[0].empty() ? kArrayForm : kObjectForm;
    case TypeId::kUnion:
    case TypeId::kInterval:
      return kObjectForm;
    default:
      break;
  }
  const bool is_number = NumberWriter(type.id) != nullptr || DecimalWriter(type) != nullptr;
  return is_number ? kNumberForm : kStringForm;
}

// "…(+12 chars)"
std::string Marker(uint64_t hidden) {
  return "\xE2\x80\xA6(+" + std::to_string(hidden) + " chars)";
}

// NULL is an empty cell, so empty text shows its quotes, and text of two quotes escapes them.
void AppendCell(std::string& text, std::string_view content) {
  if (content.empty()) {
    text.append("\\\"\\\"");
  } else if (content == "\"\"") {
    text.append("\\\\\\\"\\\\\\\"");
  } else {
    AppendMarkdownCell(text, content);
  }
}

}  // namespace

RowEncoder::RowEncoder(const std::vector<engine::Type>& types, const ValueStyle& style)
    : types_(types), style_(style), counts_{.forms = std::vector<uint8_t>(types.size())} {}

void RowEncoder::Open(const engine::Chunk& chunk) {
  columns_.clear();
  columns_.reserve(types_.size());
  for (size_t i = 0; i < types_.size(); ++i) {
    columns_.emplace_back(types_[i], chunk.column(i));
  }
}

void RowEncoder::Append(uint64_t row, const CellCut& cut, std::string& rows, std::string& text) {
  rows.push_back('[');
  text.push_back('|');
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Cells& cells = columns_[i];
    if (i > 0) {
      rows.push_back(',');
      text.push_back('|');
    }
    if (cells.vector.IsNull(row)) {
      rows.append("null", 4);
    } else if (IsRawText(cells.type.id)) {
      AppendShown(i, Cut(RawText(cells, row, scratch_), cut), rows, text);
    } else if (IsNested(cells.type.id)) {
      AppendNested(i, row, cut, rows, text);
    } else {
      AppendPlain(i, row, cut, rows, text);
    }
  }
  rows.push_back(']');
  text.append("|\\n", 3);
}

RowEncoder::Shown RowEncoder::Cut(std::string_view content, const CellCut& cut) {
  if (content.size() <= cut.characters_max) return {.text = content};
  if (FirstCodePoints(content, cut.characters_max).size() == content.size()) {
    return {.text = content};
  }
  const std::string_view rest = content.substr(FirstCodePoints(content, cut.offset).size());
  const std::string_view shown = FirstCodePoints(rest, cut.characters_max);
  return {.text = shown, .hidden = CountCodePoints(rest.substr(shown.size())), .is_whole = false};
}

void RowEncoder::AppendShown(size_t column, const Shown& shown, std::string& rows,
                             std::string& text) {
  counts_.forms[column] |= kStringForm;
  rows.push_back('"');
  json::AppendEscaped(rows, shown.text);
  AppendCell(text, shown.text);
  if (shown.hidden > 0) {
    ++counts_.clipped_cells;
    const std::string marker = Marker(shown.hidden);
    rows.append(marker);
    text.append(marker);
  }
  rows.push_back('"');
}

// As JSON while it fits, else its JSON text, cut.
void RowEncoder::AppendNested(size_t column, uint64_t row, const CellCut& cut, std::string& rows,
                              std::string& text) {
  scratch_.clear();
  columns_[column].append(columns_[column], row, style_, scratch_);
  if (const Shown shown = Cut(scratch_, cut); !shown.is_whole) {
    return AppendShown(column, shown, rows, text);
  }
  counts_.forms[column] |= FormOfText(scratch_);
  rows.append(scratch_);
  AppendMarkdownCell(text, scratch_);
}

// Numbers, booleans, dates and the like: nothing in them needs an escape, except the quotes of an
// INTERVAL, and only those of any length can be too long.
void RowEncoder::AppendPlain(size_t column, uint64_t row, const CellCut& cut, std::string& rows,
                             std::string& text) {
  const size_t start = rows.size();
  columns_[column].append(columns_[column], row, style_, rows);
  std::string_view json(rows.data() + start, rows.size() - start);
  const JsonForm form = FormOfText(json);
  if (form == kStringForm) {
    json = json.substr(1, json.size() - 2);
    if (json.size() > cut.characters_max && IsOfAnyLength(types_[column].id)) {
      scratch_ = json;
      rows.resize(start);
      return AppendShown(column, Cut(scratch_, cut), rows, text);
    }
  }
  counts_.forms[column] |= form;
  if (form == kObjectForm) {
    AppendMarkdownCell(text, json);
  } else {
    text.append(json);
  }
}

std::string_view RowEncoder::FormOf(size_t column) const {
  const uint8_t seen = counts_.forms[column];
  switch (seen != 0 ? seen : UsualForm(types_[column])) {
    case kNumberForm:
      return "number";
    case kStringForm:
      return "string";
    case kBooleanForm:
      return "boolean";
    case kArrayForm:
      return "array";
    case kObjectForm:
      return "object";
    default:
      return "mixed";
  }
}

}  // namespace ducat::rows
