// SHA-256 by its old interface on purpose: the first EVP digest of a process costs 0.8 ms, this 1.5
// us.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "base/result.h"

namespace ducat {

Digest Sha256(std::string_view bytes) {
  Digest digest{};
  SHA256_CTX state;
  CHECK(SHA256_Init(&state) == 1);
  CHECK(SHA256_Update(&state, bytes.data(), bytes.size()) == 1);
  CHECK(SHA256_Final(digest.data(), &state) == 1);
  return digest;
}

Digest HmacSha256(std::string_view key, std::string_view bytes) {
  Digest digest{};
  unsigned int size = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, bytes.size(),
             digest.data(), &size) != nullptr);
  CHECK(size == digest.size());
  return digest;
}

std::string Hex(const Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const uint8_t byte : digest) {
    text.push_back(kDigits[byte >> 4U]);
    text.push_back(kDigits[byte & 15U]);
  }
  return text;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace ducat
