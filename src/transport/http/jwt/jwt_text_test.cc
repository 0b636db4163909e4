#include "transport/http/jwt/jwt_text.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "support/jwt_signer.h"

namespace ducat::transport {
namespace {

std::string Token(std::string_view header, std::string_view payload = "{}") {
  return testing::JwtSignedPart(header, payload) + ".c2ln";
}

TEST(JwtTextTest, TakesATokenApart) {
  const std::string token = Token(R"({"typ":"JWT","kid":"k1","alg":"ES256"})", R"({"sub":"a"})");
  const auto text = ReadJwt(token);
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->algorithm, JwtAlgorithm::kEs256);
  EXPECT_EQ(text->key_id, "k1");
  EXPECT_EQ(text->payload, R"({"sub":"a"})");
  EXPECT_EQ(text->signature, "sig");
  EXPECT_EQ(std::string(text->signed_part) + ".c2ln", token);
  EXPECT_EQ(ReadJwt(Token(R"({"alg":"HS256"})"))->algorithm, JwtAlgorithm::kHs256);
  EXPECT_EQ(ReadJwt(Token(R"({"alg":"RS256"})"))->algorithm, JwtAlgorithm::kRs256);
}

TEST(JwtTextTest, S25RefusesOtherAlgorithmsAndCriticalExtensions) {
  for (const char* header : {R"({"alg":"none"})",
                             R"({"alg":"None"})",
                             R"({"alg":"NONE"})",
                             R"({"alg":""})",
                             "{}",
                             R"({"alg":null})",
                             R"({"alg":["HS256"]})",
                             R"({"alg":"hs256"})",
                             R"({"alg":"HS512"})",
                             R"({"alg":"PS256"})",
                             R"({"alg":"ES256K"})",
                             R"({"alg":"EdDSA"})",
                             R"({"alg":"HS256","crit":["b64"],"b64":false})",
                             R"({"alg":"HS256","crit":[]})",
                             R"({"alg":"HS256","crit":null})",
                             R"({"alg":"none","alg":"HS256"})",
                             R"({"alg":"HS256","kid":7})",
                             R"(["HS256"])",
                             R"("HS256")",
                             "",
                             "{"}) {
    EXPECT_FALSE(ReadJwt(Token(header)).has_value()) << header;
  }
}

TEST(JwtTextTest, RefusesWhatIsNoToken) {
  const std::string good = testing::JwtSignedPart(R"({"alg":"HS256"})", "{}");
  ASSERT_TRUE(ReadJwt(good + ".c2ln").has_value());
  for (const std::string& token :
       {std::string(), std::string("."), std::string(".."), good, good + ".", good + ".c2ln.c2ln",
        good + ".c2l+", good + ".c2ln=", good + ".c2lnC", "." + good, good + ".c2ln "}) {
    EXPECT_FALSE(ReadJwt(token).has_value()) << token;
  }
}

}  // namespace
}  // namespace ducat::transport
