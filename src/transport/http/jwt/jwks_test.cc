#include "transport/http/jwt/jwks.h"

#include <gmock/gmock.h>

#include "base/digest.h"
#include "base/text.h"
#include "support/jwt_signer.h"
#include "support/result_matchers.h"

namespace ducat::transport {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::Jwks;
using testing::JwtSigner;

class JwksTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto loaded = LoadCryptoModule(CryptoModulePath());
    CHECK(loaded.has_value());
    module_ = *std::move(loaded);
  }
  static void TearDownTestSuite() { module_.reset(); }
  static Result<JwtKeys> Parse(std::string_view text) { return ParseJwks(text, *module_); }

  static std::unique_ptr<CryptoModule> module_;
};
std::unique_ptr<CryptoModule> JwksTest::module_;

TEST_F(JwksTest, ReadsRsaAndEcKeys) {
  const JwtSigner rsa = JwtSigner::Rsa();
  const JwtSigner ec = JwtSigner::Ec();
  const auto keys = Parse(Jwks(rsa.Jwk("r", R"(,"use":"sig","alg":"RS256","x5c":["…"])") + "," +
                               ec.Jwk("e", R"(,"key_ops":["sign","verify"])")));
  ASSERT_TRUE(keys.has_value()) << keys.error().message;
  ASSERT_EQ(keys->size(), 2U);
  EXPECT_EQ(keys->front().id, "r");
  EXPECT_EQ(keys->front().algorithm, JwtAlgorithm::kRs256);
  EXPECT_TRUE(keys->front().key->Verifies("text", rsa.Sign("text")));
  EXPECT_FALSE(keys->front().key->Verifies("Text", rsa.Sign("text")));
  EXPECT_FALSE(keys->front().key->Verifies("text", ec.Sign("text")));
  EXPECT_EQ(keys->back().algorithm, JwtAlgorithm::kEs256);
  EXPECT_TRUE(keys->back().key->Verifies("text", ec.Sign("text")));
  EXPECT_FALSE(keys->back().key->Verifies("text", ec.Sign("text").substr(1)));
  EXPECT_FALSE(keys->back().key->Verifies("text", std::string(64, '\0')));
  EXPECT_FALSE(keys->back().key->Verifies("text", ""));
}

TEST_F(JwksTest, LeavesOutWhatIsNotForUs) {
  const JwtSigner ec = JwtSigner::Ec();
  for (const char* more : {R"(,"use":"enc")", R"(,"use":7)", R"(,"key_ops":["sign"])",
                           R"(,"key_ops":[])", R"(,"alg":"RS256")", R"(,"alg":"none")"}) {
    EXPECT_THAT(Parse(Jwks(ec.Jwk("e", more))), FailsWith("invalid_jwks")) << more;
    EXPECT_EQ(Parse(Jwks(ec.Jwk("e", more) + "," + ec.Jwk("f")))->size(), 1U) << more;
  }
  // A shared secret in a set of public keys is a mistake.
  EXPECT_THAT(Parse(Jwks(R"({"kty":"oct","k":"YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE"})")),
              FailsWith("invalid_jwks"));
}

TEST_F(JwksTest, LeavesOutBrokenAndWeakKeys) {
  const std::string good = "," + JwtSigner::Ec().Jwk("good");
  const std::string zeros = Base64UrlEncode(std::string(32, '\0'));
  const std::string modulus = Base64UrlEncode(std::string(256, '\xF1'));
  for (const std::string& bad :
       {JwtSigner::Rsa(1'024).Jwk("weak"), std::string(R"({"kty":"RSA","n":"!","e":"AQAB"})"),
        std::string(R"({"kty":"RSA"})"), R"({"kty":"RSA","n":")" + modulus + R"(","e":"AQ"})",
        R"({"kty":"RSA","n":")" + modulus + R"(","e":"Ag"})",
        R"({"kty":"RSA","n":")" + modulus + R"(","e":"AQEBAQEBAQEB"})",
        R"({"kty":"RSA","n":")" + Base64UrlEncode(std::string(1'025, '\xF1')) + R"(","e":"AQAB"})",
        R"({"kty":"EC","crv":"P-256","x":")" + zeros + R"(","y":")" + zeros + "\"}",
        std::string(R"({"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"})"), std::string("7")}) {
    EXPECT_THAT(Parse(Jwks(bad)), FailsWith("invalid_jwks")) << bad;
    EXPECT_EQ(Parse(Jwks(bad + good))->size(), 1U) << bad;
  }
}

TEST_F(JwksTest, HasALimitOfKeys) {
  std::string keys = JwtSigner::Ec().Jwk("0");
  for (int i = 1; i < 64; ++i) {
    keys.append(R"(,{"kty":"oct"})");
  }
  EXPECT_EQ(Parse(Jwks(keys))->size(), 1U);
  EXPECT_THAT(Parse(Jwks(keys + ",{}")).error().message, HasSubstr("64"));
}

TEST_F(JwksTest, RefusesWhatIsNoKeySet) {
  for (const char* wrong : {"", "{}", "[]", R"({"keys":{}})", R"({"keys":[]})", "<html>"}) {
    EXPECT_THAT(Parse(wrong), FailsWith("invalid_jwks")) << wrong;
  }
}

TEST(SecretKeysTest, NeedThirtyTwoBytes) {
  EXPECT_THAT(SecretKeys(std::string(31, 's')), FailsWith("invalid_jwt_secret"));
  EXPECT_THAT(SecretKeys(std::string(31, 's') + "\r\n"), FailsWith("invalid_jwt_secret"));
  const auto keys = SecretKeys(std::string(32, 's') + "\n");
  ASSERT_TRUE(keys.has_value());
  const Digest digest = HmacSha256(std::string(32, 's'), "text");
  const std::string_view mac(reinterpret_cast<const char*>(digest.data()), digest.size());
  EXPECT_TRUE(keys->front().key->Verifies("text", mac));
  EXPECT_FALSE(keys->front().key->Verifies("text", mac.substr(1)));
}

TEST(SecretKeysTest, S25RefuseAPublicKey) {
  EXPECT_THAT(SecretKeys(JwtSigner::Rsa().PublicPem()), FailsWith("invalid_jwt_secret"));
}

}  // namespace
}  // namespace ducat::transport
