#pragma once
// Struct to JSON through its Shape. Absent optional members are left out, empty arrays are []. Pure
// functions that cannot fail; any thread may call them.

#include <string>

#include "json/shape.h"
#include "json/writer.h"

namespace ducat::json {

void AppendJson(const Shape& shape, const void* value, JsonWriter& out);

template <class T>
[[nodiscard]] std::string Encode(const T& value) {
  std::string text;
  JsonWriter writer(text);
  AppendJson(kShape<T>, &value, writer);
  return text;
}

}  // namespace ducat::json
