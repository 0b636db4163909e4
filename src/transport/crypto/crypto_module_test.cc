#include "transport/crypto/crypto_module.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"

namespace ducat::transport {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;

TEST(CryptoModuleTest, LiesBesideTheFolderOfTheExecutable) {
  EXPECT_THAT(CryptoModulePath(), HasSubstr("/lib/libducat-crypto.so"));
  const auto loaded = LoadCryptoModule(CryptoModulePath());
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_THAT((*loaded)->RsaKey("", ""), FailsWith("invalid_key"));
  EXPECT_THAT((*loaded)->EcKey("", ""), FailsWith("invalid_key"));
}

TEST(CryptoModuleTest, OneThatIsMissingSaysSo) {
  EXPECT_THAT(LoadCryptoModule("/nowhere/libducat-crypto.so"), FailsWith("crypto_unavailable"));
  // A library, but not this one.
  EXPECT_THAT(LoadCryptoModule("libm.so.6"), FailsWith("crypto_unavailable"));
}

}  // namespace
}  // namespace ducat::transport
