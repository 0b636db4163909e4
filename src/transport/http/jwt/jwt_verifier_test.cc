// Every kind of bad token, and what is remembered of good ones (protocol.md 8.1; S-25, S-29).
#include "transport/http/jwt/jwt_verifier.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "support/jwt_signer.h"
#include "support/scratch_folder.h"

namespace ducat::transport {
namespace {

using std::chrono::seconds;
using testing::HmacToken;
using testing::JwtSigner;

constexpr std::string_view kSecret = "0123456789abcdef0123456789abcdef";
constexpr int64_t kNow = 1'800'000'000;

std::string Payload(std::string_view expires = "1800000100", std::string_view more = "") {
  return R"({"iss":"https://issuer.example","aud":"https://h.example/mcp","sub":"a","exp":)" +
         std::string(expires) + std::string(more) + "}";
}

class JwtVerifierTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto loaded = LoadCryptoModule(CryptoModulePath());
    CHECK(loaded.has_value());
    module_ = *std::move(loaded);
    rsa_.emplace(JwtSigner::Rsa());
    ec_.emplace(JwtSigner::Ec());
  }
  static void TearDownTestSuite() {
    module_.reset();
    rsa_.reset();
    ec_.reset();
  }
  JwtVerifierTest() { Use(testing::Jwks(rsa_->Jwk("r1") + "," + ec_->Jwk("e1"))); }

  void Use(std::string_view jwks) {
    auto keys = ParseJwks(jwks, *module_);
    CHECK(keys.has_value());
    Use(std::make_unique<FixedKeys>(*std::move(keys)));
  }
  void Use(std::unique_ptr<IssuerKeys> keys) {
    const JwtRules rules{.issuer = "https://issuer.example", .audience = "https://h.example/mcp"};
    verifier_ = std::make_unique<JwtVerifier>(rules, std::move(keys), log_);
  }
  void UseSecret() {
    auto keys = SecretKeys(kSecret);
    CHECK(keys.has_value());
    Use(std::make_unique<FixedKeys>(*std::move(keys)));
  }
  bool Good(std::string_view token) { return verifier_->Verify(token, now_, wall_).has_value(); }

  static std::unique_ptr<CryptoModule> module_;
  static std::optional<JwtSigner> rsa_;
  static std::optional<JwtSigner> ec_;

