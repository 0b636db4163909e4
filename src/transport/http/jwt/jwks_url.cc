#include "transport/http/jwt/jwks_url.h"

#include <algorithm>
#include <utility>

#include "transport/http/trusted_names.h"

namespace ducat::transport {

Status CheckJwksUrl(std::string_view url) {
  const std::string_view host = HostWithoutPort(AuthorityOf(url));
  const bool secure = url.starts_with("https://");
  const bool local = url.starts_with("http://") && IsLoopbackName(host);
  if (!host.empty() && (secure || local) && url.find_first_of(" \t\r\n") == url.npos) return {};
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
              "expected a file, an https URL, or an http URL on loopback");
}

JwksUrl::JwksUrl(Parts parts, Log& log) : parts_(std::move(parts)), log_(log) {}

JwksUrl::~JwksUrl() = default;

const JwtKeys& JwksUrl::Current(MonotonicTime now) {
  return version_ > 0 && now - received_ < parts_.limits.usable ? keys_ : none_;
}

bool JwksUrl::MayFetch(MonotonicTime now) const {
  if (!ever_fetched_) return true;
  const JwksLimits& limits = parts_.limits;
  const bool none = version_ == 0;
  return now - begun_ >= (none ? std::min(limits.retry, limits.cooldown) : limits.cooldown);
}

bool JwksUrl::Refresh(bool key_is_missing, MonotonicTime now, std::function<void()> done) {
  const bool wanted = key_is_missing || version_ == 0 || now - received_ >= parts_.limits.fresh;
  if (!wanted) return false;
  if (!fetching_) {
    if (!MayFetch(now)) return false;
    Begin(now);
  }
  waiting_.push_back(std::move(done));
  return true;
}

Result<bool> JwksUrl::Reload(bool in_any_case, MonotonicTime now) {
  if (in_any_case && !fetching_) Begin(now);
  return false;  // End tells
}

void JwksUrl::Begin(MonotonicTime now) {
  fetching_ = true;
  ever_fetched_ = true;
  begun_ = now;
  const JwksLimits& limits = parts_.limits;
  parts_.client->Get({.url = parts_.url, .timeout = limits.timeout, .bytes_max = limits.bytes_max},
                     [this](const Result<std::string>& text) { End(text); });
}

void JwksUrl::End(const Result<std::string>& text) {
  fetching_ = false;
  auto keys = text ? ParseJwks(*text, *parts_.module) : Result<JwtKeys>(Failure(text.error()));
  if (keys) {
    keys_ = *std::move(keys);
    received_ = begun_;
    ++version_;
    log_.Write(LogLevel::kInfo, "the keys of the issuer were fetched",
               {{"keys", std::to_string(keys_.size())}});
  } else {
    log_.Write(LogLevel::kError, "the keys of the issuer cannot be fetched, the old ones hold",
               {{"detail", keys.error().message}});
  }
  for (const std::function<void()>& done : std::exchange(waiting_, {})) {
    done();
  }
}

}  // namespace ducat::transport
