// LIST, ARRAY, STRUCT, MAP, UNION: the rules of values hold inside them too.
#include "json/writer.h"
#include "worker/child/rows/cells.h"

namespace ducat::rows {
namespace {

using engine::TypeId;

void AppendElements(const Cells& element, uint64_t first, uint64_t count, const ValueStyle& style,
                    std::string& out) {
  out.push_back('[');
  for (uint64_t i = 0; i < count; ++i) {
    if (i > 0) out.push_back(',');
    AppendJson(element, first + i, style, out);
  }
  out.push_back(']');
}

void AppendList(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto entry = cells.vector.At<engine::ListEntry>(row);
  AppendElements(cells.children[0], entry.offset, entry.length, style, out);
}

void AppendArray(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const uint64_t size = cells.type.array_size;
  AppendElements(cells.children[0], row * size, size, style, out);
}

void AppendMap(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto entry = cells.vector.At<engine::ListEntry>(row);
  out.push_back('[');
  for (uint64_t i = entry.offset; i < entry.offset + entry.length; ++i) {
    out.append(i > entry.offset ? ",{\"key\":" : "{\"key\":");
    AppendJson(cells.children[0], i, style, out);
    out.append(",\"value\":");
    AppendJson(cells.children[1], i, style, out);
    out.push_back('}');
  }
  out.push_back(']');
}

void AppendStruct(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const bool is_named = !cells.type.names[0].empty();
  out.push_back(is_named ? '{' : '[');
  for (size_t i = 0; i < cells.children.size(); ++i) {
    if (i > 0) out.push_back(',');
    if (is_named) {
      out.push_back('"');
      json::AppendEscaped(out, cells.type.names[i]);
      out.append("\":", 2);
    }
    AppendJson(cells.children[i], row, style, out);
  }
  out.push_back(is_named ? '}' : ']');
}

void AppendUnion(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto tag = cells.vector.StructChild(0).At<uint8_t>(row);
  out.append("{\"tag\":\"");
  json::AppendEscaped(out, cells.type.names[tag]);
  out.append("\",\"value\":");
  AppendJson(cells.children[tag], row, style, out);
  out.push_back('}');
}

}  // namespace

AppendFunction NestedWriter(const engine::Type& type) {
  switch (type.id) {
    case TypeId::kList:
      return &AppendList;
    case TypeId::kArray:
      return &AppendArray;
    case TypeId::kMap:
      return &AppendMap;
    case TypeId::kStruct:
      return &AppendStruct;
    case TypeId::kUnion:
      return &AppendUnion;
    default:
      return nullptr;
  }
}

}  // namespace ducat::rows
