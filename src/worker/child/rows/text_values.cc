// VARCHAR, ENUM, BLOB, BIT, UUID.
#include <array>

#include "base/result.h"
#include "json/writer.h"
#include "worker/child/rows/cells.h"

namespace ducat::rows {
namespace {

using engine::TypeId;

constexpr std::string_view kUpperHex = "0123456789ABCDEF";
constexpr std::string_view kLowerHex = "0123456789abcdef";

void AppendRawText(const Cells& cells, uint64_t row, const ValueStyle& /*style*/,
                   std::string& out) {
  std::string scratch;
  out.push_back('"');
  json::AppendEscaped(out, RawText(cells, row, scratch));
  out.push_back('"');
}

// The first byte is the number of unused bits at the start of the second.
void AppendBit(const Cells& cells, uint64_t row, const ValueStyle& /*style*/, std::string& out) {
  const std::string_view bytes = cells.vector.Text(row);
  const auto padding = static_cast<unsigned char>(bytes[0]);
  out.push_back('"');
  for (size_t i = padding; i < (bytes.size() - 1) * 8; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[1 + i / 8]);
    out.push_back((byte >> (7 - i % 8) & 1U) != 0 ? '1' : '0');
  }
  out.push_back('"');
}

// Stored with its top bit flipped, so that signed order is text order.
void AppendUuid(const Cells& cells, uint64_t row, const ValueStyle& /*style*/, std::string& out) {
  const auto stored = cells.vector.At<engine::UInt128>(row);
  const std::array<uint64_t, 2> halves{stored.upper ^ (uint64_t{1} << 63), stored.lower};
  out.push_back('"');
  for (size_t digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) out.push_back('-');
    out.push_back(kLowerHex[halves[digit / 16] >> (60 - digit % 16 * 4) & 15U]);
  }
  out.push_back('"');
}

void AppendBlobText(std::string_view bytes, std::string& out) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '\\') {
      out.push_back(c);
    } else {
      out.append({'\\', 'x', kUpperHex[byte >> 4U], kUpperHex[byte & 15U]});
    }
  }
}

}  // namespace

bool IsRawText(TypeId id) {
  return id == TypeId::kVarchar || id == TypeId::kEnum || id == TypeId::kBlob;
}

uint32_t EnumIndex(const Cells& cells, uint64_t row) {
  constexpr size_t kByteNames = 256, kShortNames = 65'536;
  const size_t names = cells.type.names.size();
  if (names < kByteNames) return cells.vector.At<uint8_t>(row);
  if (names < kShortNames) return cells.vector.At<uint16_t>(row);
  return cells.vector.At<uint32_t>(row);
}

std::string_view RawText(const Cells& cells, uint64_t row, std::string& scratch) {
  switch (cells.type.id) {
    case TypeId::kVarchar:
      return cells.vector.Text(row);
    case TypeId::kEnum:
      return cells.type.names[EnumIndex(cells, row)];
    default:
      CHECK(cells.type.id == TypeId::kBlob);
      scratch.clear();
      AppendBlobText(cells.vector.Text(row), scratch);
      return scratch;
  }
}

AppendFunction TextWriter(TypeId id) {
  if (IsRawText(id)) return &AppendRawText;
  if (id == TypeId::kBit) return &AppendBit;
  if (id == TypeId::kUuid) return &AppendUuid;
  return nullptr;
}

}  // namespace ducat::rows
