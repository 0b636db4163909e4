#include "transport/http/jwt/jwt_verifier.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ducat::transport {
namespace {

bool Fits(const JwtKey& key, const JwtText& text) {
  return key.algorithm == text.algorithm &&
         (key.id.empty() || text.key_id.empty() || key.id == text.key_id);
}

// Whether a key of that name is there, for whatever algorithm.
bool IsKnown(const JwtKeys& keys, const JwtText& text) {
  return std::ranges::any_of(keys, [&text](const JwtKey& key) {
    return text.key_id.empty() || key.id.empty() || key.id == text.key_id;
  });
}

}  // namespace

size_t JwtVerifier::DigestHash::operator()(const Digest& digest) const {
  size_t hash = 0;
  std::memcpy(&hash, digest.data(), sizeof(hash));
  return hash;
}

JwtVerifier::JwtVerifier(JwtRules rules, std::unique_ptr<IssuerKeys> keys, Log& log)
    : rules_(std::move(rules)), keys_(std::move(keys)), log_(log) {}

// A token of a removed key must not live on in the cache.
void JwtVerifier::ForgetOldKeys() {
  if (std::exchange(version_, keys_->version()) != version_) verified_.clear();
}

bool JwtVerifier::AwaitKeys(std::string_view token, MonotonicTime now, std::function<void()> done) {
  const auto text = ReadJwt(token);
  if (!text) return false;
  const bool missing = !IsKnown(keys_->Current(now), *text);
  return keys_->Refresh(missing, now, std::move(done));
}

bool JwtVerifier::Signed(const JwtText& text, MonotonicTime now) {
  return std::ranges::any_of(keys_->Current(now), [&text](const JwtKey& key) {
    return Fits(key, text) && key.key->Verifies(text.signed_part, text.signature);
  });
}

std::optional<JwtClaims> JwtVerifier::Verify(std::string_view token, MonotonicTime now,
                                             WallTime wall) {
  ForgetOldKeys();
  if (HasNoKeys(now)) return std::nullopt;
  const Digest digest = Sha256(token);
  if (const auto found = verified_.find(digest); found != verified_.end()) {
    if (now < found->second.until && wall < found->second.claims.expires) {
      return found->second.claims;
    }
    verified_.erase(found);
  }
  const auto text = ReadJwt(token);
  if (!text) {
    LogRefusal("it is no token of HS256, RS256 or ES256");
    return std::nullopt;
  }
  if (!Signed(*text, now)) {
    LogRefusal("no key of the issuer has signed it");
    return std::nullopt;
  }
  auto claims = ReadJwtClaims(text->payload, rules_, wall);
  if (!claims) {
    LogRefusal(claims.error().message);
    return std::nullopt;
  }
  if (wall < claims->expires) Remember(digest, *claims, now);
  return *std::move(claims);
}

void JwtVerifier::Remember(const Digest& digest, const JwtClaims& claims, MonotonicTime now) {
  if (verified_.size() >= kVerifiedTokensMax) {
    std::erase_if(verified_, [now](const auto& entry) { return now >= entry.second.until; });
  }
  if (verified_.size() >= kVerifiedTokensMax) verified_.clear();
  verified_.insert_or_assign(digest, Verified{.claims = claims, .until = now + kVerifiedFor});
}

void JwtVerifier::LogRefusal(std::string_view why) {
  log_.Write(LogLevel::kDebug, "a token was refused", {{"detail", why}});
}

}  // namespace ducat::transport
