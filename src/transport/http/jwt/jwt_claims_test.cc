#include "transport/http/jwt/jwt_claims.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"

namespace ducat::transport {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kNow = 1'800'000'000;

Result<JwtClaims> Read(std::string_view payload, int64_t now = kNow) {
  const JwtRules rules{.issuer = "https://issuer.example", .audience = "https://h.example/mcp"};
  return ReadJwtClaims(payload, rules, WallTime(std::chrono::seconds(now)));
}

// The members that every good token has, and `more`.
std::string Payload(std::string_view more) {
  return R"({"iss":"https://issuer.example","aud":"https://h.example/mcp","exp":1800000100)" +
         std::string(more) + "}";
}

std::string Why(const Result<JwtClaims>& claims) {
  return claims ? "" : claims.error().message;
}

TEST(JwtClaimsTest, SayWhoCalls) {
  const auto claims = Read(Payload(R"(,"sub":"alice","tid":"t1","nbf":1799999999.5)"));
  ASSERT_TRUE(claims.has_value()) << Why(claims);
  EXPECT_EQ(claims->caller.principal, "https://issuer.example sub=alice tid=t1");
  EXPECT_EQ(claims->caller.tenant, "t1");
  EXPECT_THAT(claims->scopes, IsEmpty());
  EXPECT_EQ(claims->expires, WallTime(std::chrono::seconds(1'800'000'100)));
  EXPECT_EQ(Read(Payload(R"(,"sub":"a")"))->caller.tenant, "default");
}

TEST(JwtClaimsTest, NamesHideNothing) {
  for (const char* name : {R"(a\u202eb)", R"(a\u200b)", R"(\u0085)", R"(a\n)", R"(\ufeffa)"}) {
    EXPECT_THAT(Why(Read(Payload(R"(,"sub":")" + std::string(name) + "\""))),
                HasSubstr("sub is no name"))
        << name;
  }
  EXPECT_TRUE(Read(Payload(R"(,"sub":"Zoë 東京")")).has_value());
}

TEST(JwtClaimsTest, FallBackToTheClient) {
  for (const char* name : {"client_id", "cid", "azp"}) {
    EXPECT_EQ(Read(Payload(",\"" + std::string(name) + R"(":"app")"))->caller.principal,
              "https://issuer.example client=app");
  }
  EXPECT_THAT(Read(Payload(R"(,"client_id":"app","sub":"a")"))->caller.principal,
              HasSubstr("sub=a"));
  for (const char* wrong : {"", R"(,"sub":"")", R"(,"sub":7)", R"(,"sub":null)", R"(,"sub":"a\nb")",
                            R"(,"sub":"a\u0000")", R"(,"client_id":["a"])"}) {
    EXPECT_THAT(Read(Payload(wrong)), FailsWith("invalid_token")) << wrong;
  }
  EXPECT_TRUE(Read(Payload(",\"sub\":\"" + std::string(256, 'a') + "\"")).has_value());
  EXPECT_FALSE(Read(Payload(",\"sub\":\"" + std::string(257, 'a') + "\"")).has_value());
}

TEST(JwtClaimsTest, ATenantIsAFoldersName) {
  for (const char* good : {"t", "T-1_a.b", "0"}) {
    EXPECT_TRUE(Read(Payload(R"(,"sub":"a","tid":")" + std::string(good) + "\"")).has_value());
  }
  for (const char* bad : {R"("")", R"("..")", R"(".")", R"("a/b")", R"("a b")", "7", "null"}) {
    EXPECT_THAT(Why(Read(Payload(R"(,"sub":"a","tid":)" + std::string(bad)))), HasSubstr("tid"));
  }
}

TEST(JwtClaimsTest, UniteTheirScopes) {
  const auto claims = Read(Payload(
      R"(,"sub":"a","scope":"fx:read  edgar:*","scp":["b","fx:read"],"mcp_tool_scopes":"c")"));
  EXPECT_THAT(claims->scopes, ElementsAre("b", "c", "edgar:*", "fx:read"));
  for (const char* wrong : {"7", "null", "{}", R"(["a",7])"}) {
    EXPECT_THAT(Why(Read(Payload(R"(,"sub":"a","scp":)" + std::string(wrong)))),
                HasSubstr("scopes"));
  }
}

TEST(JwtClaimsTest, S25HoldForATimeOnly) {
  const std::string payload = Payload(R"(,"sub":"a")");
  EXPECT_TRUE(Read(payload, 1'800'000'159).has_value());
  EXPECT_THAT(Why(Read(payload, 1'800'000'160)), HasSubstr("expired"));
  for (const char* name : {"nbf", "iat"}) {
    const std::string start = R"(,"sub":"a",")" + std::string(name) + "\":";
    EXPECT_TRUE(Read(Payload(start + "1800000060")).has_value());
    EXPECT_THAT(Why(Read(Payload(start + "1800000061"))), HasSubstr("future"));
    EXPECT_THAT(Why(Read(Payload(start + "\"1\""))), HasSubstr(name));
    EXPECT_THAT(Why(Read(Payload(start + "null"))), HasSubstr(name));
    EXPECT_THAT(Why(Read(Payload(start + "-1"))), HasSubstr(name));
  }
  const std::string front = R"({"iss":"https://issuer.example","aud":"https://h.example/mcp",)";
  EXPECT_THAT(Why(Read(front + R"("sub":"a"})")), HasSubstr("exp is missing"));
  for (const char* wrong : {"\"1900000000\"", "null", "true", "1e300", "-5", "{}"}) {
    EXPECT_THAT(Why(Read(front + R"("sub":"a","exp":)" + std::string(wrong) + "}")),
                HasSubstr("exp"));
  }
}

TEST(JwtClaimsTest, FarTimesAreTimes) {
  const std::string front =
      R"({"iss":"https://issuer.example","aud":"https://h.example/mcp","sub":"a","exp":)";
  EXPECT_TRUE(Read(front + "9999999999}").has_value());
  EXPECT_TRUE(Read(front + "1000000000000}").has_value());
  EXPECT_FALSE(Read(front + "1000000000001}").has_value());
  EXPECT_FALSE(Read(front + "1800000100,\"nbf\":9999999999}").has_value());
}

TEST(JwtClaimsTest, S25AreForThisServerAndFromThisIssuer) {
  const auto read = [](std::string_view issuer, std::string_view audience) {
    return Read("{\"iss\":" + std::string(issuer) + ",\"aud\":" + std::string(audience) +
                R"(,"exp":1800000100,"sub":"a"})");
  };
  const std::string own = "\"https://issuer.example\"";
  const std::string here = "\"https://h.example/mcp\"";
  EXPECT_TRUE(read(own, here).has_value());
  EXPECT_TRUE(read(own, "[\"x\"," + here + "]").has_value());
  for (const char* wrong : {"\"https://issuer.example/\"", "\"https://other.example\"", "null",
                            "[\"https://issuer.example\"]", "7"}) {
    EXPECT_THAT(Why(read(wrong, here)), HasSubstr("iss"));
  }
  for (const char* wrong : {"\"https://h.example/mcp/\"", "\"https://h.example\"", "[]", "[7]",
                            "null", "{\"a\":\"https://h.example/mcp\"}", "\"*\""}) {
    EXPECT_THAT(Why(read(own, wrong)), HasSubstr("aud")) << wrong;
  }
  EXPECT_FALSE(Read(R"({"exp":1800000100,"sub":"a"})").has_value());
}

TEST(JwtClaimsTest, AreAnObjectWithoutDuplicates) {
  for (const char* wrong : {"", "[]", "null", "{", "\"a\""}) {
    EXPECT_THAT(Why(Read(wrong)), HasSubstr("object"));
  }
  EXPECT_FALSE(Read(Payload(R"(,"sub":"a","exp":1900000000)")).has_value());
}

}  // namespace
}  // namespace ducat::transport
