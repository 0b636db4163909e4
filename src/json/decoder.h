#pragma once
// Decoder: the walk of decode.h over one arguments object. One per call, on the stack of its
// caller; the report and the struct are borrowed. Recursion follows the Shape, whose depth is ours.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/decode.h"
#include "json/issue_words.h"

namespace ducat::json {

class Decoder {
 public:
  enum class Mode : uint8_t { kRepairing, kStrict };
  Decoder(Mode mode, DecodeReport& report) : mode_(mode), report_(report) {}

  // The arguments as a whole (protocol.md 14.3, 1).
  void Root(const Shape& shape, View value, void* out);
  // Any value; used for its parts as well.
  void Value(const Shape& shape, const Rule& rule, View value, void* out, const Place& place);

 private:
  // What the object under the walk has for one field.
  struct Slot {
    View value;
    std::string_view key;
    bool present = false;
  };
  struct Undeclared {
    std::string_view key;
    View value;
  };

  void Object(const Shape& shape, View value, void* out, const Place& place);
  void Collect(const Shape& shape, View value, size_t first, std::vector<Undeclared>& others);
  void PlaceUndeclared(const Shape& shape, const std::vector<Undeclared>& others, size_t first,
                       const Place& place, std::vector<Undeclared>& unknown);
  void Unknown(const Shape& shape, const std::vector<Undeclared>& others, const Place& place);
  void Member(const Field& field, const Slot& slot, void* object, const Place& place);
  void Default(const Field& field, void* member);
  [[nodiscard]] bool CountsAsAbsent(const Field& field, View value) const;

  void Boolean(const Shape& shape, View value, void* out, const Place& place);
  void Integer(const Shape& shape, const Rule& rule, View value, void* out, const Place& place);
  void Number(const Shape& shape, const Rule& rule, View value, void* out, const Place& place);
  void String(const Shape& shape, const Rule& rule, View value, void* out, const Place& place);
  void Enum(const Shape& shape, const Rule& rule, View value, void* out, const Place& place);
  void Array(const Shape& shape, const Rule& rule, View value, void* out, const Place& place);
  void Map(const Shape& shape, const Rule& rule, View value, void* out, const Place& place);
  void Any(View value, std::string& out, const Place& place);
  void Elements(const Shape& shape, View value, std::string& out, const Place& place);

  void ArrayElements(const Shape& shape, const Rule& rule, View value, void* out,
                     const Place& place);
  // A repair: the text of a container parsed, a lone scalar as the only element. True when it
  // passed.
  [[nodiscard]] bool FromText(const Shape& shape, const Rule& rule, View value, void* out,
                              const Place& place);
  [[nodiscard]] bool FromScalar(const Shape& shape, const Rule& rule, View value, void* out,
                                const Place& place);
  enum class TextFault : uint8_t { kNone, kNul, kShort, kLong, kFormat, kPattern };
  [[nodiscard]] TextFault JudgeText(const Rule& rule, std::string_view text) const;
  // The text of a string; repaired, that of an integer, kept in `buffer`.
  [[nodiscard]] std::optional<std::string_view> TextOf(const Rule& rule, View value,
                                                       std::string& buffer) const;

  [[nodiscard]] bool repairing() const { return mode_ == Mode::kRepairing; }
  // Whether an issue would still be kept; if not it is only counted.
  [[nodiscard]] bool Wanted();
  void Add(Issue issue) { report_.issues.push_back(std::move(issue)); }
  void Coerced(const Place& place);
  // Takes over a trial that passed.
  void Accept(DecodeReport trial, const Place& place);

  Mode mode_;
  DecodeReport& report_;
  std::vector<Slot> slots_;  // of all open objects; each uses its own range
  std::optional<Document> defaults_;
};

}  // namespace ducat::json
