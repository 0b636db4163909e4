#pragma once
// JwtVerifier: mode jwt of protocol.md 8.1: who calls with a signed token, or that it is not good.
// What was found is kept for a minute, by the token's hash. Owned by the app, shared with the HTTP
// server; control thread only. Why a token is refused goes to the log at debug, never to a client.

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "base/digest.h"
#include "base/log.h"
#include "transport/http/jwt/issuer_keys.h"
#include "transport/http/jwt/jwt_claims.h"
#include "transport/http/jwt/jwt_text.h"

namespace ducat::transport {

inline constexpr size_t kVerifiedTokensMax = 4'096;
inline constexpr std::chrono::seconds kVerifiedFor{60};

class JwtVerifier {
 public:
  JwtVerifier(JwtRules rules, std::unique_ptr<IssuerKeys> keys, Log& log);

  // Whether keys should be awaited before Verify: then `done` is called once, later.
  [[nodiscard]] bool AwaitKeys(std::string_view token, MonotonicTime now,
                               std::function<void()> done);
  // Nothing for a token that is not good, for whatever reason.
  [[nodiscard]] std::optional<JwtClaims> Verify(std::string_view token, MonotonicTime now,
                                                WallTime wall);
  // No key can be had at the moment, so nobody can be known.
  [[nodiscard]] bool HasNoKeys(MonotonicTime now) { return keys_->Current(now).empty(); }

  // See IssuerKeys.
  [[nodiscard]] Result<bool> Reload(bool in_any_case, MonotonicTime now) {
    return keys_->Reload(in_any_case, now);
  }
  [[nodiscard]] const JwtRules& rules() const { return rules_; }
  [[nodiscard]] size_t remembered() const { return verified_.size(); }

 private:
  struct Verified {
    JwtClaims claims;
    MonotonicTime until;
  };
  struct DigestHash {
    size_t operator()(const Digest& digest) const;
  };
  void ForgetOldKeys();
  [[nodiscard]] bool Signed(const JwtText& text, MonotonicTime now);
  void Remember(const Digest& digest, const JwtClaims& claims, MonotonicTime now);
  void LogRefusal(std::string_view why);

  JwtRules rules_;
  std::unique_ptr<IssuerKeys> keys_;
  Log& log_;
  uint64_t version_ = 0;  // of the keys that verified_ came from
  std::unordered_map<Digest, Verified, DigestHash> verified_;
};

}  // namespace ducat::transport
