#include "transport/crypto/module/signature_keys.h"

#include <string>
#include <utility>

#include <openssl/core_names.h>
#include <openssl/ec.h>

#include "transport/crypto/module/openssl_objects.h"

namespace ducat::transport {
namespace {

constexpr int kRsaBitsMin = 2'048;
constexpr int kRsaBitsMax = 8'192;  // a longer one makes each check slow
constexpr size_t kExponentBytesMax = 8;
constexpr size_t kCoordinateBytes = 32;

using ParamBuilder = OpensslPtr<OSSL_PARAM_BLD, &OSSL_PARAM_BLD_free>;
using Params = OpensslPtr<OSSL_PARAM, &OSSL_PARAM_free>;
using KeyContext = OpensslPtr<EVP_PKEY_CTX, &EVP_PKEY_CTX_free>;
using EcSignature = OpensslPtr<ECDSA_SIG, &ECDSA_SIG_free>;

Failure Invalid(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_key", std::move(message));
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Number ReadNumber(std::string_view bytes) {
  return Number(BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

Result<PublicKey> MakePublicKey(const char* type, const ParamBuilder& builder) {
  const Params params(OSSL_PARAM_BLD_to_param(builder.get()));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  const bool made = params && context && EVP_PKEY_fromdata_init(context.get()) == 1 &&
                    EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) == 1;
  if (!made) return Invalid(std::string(type) + " key: " + TakeOpensslError());
  return PublicKey(key);
}

// Of SHA-256, with the padding that is the key type's default.
bool VerifyDigest(EVP_PKEY* key, std::string_view text, std::string_view signature) {
  const DigestContext context(EVP_MD_CTX_new());
  const bool good = context &&
                    EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
                    EVP_DigestVerify(context.get(), Bytes(signature), signature.size(), Bytes(text),
                                     text.size()) == 1;
  if (!good) ERR_clear_error();
  return good;
}

class RsaSignatureKey final : public SignatureKey {
 public:
  explicit RsaSignatureKey(PublicKey key) : key_(std::move(key)) {}
  [[nodiscard]] bool Verifies(std::string_view text, std::string_view signature) const override {
    return VerifyDigest(key_.get(), text, signature);
  }

 private:
  PublicKey key_;
};

// r and s side by side become the DER form that OpenSSL reads (RFC 7515, A.3).
std::string ToDer(std::string_view signature) {
  const EcSignature pair(ECDSA_SIG_new());
  Number r = ReadNumber(signature.substr(0, kCoordinateBytes));
  Number s = ReadNumber(signature.substr(kCoordinateBytes));
  if (!pair || !r || !s) return {};
  if (ECDSA_SIG_set0(pair.get(), r.release(), s.release()) != 1) return {};  // owns them now
  unsigned char* out = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &out);
  if (size <= 0) return {};
  std::string der(reinterpret_cast<const char*>(out), static_cast<size_t>(size));
  OPENSSL_free(out);
  return der;
}

class EcSignatureKey final : public SignatureKey {
 public:
  explicit EcSignatureKey(PublicKey key) : key_(std::move(key)) {}
  [[nodiscard]] bool Verifies(std::string_view text, std::string_view signature) const override {
    if (signature.size() != 2 * kCoordinateBytes) return false;
    const std::string der = ToDer(signature);
    return !der.empty() && VerifyDigest(key_.get(), text, der);
  }

 private:
  PublicKey key_;
};

}  // namespace

Result<std::unique_ptr<SignatureKey>> MakeRsaKey(std::string_view modulus,
                                                 std::string_view exponent) {
  const Number n = ReadNumber(modulus.substr(0, kRsaBitsMax / 8 + 1));
  const Number e = ReadNumber(exponent.substr(0, kExponentBytesMax + 1));
  if (!n || BN_num_bits(n.get()) < kRsaBitsMin || BN_num_bits(n.get()) > kRsaBitsMax) {
    return Invalid("RSA key: its modulus must have 2,048 to 8,192 bits");
  }
  if (!e || exponent.size() > kExponentBytesMax || !BN_is_odd(e.get()) || BN_is_one(e.get())) {
    return Invalid("RSA key: its exponent must be odd, above 1 and of at most 64 bits");
  }
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  if (!builder || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return Invalid("RSA key: " + TakeOpensslError());
  }
  TRY_ASSIGN(PublicKey key, MakePublicKey("RSA", builder));
  return std::make_unique<RsaSignatureKey>(std::move(key));
}

Result<std::unique_ptr<SignatureKey>> MakeEcKey(std::string_view x, std::string_view y) {
  if (x.size() != kCoordinateBytes || y.size() != kCoordinateBytes) {
    return Invalid("EC key: each coordinate of P-256 has 32 bytes");
  }
  const std::string point = std::string("\x04").append(x).append(y);
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  if (!builder ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return Invalid("EC key: " + TakeOpensslError());
  }
  TRY_ASSIGN(PublicKey key, MakePublicKey("EC", builder));
  return std::make_unique<EcSignatureKey>(std::move(key));
}

}  // namespace ducat::transport
