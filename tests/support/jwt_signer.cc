#include "support/jwt_signer.h"

#include <array>
#include <utility>
#include <vector>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "base/digest.h"
#include "base/result.h"
#include "base/text.h"

namespace ducat::testing {

struct JwtSigner::Key {
  EVP_PKEY* pkey = nullptr;
  bool rsa = false;
};

namespace {

std::string NumberOf(EVP_PKEY* key, const char* name, size_t width) {
  BIGNUM* number = nullptr;
  CHECK(EVP_PKEY_get_bn_param(key, name, &number) == 1);
  const size_t size = std::max(width, static_cast<size_t>(BN_num_bytes(number)));
  std::vector<unsigned char> bytes(size);
  CHECK(BN_bn2binpad(number, bytes.data(), static_cast<int>(size)) == static_cast<int>(size));
  BN_free(number);
  return Base64UrlEncode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// DER to r and s side by side.
std::string ToPair(std::string_view der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
  CHECK(pair != nullptr);
  std::array<unsigned char, 64> bytes{};
  CHECK(BN_bn2binpad(ECDSA_SIG_get0_r(pair), bytes.data(), 32) == 32);
  CHECK(BN_bn2binpad(ECDSA_SIG_get0_s(pair), bytes.data() + 32, 32) == 32);
  ECDSA_SIG_free(pair);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

JwtSigner::JwtSigner(std::unique_ptr<Key> key) : key_(std::move(key)) {}
JwtSigner::JwtSigner(JwtSigner&&) noexcept = default;
JwtSigner::~JwtSigner() {
  if (key_) EVP_PKEY_free(key_->pkey);
}

JwtSigner JwtSigner::Rsa(int bits) {
  auto key = std::make_unique<Key>();
  key->pkey = EVP_RSA_gen(static_cast<unsigned>(bits));
  key->rsa = true;
  CHECK(key->pkey != nullptr);
  return JwtSigner(std::move(key));
}

JwtSigner JwtSigner::Ec(const char* curve) {
  auto key = std::make_unique<Key>();
  key->pkey = EVP_EC_gen(curve);
  CHECK(key->pkey != nullptr);
  return JwtSigner(std::move(key));
}

std::string JwtSigner::Jwk(std::string_view kid, std::string_view more) const {
  std::string out = "{\"kid\":\"" + std::string(kid) + "\",";
  if (key_->rsa) {
    out.append(R"("kty":"RSA","n":")").append(NumberOf(key_->pkey, OSSL_PKEY_PARAM_RSA_N, 0));
    out.append(R"(","e":")").append(NumberOf(key_->pkey, OSSL_PKEY_PARAM_RSA_E, 0));
  } else {
    out.append(R"("kty":"EC","crv":"P-256","x":")");
    out.append(NumberOf(key_->pkey, OSSL_PKEY_PARAM_EC_PUB_X, 32)).append(R"(","y":")");
    out.append(NumberOf(key_->pkey, OSSL_PKEY_PARAM_EC_PUB_Y, 32));
  }
  return out.append("\"").append(more).append("}");
}

std::string JwtSigner::PublicPem() const {
  BIO* memory = BIO_new(BIO_s_mem());
  CHECK(PEM_write_bio_PUBKEY(memory, key_->pkey) == 1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  std::string pem(bytes, static_cast<size_t>(size));
  BIO_free(memory);
  return pem;
}

std::string JwtSigner::Sign(std::string_view text) const {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  size_t size = 0;
  CHECK(EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key_->pkey) == 1);
  CHECK(EVP_DigestSign(context, nullptr, &size, bytes, text.size()) == 1);
  std::string out(size, '\0');
  CHECK(EVP_DigestSign(context, reinterpret_cast<unsigned char*>(out.data()), &size, bytes,
                       text.size()) == 1);
  out.resize(size);
  EVP_MD_CTX_free(context);
  return key_->rsa ? out : ToPair(out);
}

std::string JwtSigner::Token(std::string_view header, std::string_view payload) const {
  const std::string text = JwtSignedPart(header, payload);
  return text + "." + Base64UrlEncode(Sign(text));
}

std::string Jwks(std::string_view keys) {
  return "{\"keys\":[" + std::string(keys) + "]}";
}

std::string JwtSignedPart(std::string_view header, std::string_view payload) {
  return Base64UrlEncode(header) + "." + Base64UrlEncode(payload);
}

std::string HmacToken(std::string_view secret, std::string_view header, std::string_view payload) {
  const std::string text = JwtSignedPart(header, payload);
  const Digest digest = HmacSha256(secret, text);
  return text + "." +
         Base64UrlEncode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace ducat::testing
