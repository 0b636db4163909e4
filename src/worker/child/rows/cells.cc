#include "worker/child/rows/cells.h"

#include "base/result.h"

namespace ducat::rows {
namespace {

using engine::TypeId;

void AppendNull(const Cells& /*cells*/, uint64_t /*row*/, const ValueStyle& /*style*/,
                std::string& out) {
  out.append("null", 4);
}

AppendFunction WriterOf(const engine::Type& type) {
  if (AppendFunction writer = NumberWriter(type.id)) return writer;
  if (AppendFunction writer = TextWriter(type.id)) return writer;
  if (AppendFunction writer = TemporalWriter(type.id)) return writer;
  if (AppendFunction writer = DecimalWriter(type)) return writer;
  if (AppendFunction writer = NestedWriter(type)) return writer;
  CHECK(type.id == TypeId::kNull);
  return &AppendNull;
}

}  // namespace

Cells::Cells(const engine::Type& column_type, engine::Vector column_vector)
    : type(column_type), vector(column_vector), append(WriterOf(column_type)) {
  children.reserve(type.children.size());
  switch (type.id) {
    case TypeId::kList:
      children.emplace_back(type.children[0], vector.ListChild());
      break;
    case TypeId::kArray:
      children.emplace_back(type.children[0], vector.ArrayChild());
      break;
    case TypeId::kMap: {
      const engine::Vector entries = vector.ListChild();
      children.emplace_back(type.children[0], entries.StructChild(0));
      children.emplace_back(type.children[1], entries.StructChild(1));
      break;
    }
    case TypeId::kStruct:
      for (size_t i = 0; i < type.children.size(); ++i) {
        children.emplace_back(type.children[i], vector.StructChild(i));
      }
      break;
    case TypeId::kUnion:
      // Child 0 of the vector is the tag.
      for (size_t i = 0; i < type.children.size(); ++i) {
        children.emplace_back(type.children[i], vector.StructChild(i + 1));
      }
      break;
    default:
      break;
  }
}

}  // namespace ducat::rows
