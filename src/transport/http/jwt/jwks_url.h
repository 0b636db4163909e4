#pragma once
// JwksUrl: an issuer's keys from a URL (protocol.md 8.1). Kept for 10 min; then the next request
// waits for newer ones. A token of an unknown key causes one fetch per cool-down, however many
// such tokens come; all of them wait for that one. While fetches fail the old keys hold for 24 h.
// Owned by a JwtVerifier; control thread only. Failures go to the log.

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "fetch/http_client.h"
#include "transport/http/jwt/issuer_keys.h"

namespace ducat::transport {

struct JwksLimits {
  std::chrono::milliseconds timeout{5'000};      // --jwks-timeout
  std::chrono::milliseconds cooldown{300'000};   // --jwks-cooldown
  std::chrono::milliseconds fresh{10 * 60'000};  // then newer ones are wanted
  std::chrono::milliseconds usable{24 * 3'600'000};
  std::chrono::milliseconds retry{10'000};  // between fetches while there are no keys at all
  size_t bytes_max = size_t{1} << 20U;
};

// https, or http on loopback. Fails with "invalid_setting".
[[nodiscard]] Status CheckJwksUrl(std::string_view url);

class JwksUrl final : public IssuerKeys {
 public:
  struct Parts {
    std::string url;
    JwksLimits limits;
    std::shared_ptr<const CryptoModule> module;
    std::unique_ptr<fetch::HttpClient> client;
  };
  JwksUrl(Parts parts, Log& log);
  ~JwksUrl() override;
  JwksUrl(const JwksUrl&) = delete;
  JwksUrl& operator=(const JwksUrl&) = delete;

  [[nodiscard]] const JwtKeys& Current(MonotonicTime now) override;
  [[nodiscard]] uint64_t version() const override { return version_; }
  [[nodiscard]] bool Refresh(bool key_is_missing, MonotonicTime now,
                             std::function<void()> done) override;
  [[nodiscard]] Result<bool> Reload(bool in_any_case, MonotonicTime now) override;

 private:
  [[nodiscard]] bool MayFetch(MonotonicTime now) const;
  void Begin(MonotonicTime now);
  void End(const Result<std::string>& text);

  Parts parts_;
  Log& log_;
  JwtKeys keys_;
  const JwtKeys none_;
  uint64_t version_ = 0;
  bool fetching_ = false;
  bool ever_fetched_ = false;
  MonotonicTime begun_;     // the last fetch
  MonotonicTime received_;  // the last one that brought keys
  std::vector<std::function<void()>> waiting_;
};

}  // namespace ducat::transport
