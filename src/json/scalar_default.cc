#include "json/scalar_default.h"

#include <algorithm>
#include <charconv>

#include "json/shape_access.h"
#include "json/whole_number.h"

namespace ducat::json {

namespace {

bool StoreInteger(const Shape& shape, std::string_view json, void* out) {
  const std::optional<WholeNumber> number = WholeNumber::FromText(json);
  if (!number || number->AgainstType(shape) != 0) return false;
  number->Store(shape, out);
  return true;
}

bool StoreNumber(std::string_view json, void* out) {
  const char* begin = json.data();
  const char* end = begin + json.size();
  const auto read = std::from_chars(begin, end, *static_cast<double*>(out));
  return read.ec == std::errc{} && read.ptr == end;
}

// The inside of a string without escapes.
std::optional<std::string_view> PlainString(std::string_view json) {
  if (json.size() < 2 || json.front() != '"' || json.back() != '"') return std::nullopt;
  const std::string_view inside = json.substr(1, json.size() - 2);
  if (inside.find_first_of("\"\\") != std::string_view::npos) return std::nullopt;
  return inside;
}

bool StoreEnum(const Shape& shape, std::string_view name, void* out) {
  const auto found = std::ranges::find(shape.names, name);
  if (found == shape.names.end()) return false;
  json::StoreInteger(out, shape.size, static_cast<uint64_t>(found - shape.names.begin()));
  return true;
}

}  // namespace

bool StoreScalarDefault(const Shape& shape, std::string_view json, void* out) {
  switch (shape.kind) {
    case Kind::kBoolean:
      *static_cast<bool*>(out) = json == "true";
      return json == "true" || json == "false";
    case Kind::kInteger:
      return StoreInteger(shape, json, out);
    case Kind::kNumber:
      return StoreNumber(json, out);
    case Kind::kString:
      if (const auto text = PlainString(json)) {
        static_cast<std::string*>(out)->assign(*text);
        return true;
      }
      return false;
    case Kind::kEnum:
      if (const auto name = PlainString(json)) return StoreEnum(shape, *name, out);
      return false;
    default:
      return false;
  }
}

}  // namespace ducat::json
