#pragma once
// Keys that tokens are signed with: a JSON Web Key Set (RFC 7517) or a shared secret, as text, to
// keys that can verify. Pure but for the crypto module that makes the keys.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "transport/crypto/crypto_module.h"
#include "transport/http/jwt/jwt_text.h"

namespace ducat::transport {

inline constexpr size_t kJwksKeysMax = 64;
inline constexpr size_t kSecretBytesMin = 32;

// The key decides the algorithm, never the token.
struct JwtKey {
  JwtAlgorithm algorithm = JwtAlgorithm::kHs256;
  std::string id;  // empty: for tokens of any key id
  std::shared_ptr<const SignatureKey> key;
};
using JwtKeys = std::vector<JwtKey>;

// RSA and P-256 keys for signatures. Others are left out, and so are broken and weak ones: one bad
// key must not lock out those who use another. Fails with "invalid_jwks" for what is no key set,
// for over 64 keys, and when no key is left.
[[nodiscard]] Result<JwtKeys> ParseJwks(std::string_view text, const CryptoModule& module);

// HS256. Fails with "invalid_jwt_secret" below 32 bytes, and for what is a public key by mistake:
// whoever knows that could sign.
[[nodiscard]] Result<JwtKeys> SecretKeys(std::string_view secret);

}  // namespace ducat::transport
