#pragma once
// The parsed form as the parser leaves it: one 64-bit word per value or bracket (numbers: two),
// kind in the top byte, strings beside in a buffer (simdjson's doc/tape.md). Internal to this
// layer: Document fills it, View and the limit checks read it. Immutable while a View lives; any
// thread may read.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "json/view.h"

namespace ducat::json {

struct Tape {
  const uint64_t* words = nullptr;
  const uint8_t* strings = nullptr;
  size_t end = 0;  // index behind the root value; 0: nothing was parsed
};

namespace tape {

inline constexpr size_t kRoot = 1;
inline constexpr uint64_t kPayloadMask = (uint64_t{1} << 56) - 1;
inline constexpr size_t kCountSaturated = 0xFFFFFF;

enum Tag : uint8_t {
  kObject = '{',
  kObjectEnd = '}',
  kArray = '[',
  kArrayEnd = ']',
  kString = '"',
  kInteger = 'l',
  kUnsigned = 'u',
  kDouble = 'd',
  kTrue = 't',
  kFalse = 'f',
  kNull = 'n',
};

inline uint8_t TagAt(const Tape& tape, size_t i) {
  return static_cast<uint8_t>(tape.words[i] >> 56);
}
inline bool IsContainer(uint8_t tag) {
  return tag == kObject || tag == kArray;
}
inline bool IsEnd(uint8_t tag) {
  return tag == kObjectEnd || tag == kArrayEnd;
}
inline bool IsWide(uint8_t tag) {
  return tag == kInteger || tag == kUnsigned || tag == kDouble;
}

// Index behind the value at `i`.
inline size_t After(const Tape& tape, size_t i) {
  const uint8_t tag = TagAt(tape, i);
  if (IsContainer(tag)) return static_cast<uint32_t>(tape.words[i]);
  return i + (IsWide(tag) ? 2 : 1);
}

inline std::string_view StringAt(const Tape& tape, size_t i) {
  const uint8_t* at = tape.strings + (tape.words[i] & kPayloadMask);
  uint32_t length = 0;
  std::memcpy(&length, at, sizeof(length));
  return {reinterpret_cast<const char*>(at + sizeof(length)), length};
}

template <class Number>
Number NumberAt(const Tape& tape, size_t i) {
  static_assert(sizeof(Number) == sizeof(uint64_t));
  Number value{};
  std::memcpy(&value, &tape.words[i + 1], sizeof(value));
  return value;
}

}  // namespace tape

// Key path of the value at `target`, e.g. "params.arguments.filters[2]"; empty for the root.
[[nodiscard]] std::string PathOf(const Tape& tape, size_t target);
// Appends ".key" (or "key" to an empty path) and "[3]"; long keys are cut.
void AppendKeyToPath(std::string& path, std::string_view key);
void AppendIndexToPath(std::string& path, size_t index);

}  // namespace ducat::json
