#pragma once
// Shape: one constant table per type, built at compile time and walked by plain functions. From it
// come the JSON Schema (schema.h), decoding with repairs (decode.h), encoding (encode.h) and the
// reference pages. A struct describes itself once, in a static constexpr Fields(); nothing about it
// is written twice. Tables are immutable and may be read by any thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ducat::json {

// JSON bytes that are spliced in as they are (worker rows). The producer guarantees that they are
// JSON.
struct Raw {
  std::string json;
};
// Elements of an array, without its brackets: `[1,"a"],[2,"b"]`; empty for an empty array.
struct RawElements {
  std::string json;
};
// A scalar or any other value of the caller, kept as its JSON text: cells, parameters.
struct AnyValue {
  std::string json = "null";
};

enum class Kind : uint8_t {
  kBoolean,
  kInteger,
  kNumber,
  kString,
  kEnum,      // a C++ enum, with its names in Shape::names, in enumerator order from 0
  kArray,     // std::vector<T>
  kOptional,  // std::optional<T>: absent when empty
  kNullable,  // Nullable<T>: null when empty, always present
  kObject,    // a described struct
  kMap,       // std::map<std::string, T>
  kRaw,
  kRawElements,
  kAny,
};

enum class Format : uint8_t { kNone, kDate, kDateTime, kUri };

// A value that is always present and may be null.
template <class T>
struct Nullable : std::optional<T> {
  using std::optional<T>::optional;
};

// Constraints and presentation of one field. Numbers are inclusive. The default is JSON text and
// makes the field optional on input.
struct Rule {
  std::optional<double> minimum, maximum;
  std::optional<uint32_t> min_length, max_length, min_items, max_items;
  std::string_view pattern;
  Format format = Format::kNone;
  std::string_view default_json;
  std::span<const std::string_view> aliases;  // other names accepted on input
  std::string_view element_doc;               // description of an array's items
  bool trim = false;                          // outer blanks are removed (codes, dates, enums)
  bool free_text = false;   // "" and "null" are values, not absence (protocol.md 14.3, 4)
  std::string_view header;  // x-mcp-header
};

// The part of `rule` that holds for the elements of an array or map.
[[nodiscard]] Rule ElementRule(const Rule& rule);

struct Shape;

struct Field {
  std::string_view name;
  std::string_view doc;
  const Shape* shape = nullptr;
  // Address of this field inside `object`. `slot` lets tables built at run time share one function.
  void* (*at)(void* object, uint32_t slot) = nullptr;
  uint32_t slot = 0;
  Rule rule = {};
};

struct Shape {
  Kind kind = Kind::kObject;
  std::span<const Field> fields;            // kObject
  const Shape* inner = nullptr;             // kArray, kOptional, kNullable, kMap
  std::span<const std::string_view> names;  // kEnum
  size_t size = 0;                          // sizeof the integer or enum type (kInteger, kEnum)
  bool is_signed = true;                    // kInteger
  // kArray: appends a default element / kOptional, kNullable: emplaces; gives its address.
  void* (*grow)(void* container) = nullptr;
  // kArray: element i. kOptional, kNullable: the value for i = 0, null when empty.
  const void* (*item)(const void* container, size_t i) = nullptr;
  size_t (*count)(const void* container) = nullptr;
  void (*clear)(void* container) = nullptr;
  // kMap: inserts a default value under a key / walks the entries in key order.
  void* (*insert)(void* map, std::string_view key) = nullptr;
  void (*each)(const void* map, void* context,
               void (*fn)(void* context, std::string_view key, const void* value)) = nullptr;
};

// Names of a described enum: specialise with `static constexpr std::array kNames{...}` of
// string_view.
template <class E>
struct EnumNames;

template <class T>
struct ShapeOf;  // shape_of.h-style specialisations below

template <class T>
inline constexpr Shape kShape = ShapeOf<T>::Make();

namespace internal {

template <class M>
struct MemberOf;
template <class Object, class Value>
struct MemberOf<Value Object::*> {
  using Owner = Object;
  using Type = Value;
};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsNullable : std::false_type {};
template <class T>
struct IsNullable<Nullable<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};

