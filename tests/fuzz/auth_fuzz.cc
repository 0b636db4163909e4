// What decides who may call, from bytes that strangers send or files say: tokens, their claims, key
// sets, the token file. The first byte chooses which.
#include <cstdint>
#include <memory>
#include <string_view>

#include "transport/http/jwt/jwks.h"
#include "transport/http/jwt/jwt_claims.h"
#include "transport/http/jwt/jwt_text.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

class NoKey final : public SignatureKey {
 public:
  [[nodiscard]] bool Verifies(std::string_view, std::string_view) const override { return false; }
};

class NoModule final : public CryptoModule {
 public:
  [[nodiscard]] Result<std::unique_ptr<SignatureKey>> RsaKey(std::string_view,
                                                             std::string_view) const override {
    return std::make_unique<NoKey>();
  }
  [[nodiscard]] Result<std::unique_ptr<SignatureKey>> EcKey(std::string_view,
                                                            std::string_view) const override {
    return std::make_unique<NoKey>();
  }
  [[nodiscard]] Result<std::shared_ptr<const TlsContext>> ServerTls(
      const std::string&, const std::string&) const override {
    return Internal("none");
  }
};

void Run(std::string_view input) {
  if (input.empty()) return;
  const auto kind = static_cast<unsigned char>(input[0]) % 4;
  input.remove_prefix(1);
  if (kind == 0) {
    const auto text = ReadJwt(input);
    if (!text) return;
    CHECK(!text->signature.empty());
    CHECK(input.starts_with(text->signed_part) && input[text->signed_part.size()] == '.');
  } else if (kind == 1) {
    const JwtRules rules{.issuer = "i", .audience = "a"};
    const auto claims = ReadJwtClaims(input, rules, WallTime(std::chrono::seconds(1'000)));
    if (!claims) return;
    CHECK(claims->caller.principal.starts_with("i sub=") ||
          claims->caller.principal.starts_with("i client="));
    CHECK(claims->caller.tenant.find('/') == std::string::npos && claims->caller.tenant != "..");
    CHECK(claims->expires > WallTime(std::chrono::seconds(1'000 - 60)));
  } else if (kind == 2) {
    const auto keys = ParseJwks(input, NoModule());
    CHECK(!keys || (!keys->empty() && keys->size() <= kJwksKeysMax));
  } else {
    const auto entries = ParseTokens(input);
    if (!entries) return;
    for (const TokenEntry& entry : *entries) {
      CHECK(!entry.caller.principal.empty());
    }
  }
}

}  // namespace
}  // namespace ducat::transport

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ducat::transport::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
