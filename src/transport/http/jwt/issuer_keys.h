#pragma once
// IssuerKeys: the keys that an issuer signs with at the moment: fixed, from a file that is watched,
// or from a URL (jwks_url.h). Owned by a JwtVerifier; control thread only.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "transport/http/jwt/jwks.h"
#include "transport/http/watched_file.h"

namespace ducat::transport {

class IssuerKeys {
 public:
  virtual ~IssuerKeys() = default;

  // Those that may be used now; empty when there are none, or none any more.
  [[nodiscard]] virtual const JwtKeys& Current(MonotonicTime now) = 0;
  // Counts changes of the keys.
  [[nodiscard]] virtual uint64_t version() const = 0;
  // Whether waiting could bring a key that is not there, or newer ones; then `done` is called once,
  // later, whatever came of it.
  [[nodiscard]] virtual bool Refresh(bool key_is_missing, MonotonicTime now,
                                     std::function<void()> done) = 0;
  // At SIGHUP (`in_any_case`) and once a second. True: something was read. An error keeps the old
  // keys.
  [[nodiscard]] virtual Result<bool> Reload(bool in_any_case, MonotonicTime now) = 0;
};

class FixedKeys final : public IssuerKeys {
 public:
  explicit FixedKeys(JwtKeys keys) : keys_(std::move(keys)) {}
  [[nodiscard]] const JwtKeys& Current(MonotonicTime) override { return keys_; }
  [[nodiscard]] uint64_t version() const override { return 1; }
  [[nodiscard]] bool Refresh(bool, MonotonicTime, std::function<void()>) override { return false; }
  [[nodiscard]] Result<bool> Reload(bool, MonotonicTime) override { return false; }

 private:
  JwtKeys keys_;
};

// A secret or a JWKS in a file.
class KeyFile final : public IssuerKeys {
 public:
  using Parse = std::function<Result<JwtKeys>(std::string_view text)>;
  // Fails when the file is broken at the start.
  [[nodiscard]] static Result<std::unique_ptr<KeyFile>> Open(std::string path, Parse parse);

  [[nodiscard]] const JwtKeys& Current(MonotonicTime) override { return keys_; }
  [[nodiscard]] uint64_t version() const override { return version_; }
  [[nodiscard]] bool Refresh(bool, MonotonicTime, std::function<void()>) override { return false; }
  [[nodiscard]] Result<bool> Reload(bool in_any_case, MonotonicTime now) override;

  // For Open alone.
  KeyFile(std::string path, Parse parse)
      : file_("Key file", "invalid_key_file", std::move(path)), parse_(std::move(parse)) {}

 private:
  WatchedFile file_;
  Parse parse_;
  JwtKeys keys_;
  uint64_t version_ = 0;
};

}  // namespace ducat::transport
