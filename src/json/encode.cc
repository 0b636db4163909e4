#include "json/encode.h"

#include "base/result.h"
#include "json/shape_access.h"

namespace ducat::json {

namespace {

// An absent optional member is left out with its key.
bool IsAbsent(const Shape& shape, const void* value) {
  return shape.kind == Kind::kOptional && shape.count(value) == 0;
}

void AppendObject(const Shape& shape, const void* value, JsonWriter& out) {
  out.BeginObject();
  for (const Field& field : shape.fields) {
    const void* member = MemberAt(field, value);
    if (IsAbsent(*field.shape, member)) continue;
    out.Key(field.name);
    AppendJson(*field.shape, member, out);
  }
  out.EndObject();
}

void AppendArray(const Shape& shape, const void* value, JsonWriter& out) {
  out.BeginArray();
  const size_t count = shape.count(value);
  for (size_t i = 0; i < count; ++i) {
    AppendJson(*shape.inner, shape.item(value, i), out);
  }
  out.EndArray();
}

void AppendMap(const Shape& shape, const void* value, JsonWriter& out) {
  struct Context {
    const Shape& inner;
    JsonWriter& out;
  } context{*shape.inner, out};
  out.BeginObject();
  shape.each(value, &context, [](void* erased, std::string_view key, const void* item) {
    auto& entry = *static_cast<Context*>(erased);
    if (IsAbsent(entry.inner, item)) return;
    entry.out.Key(key);
    AppendJson(entry.inner, item, entry.out);
  });
  out.EndObject();
}

void AppendMaybe(const Shape& shape, const void* value, JsonWriter& out) {
  if (shape.count(value) == 0) return out.Null();
  AppendJson(*shape.inner, shape.item(value, 0), out);
}

void AppendRawElements(const RawElements& elements, JsonWriter& out) {
  out.BeginArray();
  out.Raw(elements.json);
  out.EndArray();
}

void AppendEnum(const Shape& shape, const void* value, JsonWriter& out) {
  const uint64_t index = LoadUnsigned(value, shape.size);
  CHECK(index < shape.names.size());
  out.String(shape.names[index]);
}

void AppendInteger(const Shape& shape, const void* value, JsonWriter& out) {
  if (shape.is_signed) return out.Integer(LoadSigned(value, shape.size));
  out.Unsigned(LoadUnsigned(value, shape.size));
}

}  // namespace

void AppendJson(const Shape& shape, const void* value, JsonWriter& out) {
  switch (shape.kind) {
    case Kind::kBoolean:
      return out.Bool(*static_cast<const bool*>(value));
    case Kind::kInteger:
      return AppendInteger(shape, value, out);
    case Kind::kNumber:
      return out.Double(*static_cast<const double*>(value));
    case Kind::kString:
      return out.String(*static_cast<const std::string*>(value));
    case Kind::kEnum:
      return AppendEnum(shape, value, out);
    case Kind::kArray:
      return AppendArray(shape, value, out);
    case Kind::kOptional:
    case Kind::kNullable:
      return AppendMaybe(shape, value, out);
    case Kind::kObject:
      return AppendObject(shape, value, out);
    case Kind::kMap:
      return AppendMap(shape, value, out);
    case Kind::kRaw:
      return out.Raw(static_cast<const Raw*>(value)->json);
    case Kind::kRawElements:
      return AppendRawElements(*static_cast<const RawElements*>(value), out);
    case Kind::kAny:
      return out.Raw(static_cast<const AnyValue*>(value)->json);
  }
}

}  // namespace ducat::json
