// SHA-256 by its old interface on purpose: the first EVP digest of a process costs 0.8 ms, this 1.5
// us; and any use of EVP, HMAC() too, links all algorithms, which the loader relocates at each
// start.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/digest.h"

#include <initializer_list>

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "base/result.h"

namespace ducat {

namespace {

std::string_view Bytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Digest Sha256Of(std::initializer_list<std::string_view> pieces) {
  Digest digest{};
  SHA256_CTX state;
  CHECK(SHA256_Init(&state) == 1);
  for (const std::string_view piece : pieces) {
    CHECK(SHA256_Update(&state, piece.data(), piece.size()) == 1);
  }
  CHECK(SHA256_Final(digest.data(), &state) == 1);
  return digest;
}

}  // namespace

Digest Sha256(std::string_view bytes) {
  return Sha256Of({bytes});
}

Digest HmacSha256(std::string_view key, std::string_view bytes) {
  // RFC 2104.
  constexpr char kInner = 0x36, kOuter = 0x5c;
  const Digest short_key = Sha256(key);
  std::string inner(key.size() > SHA256_CBLOCK ? Bytes(short_key) : key);
  inner.resize(SHA256_CBLOCK, '\0');
  std::string outer = inner;
  for (char& byte : inner) {
    byte = static_cast<char>(byte ^ kInner);
  }
  for (char& byte : outer) {
    byte = static_cast<char>(byte ^ kOuter);
  }
  const Digest first = Sha256Of({inner, bytes});
  return Sha256Of({outer, Bytes(first)});
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
