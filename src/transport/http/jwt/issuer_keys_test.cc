#include "transport/http/jwt/issuer_keys.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::transport {
namespace {

using testing::FailsWith;

TEST(KeyFileTest, KeepsTheOldKeysWhenItIsBroken) {
  testing::ScratchFolder folder;
  const std::string path = folder.string() + "/secret";
  EXPECT_THAT(KeyFile::Open(path, &SecretKeys), FailsWith("invalid_key_file"));
  folder.Write("secret", "short");
  EXPECT_THAT(KeyFile::Open(path, &SecretKeys), FailsWith("invalid_jwt_secret"));
  folder.Write("secret", std::string(32, 'a'));
  auto file = KeyFile::Open(path, &SecretKeys);
  ASSERT_TRUE(file.has_value());
  const uint64_t version = (*file)->version();
  const auto key = (*file)->Current({}).front().key;
  folder.Write("secret", "broken");
  EXPECT_THAT((*file)->Reload(false, {}), FailsWith("invalid_jwt_secret"));
  EXPECT_EQ((*file)->Current({}).front().key, key);
  EXPECT_EQ((*file)->version(), version);
  folder.Write("secret", std::string(40, 'b'));
  EXPECT_TRUE((*file)->Reload(false, {}).value());
  EXPECT_NE((*file)->Current({}).front().key, key);
  EXPECT_NE((*file)->version(), version);
  EXPECT_FALSE((*file)->Reload(false, {}).value());
}

}  // namespace
}  // namespace ducat::transport
