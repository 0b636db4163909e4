#pragma once
// Type: a column's type as a tree of plain values, read once per result from the engine. `text` is
// what the engine prints for it. Owned by whoever holds it; any thread may read it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::engine {

enum class TypeId : uint8_t {
  kBoolean,
  kTinyInt,
  kSmallInt,
  kInteger,
  kBigInt,
  kUTinyInt,
  kUSmallInt,
  kUInteger,
  kUBigInt,
  kHugeInt,
  kUHugeInt,
  kBignum,
  kFloat,
  kDouble,
  kDecimal,
  kVarchar,  // also JSON, an alias of it
  kBlob,
  kBit,
  kUuid,
  kEnum,
  kDate,
  kTime,
  kTimeNs,
  kTimeTz,
  kTimestamp,
  kTimestampS,
  kTimestampMs,
  kTimestampNs,
  kTimestampTz,
  kInterval,
  kList,
  kArray,
  kStruct,
  kMap,
  kUnion,
  kNull,   // the type of a bare NULL
  kOther,  // VARIANT, GEOMETRY and whatever comes: readable as its cast to VARCHAR only
};

struct Type {
  TypeId id = TypeId::kOther;
  std::string text;
  uint8_t width = 0, scale = 0;  // kDecimal
  uint64_t array_size = 0;       // kArray
  std::vector<Type> children;  // kList, kArray: element. kMap: key, value. kStruct, kUnion: members
  std::vector<std::string>
      names;  // kStruct, kUnion: members ("" in an unnamed struct). kEnum: values
};

// The type's text with every kOther in it replaced by VARCHAR, for a CAST that makes it readable;
// empty when there is none.
[[nodiscard]] std::string ReadableCast(const Type& type);

}  // namespace ducat::engine