template <class T>
inline constexpr auto kFieldsOf = T::Fields();

template <class Container>
constexpr Shape MaybeShape(Kind kind) {
  using Inner = typename Container::value_type;
  return Shape{.kind = kind,
               .inner = &kShape<Inner>,
               .grow = [](void* c) -> void* { return &static_cast<Container*>(c)->emplace(); },
               .item = [](const void* c, size_t) -> const void* {
                 const auto& maybe = *static_cast<const Container*>(c);
                 return maybe.has_value() ? &*maybe : nullptr;
               },
               .count = [](const void* c) -> size_t {
                 return static_cast<const Container*>(c)->has_value() ? 1 : 0;
               },
               .clear = [](void* c) { static_cast<Container*>(c)->reset(); }};
}

}  // namespace internal

template <class T>
struct ShapeOf {
  static constexpr Shape Make() {
    if constexpr (std::is_same_v<T, bool>) {
      return Shape{.kind = Kind::kBoolean};
    } else if constexpr (std::is_enum_v<T>) {
      return Shape{.kind = Kind::kEnum, .names = EnumNames<T>::kNames, .size = sizeof(T)};
    } else if constexpr (std::is_integral_v<T>) {
      return Shape{.kind = Kind::kInteger, .size = sizeof(T), .is_signed = std::is_signed_v<T>};
    } else if constexpr (std::is_same_v<T, double>) {
      return Shape{.kind = Kind::kNumber};
    } else if constexpr (std::is_same_v<T, std::string>) {
      return Shape{.kind = Kind::kString};
    } else if constexpr (std::is_same_v<T, Raw>) {
      return Shape{.kind = Kind::kRaw};
    } else if constexpr (std::is_same_v<T, RawElements>) {
      return Shape{.kind = Kind::kRawElements};
    } else if constexpr (std::is_same_v<T, AnyValue>) {
      return Shape{.kind = Kind::kAny};
    } else if constexpr (internal::IsNullable<T>::value) {
      return internal::MaybeShape<T>(Kind::kNullable);
    } else if constexpr (internal::IsOptional<T>::value) {
      return internal::MaybeShape<T>(Kind::kOptional);
    } else if constexpr (internal::IsVector<T>::value) {
      return Shape{.kind = Kind::kArray,
                   .inner = &kShape<typename T::value_type>,
                   .grow = [](void* c) -> void* { return &static_cast<T*>(c)->emplace_back(); },
                   .item = [](const void* c, size_t i) -> const void* {
                     return &(*static_cast<const T*>(c))[i];
                   },
                   .count = [](const void* c) { return static_cast<const T*>(c)->size(); },
                   .clear = [](void* c) { static_cast<T*>(c)->clear(); }};
    } else if constexpr (internal::IsMap<T>::value) {
      return Shape{
          .kind = Kind::kMap,
          .inner = &kShape<typename T::mapped_type>,
          .count = [](const void* m) { return static_cast<const T*>(m)->size(); },
          .clear = [](void* m) { static_cast<T*>(m)->clear(); },
          .insert = [](void* m, std::string_view key) -> void* {
            return &(*static_cast<T*>(m))[std::string(key)];
          },
          .each =
              [](const void* m, void* context, void (*fn)(void*, std::string_view, const void*)) {
                for (const auto& [key, value] : *static_cast<const T*>(m)) {
                  fn(context, key, &value);
                }
              }};
    } else {
      return Shape{.kind = Kind::kObject, .fields = internal::kFieldsOf<T>};
    }
  }
};

// One field of a described struct: Describe<&Struct::member>("name", "What it means.", {rules}).
template <auto Member>
constexpr Field Describe(std::string_view name, std::string_view doc, Rule rule = {}) {
  using Traits = internal::MemberOf<decltype(Member)>;
  return Field{.name = name,
               .doc = doc,
               .shape = &kShape<typename Traits::Type>,
               .at = [](void* object, uint32_t) -> void* {
                 return &(static_cast<typename Traits::Owner*>(object)->*Member);
               },
               .rule = rule};
}

}  // namespace ducat::json
