#pragma once
// View: a borrowed look at a JSON value; Document: the parsed text that owns it. Wraps simdjson,
// which no other layer may see. A View is 16 bytes, cheap to copy, valid while its Document lives
// and is not parsed again. Reading never throws and never allocates, except where a std::string is
// returned.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace ducat::json {

struct Tape;  // json/tape.h

enum class Type : uint8_t {
  kNull,
  kBoolean,
  kInteger,
  kUnsigned,
  kDouble,
  kString,
  kArray,
  kObject
};

class View {
 public:
  View() = default;  // reads as null

  [[nodiscard]] Type type() const;
  [[nodiscard]] bool IsNull() const { return type() == Type::kNull; }
  [[nodiscard]] bool IsString() const { return type() == Type::kString; }
  [[nodiscard]] bool IsObject() const { return type() == Type::kObject; }
  [[nodiscard]] bool IsArray() const { return type() == Type::kArray; }
  [[nodiscard]] bool IsNumber() const;

  // The value when it has that type, else nothing. AsInteger accepts 5.0 and 1e3 (integral doubles
  // within +-2^53) and unsigned values that fit; AsDouble accepts every number.
  [[nodiscard]] std::optional<bool> AsBoolean() const;
  [[nodiscard]] std::optional<int64_t> AsInteger() const;
  [[nodiscard]] std::optional<uint64_t> AsUnsigned() const;
  [[nodiscard]] std::optional<double> AsDouble() const;
  [[nodiscard]] std::optional<std::string_view> AsString() const;

  // Member of an object by its exact name; nothing when absent or when this is no object.
  [[nodiscard]] std::optional<View> Find(std::string_view key) const;
  // Element count of an array or object, else 0. Linear for large containers.
  [[nodiscard]] size_t Size() const;

  // Calls fn(key, value) / fn(value) in document order until it returns false. No-ops on other
  // types.
  template <class Fn>
  void ForEachMember(Fn&& fn) const {
    VisitMembers(Erase(fn), [](void* erased, std::string_view key, View value) -> bool {
      return (*static_cast<std::remove_reference_t<Fn>*>(erased))(key, value);
    });
  }
  template <class Fn>
  void ForEachElement(Fn&& fn) const {
    VisitElements(Erase(fn), [](void* erased, View value) -> bool {
      return (*static_cast<std::remove_reference_t<Fn>*>(erased))(value);
    });
  }

  // This value as compact JSON text, numbers as they were parsed, members in document order.
  [[nodiscard]] std::string ToJson() const;

 private:
  friend class Document;
  View(const Tape* tape, size_t index) : tape_(tape), index_(index) {}

  template <class Fn>
  static void* Erase(Fn& fn) {
    return const_cast<void*>(static_cast<const void*>(std::addressof(fn)));
  }
  void VisitMembers(void* erased, bool (*fn)(void*, std::string_view, View)) const;
  void VisitElements(void* erased, bool (*fn)(void*, View)) const;

  const Tape* tape_ = nullptr;
  size_t index_ = 0;
};

// What a text must keep to beside being JSON. Defaults: a protocol message (protocol.md 2.1).
struct ParseLimits {
  size_t depth_max = 64;
  size_t nodes_max = 200'000;  // values, containers included
  bool refuse_duplicate_keys = true;
};

// Owns one parsed text; Parse may be called again and reuses the memory. Not thread-safe.
class Document {
 public:
  Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  // Fails with reason "json_syntax" (not JSON, invalid UTF-8, BOM, bytes after the value), or
  // "json_limit" (depth, nodes, duplicate key, number that does not fit; message names path or
  // limit).
  [[nodiscard]] Result<View> Parse(std::string_view text, const ParseLimits& limits = {});
  [[nodiscard]] View root() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The raw token of a top-level scalar member of a JSON object text (`"id"` -> `17`, `"a"`), found
// by a lenient scan that works on text that Parse refuses. The token itself is always good JSON.
// Nothing when it cannot be read with certainty: absent, no scalar, malformed, or there twice.
[[nodiscard]] std::optional<std::string_view> ScanTopLevel(std::string_view text,
                                                           std::string_view key);

}  // namespace ducat::json
