#pragma once
// JwtSigner: an issuer's key for tests: makes itself, signs tokens, shows its public half as a JWK.
// Wrong things can be said on purpose: header and payload are JSON as it stands.

#include <memory>
#include <string>
#include <string_view>

namespace ducat::testing {

class JwtSigner {
 public:
  [[nodiscard]] static JwtSigner Rsa(int bits = 2'048);
  [[nodiscard]] static JwtSigner Ec(const char* curve = "P-256");
  ~JwtSigner();
  JwtSigner(JwtSigner&&) noexcept;
  JwtSigner& operator=(JwtSigner&&) = delete;

  // {"kty":…,"kid":…}; `more` is further members: ,"use":"enc".
  [[nodiscard]] std::string Jwk(std::string_view kid, std::string_view more = "") const;
  [[nodiscard]] std::string PublicPem() const;
  // What stands behind the second dot, decoded.
  [[nodiscard]] std::string Sign(std::string_view text) const;
  [[nodiscard]] std::string Token(std::string_view header, std::string_view payload) const;

 private:
  struct Key;
  explicit JwtSigner(std::unique_ptr<Key> key);
  std::unique_ptr<Key> key_;
};

// {"keys":[…]} of JWKs that are separated by commas.
[[nodiscard]] std::string Jwks(std::string_view keys);

// Header and payload as they are signed.
[[nodiscard]] std::string JwtSignedPart(std::string_view header, std::string_view payload);
[[nodiscard]] std::string HmacToken(std::string_view secret, std::string_view header,
                                    std::string_view payload);

}  // namespace ducat::testing
