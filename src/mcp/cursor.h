#pragma once
// Cursors of paged lists: base64url(kind, list version, position, 8 bytes of HMAC), so that only
// our own come back and nothing about the list needs to be remembered. Control thread only; a key
// per process.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ducat::mcp {

enum class ListKind : uint8_t { kTools, kPrompts, kResources, kTemplates };

class CursorCodec {
 public:
  [[nodiscard]] std::string Encode(ListKind kind, uint64_t version, uint32_t position);
  // The position; nothing for what is not ours or belongs to another list.
  [[nodiscard]] std::optional<uint32_t> Decode(ListKind kind, std::string_view cursor);

 private:
  [[nodiscard]] std::string Sign(std::string_view payload);
  std::string key_;  // drawn when first needed: a start should not wait for it
};

}  // namespace ducat::mcp
