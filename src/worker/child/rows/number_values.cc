// BOOLEAN, all integers, FLOAT, DOUBLE. Integers beyond 2^53-1 become strings of digits, in some
// styles every one of 64 bits and more.
#include <algorithm>
#include <array>

#include "json/writer.h"
#include "worker/child/rows/cells.h"
#include "worker/child/rows/wide_integer.h"

namespace ducat::rows {
namespace {

using engine::TypeId;
using json::JsonWriter;

constexpr UInt128 kExactMax = (UInt128{1} << 53) - 1;

void AppendBoolean(const Cells& cells, uint64_t row, const ValueStyle& /*style*/,
                   std::string& out) {
  // Read as a byte: a bool with another bit pattern than 0 and 1 is undefined.
  out.append(cells.vector.At<uint8_t>(row) != 0 ? "true" : "false");
}

template <class T>
void AppendNarrow(const Cells& cells, uint64_t row, const ValueStyle& /*style*/, std::string& out) {
  JsonWriter(out).Integer(cells.vector.At<T>(row));
}

void AppendWide(bool is_negative, UInt128 magnitude, const ValueStyle& style, std::string& out) {
  const bool is_text = style.wide_integers_as_text || magnitude > kExactMax;
  if (is_text) out.push_back('"');
  if (is_negative) out.push_back('-');
  AppendDigits(out, magnitude);
  if (is_text) out.push_back('"');
}

void AppendBigInt(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto value = cells.vector.At<int64_t>(row);
  if (!style.wide_integers_as_text) return JsonWriter(out).Integer(value);
  const auto magnitude = static_cast<uint64_t>(value);
  AppendWide(value < 0, value < 0 ? uint64_t{0} - magnitude : magnitude, style, out);
}

void AppendUBigInt(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  AppendWide(false, cells.vector.At<uint64_t>(row), style, out);
}

void AppendHugeInt(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto stored = cells.vector.At<engine::Int128>(row);
  AppendWide(stored.upper < 0, Magnitude(stored), style, out);
}

void AppendUHugeInt(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto stored = cells.vector.At<engine::UInt128>(row);
  AppendWide(false, UInt128{stored.upper} << 64 | stored.lower, style, out);
}

// Three header bytes (sign and length), then the magnitude, most significant byte first; all of
// them inverted for a negative number.
void AppendBignum(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  constexpr size_t kHeaderBytes = 3;
  std::string bytes(cells.vector.Text(row));
  const bool is_negative = (static_cast<unsigned char>(bytes[0]) & 0x80U) == 0;
  bytes.erase(0, kHeaderBytes);
  if (is_negative) {
    for (char& c : bytes) {
      c = static_cast<char>(~c);
    }
  }
  bytes.erase(0, std::min(bytes.find_first_not_of('\0'), bytes.size()));
  if (bytes.size() <= sizeof(UInt128)) {
    UInt128 magnitude = 0;
    for (const char c : bytes) {
      magnitude = magnitude << 8 | static_cast<unsigned char>(c);
    }
    return AppendWide(is_negative, magnitude, style, out);
  }
  out.push_back('"');
  if (is_negative) out.push_back('-');
  out.append(DigitsOf(bytes));
  out.push_back('"');
}

void AppendFloat(const Cells& cells, uint64_t row, const ValueStyle& /*style*/, std::string& out) {
  JsonWriter(out).Float(cells.vector.At<float>(row));
}

void AppendDouble(const Cells& cells, uint64_t row, const ValueStyle& /*style*/, std::string& out) {
  JsonWriter(out).Double(cells.vector.At<double>(row));
}

}  // namespace

AppendFunction NumberWriter(TypeId id) {
  switch (id) {
    case TypeId::kBoolean:
      return &AppendBoolean;
    case TypeId::kTinyInt:
      return &AppendNarrow<int8_t>;
    case TypeId::kSmallInt:
      return &AppendNarrow<int16_t>;
    case TypeId::kInteger:
      return &AppendNarrow<int32_t>;
    case TypeId::kUTinyInt:
      return &AppendNarrow<uint8_t>;
    case TypeId::kUSmallInt:
      return &AppendNarrow<uint16_t>;
    case TypeId::kUInteger:
      return &AppendNarrow<uint32_t>;
    case TypeId::kBigInt:
      return &AppendBigInt;
    case TypeId::kUBigInt:
      return &AppendUBigInt;
    case TypeId::kHugeInt:
      return &AppendHugeInt;
    case TypeId::kUHugeInt:
      return &AppendUHugeInt;
    case TypeId::kBignum:
      return &AppendBignum;
    case TypeId::kFloat:
      return &AppendFloat;
    case TypeId::kDouble:
      return &AppendDouble;
    default:
      return nullptr;
  }
}

}  // namespace ducat::rows