  ManualClock clock_;
  Log log_{clock_, {.level = LogLevel::kSilent}};
  std::unique_ptr<JwtVerifier> verifier_;
  MonotonicTime now_{seconds(1'000)};
  WallTime wall_{seconds(kNow)};
};
std::unique_ptr<CryptoModule> JwtVerifierTest::module_;
std::optional<JwtSigner> JwtVerifierTest::rsa_;
std::optional<JwtSigner> JwtVerifierTest::ec_;

TEST_F(JwtVerifierTest, TakesWhatTheIssuerHasSigned) {
  EXPECT_TRUE(Good(rsa_->Token(R"({"alg":"RS256","kid":"r1"})", Payload())));
  EXPECT_TRUE(Good(rsa_->Token(R"({"alg":"RS256"})", Payload())));
  EXPECT_TRUE(Good(ec_->Token(R"({"alg":"ES256","kid":"e1","typ":"at+jwt"})", Payload())));
  UseSecret();
  EXPECT_TRUE(Good(HmacToken(kSecret, R"({"alg":"HS256"})", Payload())));
  EXPECT_TRUE(Good(HmacToken(kSecret, R"({"alg":"HS256","kid":"any"})", Payload())));
}

TEST_F(JwtVerifierTest, S25NoBadTokenGetsIn) {
  const std::string rs = R"({"alg":"RS256","kid":"r1"})";
  const std::string good = rsa_->Token(rs, Payload());
  const JwtSigner other_rsa = JwtSigner::Rsa();
  const JwtSigner other_ec = JwtSigner::Ec();
  const std::string unsigned_part = testing::JwtSignedPart(R"({"alg":"none"})", Payload());
  const std::string other_payload = Base64UrlEncode(Payload("1900000000"));
  const std::string header_and_dot = good.substr(0, good.find('.') + 1);
  const std::string dot_and_signature = good.substr(good.rfind('.'));
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"another key", other_rsa.Token(rs, Payload())},
      {"another EC key", other_ec.Token(R"({"alg":"ES256","kid":"e1"})", Payload())},
      {"none", unsigned_part + "."},
      {"none with a signature", unsigned_part + ".c2ln"},
      {"signature of another token", header_and_dot + other_payload + dot_and_signature},
      {"signature cut", good.substr(0, good.size() - 4)},
      {"header changed", "e30" + good.substr(good.find('.'))},
      {"algorithm of another key", ec_->Token(R"({"alg":"ES256","kid":"r1"})", Payload())},
      {"RS256 by an EC key", ec_->Token(rs, Payload())},
      {"ES256 by an RSA key", rsa_->Token(R"({"alg":"ES256","kid":"e1"})", Payload())},
      {"HS256 with the public key",
       HmacToken(rsa_->PublicPem(), R"({"alg":"HS256","kid":"r1"})", Payload())},
      {"HS256 with the empty secret", HmacToken("", R"({"alg":"HS256"})", Payload())},
      {"unknown key id", rsa_->Token(R"({"alg":"RS256","kid":"r2"})", Payload())},
      {"key id as a path", rsa_->Token(R"({"alg":"RS256","kid":"../../dev/null"})", Payload())},
      {"key id as SQL", rsa_->Token(R"({"alg":"RS256","kid":"x' or 1=1--"})", Payload())},
      {"own key in the header",
       other_rsa.Token(R"({"alg":"RS256","jwk":)" + other_rsa.Jwk("r1") + "}", Payload())},
      {"key from a URL",
       other_rsa.Token(R"({"alg":"RS256","jku":"http://127.0.0.1:1/"})", Payload())},
      {"critical extension", rsa_->Token(R"({"alg":"RS256","crit":["exp"]})", Payload())},
      {"past exp", rsa_->Token(rs, Payload("1799999940"))},
      {"no exp", rsa_->Token(rs, R"({"iss":"https://issuer.example","sub":"a"})")},
      {"future nbf", rsa_->Token(rs, Payload("1800000100", R"(,"nbf":1800000061)"))},
      {"another aud", rsa_->Token(rs, Payload("1800000100", R"(,"aud":"x")"))},
      {"no object", rsa_->Token(rs, "7")},
      {"empty", ""},
      {"a static token", "dct_0123456789"}};
  for (const auto& [name, token] : bad) {
    EXPECT_FALSE(Good(token)) << name;
  }
  EXPECT_TRUE(Good(good));
}

TEST_F(JwtVerifierTest, S25AnyChangedByteOfASignatureIsSeen) {
  for (const std::string& good : {ec_->Token(R"({"alg":"ES256"})", Payload()),
                                  rsa_->Token(R"({"alg":"RS256"})", Payload())}) {
    ASSERT_TRUE(Good(good));
    for (size_t at = good.rfind('.') + 1; at + 1 < good.size(); at += 7) {
      std::string changed = good;
      changed[at] = changed[at] == 'A' ? 'B' : 'A';
      EXPECT_FALSE(Good(changed)) << at;
    }
  }
}

TEST_F(JwtVerifierTest, RemembersATokenForAMinuteAndNotBeyondItsEnd) {
  const std::string token = ec_->Token(R"({"alg":"ES256"})", Payload("1800000030"));
  EXPECT_TRUE(Good(token));
  EXPECT_EQ(verifier_->remembered(), 1U);
  wall_ += seconds(29);
  EXPECT_TRUE(Good(token));
  wall_ += seconds(60);  // within the skew, so it still holds, but is checked each time
  EXPECT_TRUE(Good(token));
  EXPECT_EQ(verifier_->remembered(), 0U);
  wall_ += seconds(1);
  EXPECT_FALSE(Good(token));
  wall_ = WallTime(seconds(kNow));
  EXPECT_TRUE(Good(token));
  EXPECT_EQ(verifier_->remembered(), 1U);
  now_ += kVerifiedFor;
  EXPECT_TRUE(Good(token));
  EXPECT_EQ(verifier_->remembered(), 1U);
}

// What is remembered is judged by the calendar again; put right, the clock finds it as it was.
TEST_F(JwtVerifierTest, AWallClockThatJumpsNeitherProlongsNorEndsForGood) {
  const std::string bounded = rsa_->Token(
      R"({"alg":"RS256"})", Payload("1800000100", ",\"nbf\":" + std::to_string(kNow - 10)));
  EXPECT_TRUE(Good(bounded));
  wall_ += std::chrono::hours(24);
  EXPECT_FALSE(Good(bounded)) << "remembered, and over";
  wall_ -= std::chrono::hours(48);
  EXPECT_FALSE(Good(bounded)) << "not yet valid";
  wall_ += std::chrono::hours(24);
  EXPECT_TRUE(Good(bounded));
  EXPECT_FALSE(verifier_->HasNoKeys(now_)) << "the age of keys is no matter of the calendar";
}

TEST_F(JwtVerifierTest, RemembersALimitedNumber) {
  UseSecret();
  for (size_t i = 0; i < kVerifiedTokensMax; ++i) {
    const std::string name = R"(,"jti":)" + std::to_string(i);
    ASSERT_TRUE(Good(HmacToken(kSecret, R"({"alg":"HS256"})", Payload("1800000100", name))));
  }
  EXPECT_EQ(verifier_->remembered(), kVerifiedTokensMax);
  EXPECT_TRUE(Good(HmacToken(kSecret, R"({"alg":"HS256"})", Payload())));
  EXPECT_EQ(verifier_->remembered(), 1U);
}

TEST_F(JwtVerifierTest, S29ARemovedKeyTakesItsTokensWithIt) {
  testing::ScratchFolder folder;
  folder.Write("secret", kSecret);
  auto keys = KeyFile::Open(folder.string() + "/secret", &SecretKeys);
  ASSERT_TRUE(keys.has_value());
  Use(*std::move(keys));
  const std::string token = HmacToken(kSecret, R"({"alg":"HS256"})", Payload());
  EXPECT_TRUE(Good(token));
  folder.Write("secret", std::string(64, 'x'));
  EXPECT_TRUE(verifier_->Reload(false, now_).value());
  EXPECT_FALSE(Good(token));
}

}  // namespace
}  // namespace ducat::transport
