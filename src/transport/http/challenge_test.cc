#include "transport/http/challenge.h"

#include <gmock/gmock.h>

#include "transport/http/jwt/jwt_verifier.h"

namespace ducat::transport {
namespace {

class ChallengeTest : public ::testing::Test {
 protected:
  ChallengeTest() {
    with_jwt_.jwt =
        std::make_shared<JwtVerifier>(JwtRules{.issuer = "https://issuer.example", .audience = "a"},
                                      std::make_unique<FixedKeys>(JwtKeys()), log_);
    with_jwt_.public_url = "https://h.example/api/mcp";
    head_.headers.push_back({.name = "Host", .value = "localhost:8931"});
  }

  ManualClock clock_;
  Log log_{clock_, {.level = LogLevel::kSilent}};
  HttpOptions with_jwt_;
  RequestHead head_;
};

TEST_F(ChallengeTest, OnlyJwtHasMetadata) {
  const HttpOptions plain;
  EXPECT_EQ(ChallengeText({}, plain, head_), "Bearer");
  EXPECT_EQ(ChallengeText({.error = "invalid_token", .scope = "a b"}, plain, head_),
            "Bearer error=\"invalid_token\", scope=\"a b\"");
  EXPECT_EQ(ChallengeText({.error = {}, .scope = "a:read"}, with_jwt_, head_),
            "Bearer scope=\"a:read\", resource_metadata="
            "\"https://h.example/.well-known/oauth-protected-resource/api/mcp\"");
}

TEST_F(ChallengeTest, TheResourceIsWhatUsersType) {
  EXPECT_EQ(ResourceUrl(with_jwt_, head_), "https://h.example/api/mcp");
  with_jwt_.public_url = "";
  EXPECT_EQ(ResourceUrl(with_jwt_, head_), "http://localhost:8931/mcp");
}

TEST_F(ChallengeTest, MetadataLiesAtThreePaths) {
  const std::string root(kMetadataPath);
  EXPECT_TRUE(IsMetadataPath(root, with_jwt_));
  EXPECT_TRUE(IsMetadataPath(root + "/mcp", with_jwt_));
  EXPECT_TRUE(IsMetadataPath(root + "/api/mcp", with_jwt_));
  EXPECT_FALSE(IsMetadataPath(root + "/other", with_jwt_));
  EXPECT_FALSE(IsMetadataPath(root + "/", with_jwt_));
  EXPECT_FALSE(IsMetadataPath("/mcp", with_jwt_));
}

TEST_F(ChallengeTest, MetadataNameTheIssuer) {
  EXPECT_EQ(ResourceMetadata(with_jwt_, head_, {"a:read", "b"}),
            R"({"resource":"https://h.example/api/mcp",)"
            R"("authorization_servers":["https://issuer.example"],)"
            R"("scopes_supported":["a:read","b"],"bearer_methods_supported":["header"]})");
}

}  // namespace
}  // namespace ducat::transport
