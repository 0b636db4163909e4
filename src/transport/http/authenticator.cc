#include "transport/http/authenticator.h"

#include "base/text.h"
#include "transport/http/response.h"

namespace ducat::transport {
namespace {

constexpr uint32_t kFailuresMax = 10;  // of one address, in kFailureWindow
constexpr std::chrono::minutes kFailureWindow{1};
constexpr size_t kAddressesMax = 10'000;
constexpr size_t kTokenBytesMax = 8'192;

Refusal BadRequest(std::string message) {
  return {400, "invalid_request", std::move(message), {}};
}

bool HasTokenInQuery(std::string_view target) {
  const size_t query = target.find('?');
  if (query == target.npos) return false;
  const std::string_view text = target.substr(query + 1);
  return text.starts_with("access_token=") || text.find("&access_token=") != text.npos;
}

}  // namespace

tl::expected<mcp::Caller, Refusal> Authenticator::Check(const RequestHead& head,
                                                        std::string_view address, MonotonicTime now,
                                                        WallTime wall) {
  if (!tokens_) return mcp::Caller{.principal = "anonymous", .tenant = "default"};
  if (HasTokenInQuery(head.target)) {
    return tl::unexpected(BadRequest("A token belongs into the header Authorization"));
  }
  if (!MayTry(address, now)) {
    return tl::unexpected(
        Refusal{429, "too_many_failures", "Too many failed attempts", "Retry-After: 60\r\n"});
  }
  const auto header = head.Header("Authorization");
  if (!header) return tl::unexpected(Unauthorized(address, false, now));
  const size_t space = header->find(' ');
  const std::string_view token =
      space == header->npos ? std::string_view() : Trim(header->substr(space + 1));
  if (!EqualsIgnoringCase(header->substr(0, space), "Bearer") || token.empty() ||
      token.find_first_of(" ,") != token.npos) {
    return tl::unexpected(BadRequest("Authorization must be Bearer and one token"));
  }
  if (token.size() <= kTokenBytesMax) {
    if (auto caller = tokens_->Find(token, wall)) return *std::move(caller);
  }
  return tl::unexpected(Unauthorized(address, true, now));
}

bool Authenticator::MayTry(std::string_view address, MonotonicTime now) {
  const auto found = failures_.find(std::string(address));
  if (found == failures_.end()) return true;
  if (now - found->second.since >= kFailureWindow) {
    failures_.erase(found);
    return true;
  }
  return found->second.count < kFailuresMax;
}

// Asking without a token is how clients find out; only a wrong token counts as a failure.
Refusal Authenticator::Unauthorized(std::string_view address, bool presented, MonotonicTime now) {
  if (presented) {
    if (failures_.size() >= kAddressesMax) failures_.clear();
    Failures& own = failures_[std::string(address)];
    if (own.count++ == 0) own.since = now;
  }
  Refusal refusal{401,
                  "unauthorized",
                  presented ? "The token is not valid" : "Send a token: Authorization: Bearer …",
                  {}};
  AppendHeader(refusal.headers, "WWW-Authenticate",
               presented ? "Bearer error=\"invalid_token\"" : "Bearer");
  return refusal;
}

}  // namespace ducat::transport
