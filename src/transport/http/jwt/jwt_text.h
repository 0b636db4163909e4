#pragma once
// JwtText: a signed token taken apart (RFC 7515, compact form), before anything of it is believed.
// Pure; the views borrow from the token. Nothing here says whose token it is.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ducat::transport {

enum class JwtAlgorithm : uint8_t { kHs256, kRs256, kEs256 };

[[nodiscard]] std::optional<JwtAlgorithm> ParseJwtAlgorithm(std::string_view name);

struct JwtText {
  JwtAlgorithm algorithm = JwtAlgorithm::kHs256;
  std::string key_id;            // empty: the token names no key
  std::string_view signed_part;  // header and payload as they were sent
  std::string payload;           // decoded
  std::string signature;         // decoded
};

// Nothing for what is no such token: not three parts of strict base64url, a header that is no
// object, an algorithm that is not one of the three ("none"), a critical extension.
[[nodiscard]] std::optional<JwtText> ReadJwt(std::string_view token);

}  // namespace ducat::transport
