#include "json/default_fit.h"

#include <algorithm>

#include "base/text.h"
#include "json/shape_access.h"
#include "json/whole_number.h"

namespace ducat::json {
namespace {

bool FitsElements(const Shape& inner, View value) {
  bool fits = value.IsArray();
  value.ForEachElement([&](View element) { return fits = fits && FitsShape(inner, element); });
  return fits;
}

bool FitsMembers(const Shape& inner, View value) {
  bool fits = value.IsObject();
  value.ForEachMember([&](std::string_view, View member) {
    fits = fits && FitsShape(inner, member);
    return fits;
  });
  return fits;
}

bool FitsFields(const Shape& shape, View value) {
  return value.IsObject() && std::ranges::all_of(shape.fields, [&](const Field& field) {
           const auto member = value.Find(field.name);
           return member ? FitsField(field, *member) : IsOptionalInput(field);
         });
}

bool Within(double value, const std::optional<double>& least, const std::optional<double>& most) {
  return (!least || value >= *least) && (!most || value <= *most);
}

template <class Bound>
bool CountWithin(size_t count, const Bound& least, const Bound& most) {
  return (!least || count >= *least) && (!most || count <= *most);
}

}  // namespace

bool FitsShape(const Shape& shape, View value) {
  switch (shape.kind) {
    case Kind::kBoolean:
      return value.AsBoolean().has_value();
    case Kind::kInteger: {
      const auto number = WholeNumber::FromView(value);
      return number && number->AgainstType(shape) == 0;
    }
    case Kind::kNumber:
      return value.AsDouble().has_value();
    case Kind::kString:
      return value.AsString().has_value();
    case Kind::kEnum: {
      const auto name = value.AsString();
      return name && std::ranges::find(shape.names, *name) != shape.names.end();
    }
    case Kind::kArray:
      return FitsElements(*shape.inner, value);
    case Kind::kMap:
      return FitsMembers(*shape.inner, value);
    case Kind::kObject:
      return FitsFields(shape, value);
    case Kind::kOptional:
      return FitsShape(*shape.inner, value);
    case Kind::kNullable:
      return value.IsNull() || FitsShape(*shape.inner, value);
    case Kind::kAny:
    case Kind::kRaw:
      return true;
    case Kind::kRawElements:
      return value.IsArray();
  }
  return false;
}

bool FitsField(const Field& field, View value) {
  if (!FitsShape(*field.shape, value)) return false;
  const Rule& rule = field.rule;
  if (const auto number = value.AsDouble()) return Within(*number, rule.minimum, rule.maximum);
  if (const auto text = value.AsString()) {
    return CountWithin(CountCodePoints(*text), rule.min_length, rule.max_length);
  }
  return !value.IsArray() || CountWithin(value.Size(), rule.min_items, rule.max_items);
}

}  // namespace ducat::json
