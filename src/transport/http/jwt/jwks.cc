#include "transport/http/jwt/jwks.h"

#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/text.h"
#include "json/view.h"

namespace ducat::transport {
namespace {

Failure Broken(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_jwks", "JWKS: " + std::move(message));
}

class HmacKey final : public SignatureKey {
 public:
  explicit HmacKey(std::string secret) : secret_(std::move(secret)) {}
  [[nodiscard]] bool Verifies(std::string_view text, std::string_view signature) const override {
    const Digest digest = HmacSha256(secret_, text);
    return EqualInConstantTime({reinterpret_cast<const char*>(digest.data()), digest.size()},
                               signature);
  }

 private:
  std::string secret_;
};

std::string_view TextOf(json::View jwk, std::string_view name) {
  const auto value = jwk.Find(name);
  return value ? value->AsString().value_or("") : std::string_view();
}

Result<std::string> BytesOf(json::View jwk, std::string_view name) {
  const auto bytes = Base64UrlDecode(TextOf(jwk, name));
  if (!bytes || bytes->empty()) return Broken(std::string(name) + " of a key is no base64url");
  return *bytes;
}

// For signatures, of one of the kinds that are spoken here (RFC 7517, 4.1 to 4.4).
std::optional<JwtAlgorithm> AlgorithmOf(json::View jwk) {
  if (jwk.Find("use") && TextOf(jwk, "use") != "sig") return std::nullopt;
  bool verifies = !jwk.Find("key_ops");
  jwk.Find("key_ops").value_or(json::View()).ForEachElement([&](json::View operation) {
    verifies = operation.AsString().value_or("") == "verify";
    return !verifies;
  });
  if (!verifies) return std::nullopt;
  const std::string_view type = TextOf(jwk, "kty");
  std::optional<JwtAlgorithm> algorithm;
  if (type == "RSA") algorithm = JwtAlgorithm::kRs256;
  if (type == "EC" && TextOf(jwk, "crv") == "P-256") algorithm = JwtAlgorithm::kEs256;
  if (jwk.Find("alg") && ParseJwtAlgorithm(TextOf(jwk, "alg")) != algorithm) return std::nullopt;
  return algorithm;
}

Result<JwtKey> ReadKey(json::View jwk, JwtAlgorithm algorithm, const CryptoModule& module) {
  JwtKey out{.algorithm = algorithm, .id = std::string(TextOf(jwk, "kid")), .key = nullptr};
  if (algorithm == JwtAlgorithm::kRs256) {
    TRY_ASSIGN(const std::string modulus, BytesOf(jwk, "n"));
    TRY_ASSIGN(const std::string exponent, BytesOf(jwk, "e"));
    TRY_ASSIGN(out.key, module.RsaKey(modulus, exponent));
  } else {
    TRY_ASSIGN(const std::string x, BytesOf(jwk, "x"));
    TRY_ASSIGN(const std::string y, BytesOf(jwk, "y"));
    TRY_ASSIGN(out.key, module.EcKey(x, y));
  }
  return out;
}

}  // namespace

Result<JwtKeys> ParseJwks(std::string_view text, const CryptoModule& module) {
  json::Document document;
  const auto root = document.Parse(text);
  if (!root) return Broken(root.error().message);
  const json::View list = root->Find("keys").value_or(json::View());
  if (!list.IsArray()) return Broken("an object with a list named keys is expected");
  if (list.Size() > kJwksKeysMax) {
    return Broken("at most " + std::to_string(kJwksKeysMax) + " keys, not " +
                  std::to_string(list.Size()));
  }
  JwtKeys keys;
  std::string why = "no key of it is an RSA or P-256 key for signatures";
  list.ForEachElement([&](json::View jwk) {
    const auto algorithm = AlgorithmOf(jwk);
    if (!algorithm) return true;
    auto key = ReadKey(jwk, *algorithm, module);
    if (key) {
      keys.push_back(*std::move(key));
    } else {
      why = std::move(key).error().message;
    }
    return true;
  });
  if (keys.empty()) return Broken(std::move(why));
  return keys;
}

Result<JwtKeys> SecretKeys(std::string_view secret) {
  while (secret.ends_with('\n') || secret.ends_with('\r')) {
    secret.remove_suffix(1);  // what an editor leaves
  }
  const auto refuse = [](std::string message) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_jwt_secret", std::move(message));
  };
  if (secret.size() < kSecretBytesMin) {
    return refuse("The secret of HS256 needs at least " + std::to_string(kSecretBytesMin) +
                  " bytes, not " + std::to_string(secret.size()));
  }
  if (secret.find("-----BEGIN") != secret.npos) {
    return refuse("The secret of HS256 is a PEM file; public keys belong into a JWKS: --jwks");
  }
  return JwtKeys{{.algorithm = JwtAlgorithm::kHs256,
                  .id = {},
                  .key = std::make_shared<HmacKey>(std::string(secret))}};
}

}  // namespace ducat::transport
