#include "mcp/cursor.h"

#include <algorithm>

#include "base/digest.h"
#include "base/ids.h"
#include "base/text.h"

namespace ducat::mcp {
namespace {

constexpr size_t kPayloadBytes = 1 + 8 + 4;
constexpr size_t kSignatureBytes = 8;

void AppendBigEndian(std::string& out, uint64_t value, unsigned bytes) {
  for (unsigned i = bytes; i-- > 0;) {
    out.push_back(static_cast<char>((value >> (8U * i)) & 0xFFU));
  }
}

}  // namespace

std::string CursorCodec::Encode(ListKind kind, uint64_t version, uint32_t position) {
  std::string payload(1, static_cast<char>(kind));
  AppendBigEndian(payload, version, 8);
  AppendBigEndian(payload, position, 4);
  return Base64UrlEncode(payload + Sign(payload));
}

std::optional<uint32_t> CursorCodec::Decode(ListKind kind, std::string_view cursor) {
  const auto bytes = Base64UrlDecode(cursor);
  if (!bytes || bytes->size() != kPayloadBytes + kSignatureBytes) return std::nullopt;
  const std::string payload = bytes->substr(0, kPayloadBytes);
  if (!EqualInConstantTime(Sign(payload), bytes->substr(kPayloadBytes))) return std::nullopt;
  if (payload[0] != static_cast<char>(kind)) return std::nullopt;
  uint32_t position = 0;
  for (size_t i = kPayloadBytes - 4; i < kPayloadBytes; ++i) {
    position = position << 8U | static_cast<unsigned char>(payload[i]);
  }
  return position;
}

std::string CursorCodec::Sign(std::string_view payload) {
  if (key_.empty()) {
    Digest random{};
    FillRandom(random);
    key_.assign(random.begin(), random.end());
  }
  const Digest digest = HmacSha256(key_, payload);
  return {digest.begin(), digest.begin() + kSignatureBytes};
}

}  // namespace ducat::mcp
