#include "transport/http/authenticator.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "transport/http/challenge.h"
#include "transport/http/http_observer.h"
#include "transport/http/jwt/jwt_verifier.h"
#include "transport/http/response.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

constexpr uint32_t kFailuresMax = 10;  // of one address, in kFailureWindow
constexpr std::chrono::minutes kFailureWindow{1};
constexpr size_t kAddressesMax = 10'000;
constexpr size_t kTokenBytesMax = 8'192;

Refusal BadRequest(std::string message) {
  return {400, "invalid_request", std::move(message), {}};
}

// Percent signs that encode nothing stand for themselves.
std::string PercentDecode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    uint8_t byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const char* const first = digits.data();
    const char* const end = first + digits.size();
    if (text[i] != '%' || digits.size() != 2 || std::from_chars(first, end, byte, 16).ptr != end) {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>(byte));
    i += 2;
  }
  return out;
}

// Whoever put it there, however it is spelt: it stands in logs and histories now.
bool HasTokenInQuery(std::string_view target) {
  const size_t query = target.find_first_of("?#");
  if (query == target.npos) return false;
  std::string_view rest = target.substr(query + 1);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("&;?#"), rest.size());
    const std::string_view name = rest.substr(0, end).substr(0, rest.find('='));
    if (EqualsIgnoringCase(PercentDecode(name), "access_token")) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// What follows "Bearer"; empty for another scheme, no token, and more than one.
std::string_view BearerToken(std::string_view header) {
  const size_t space = header.find(' ');
  if (space == header.npos || !EqualsIgnoringCase(header.substr(0, space), "Bearer")) return {};
  const std::string_view token = Trim(header.substr(space + 1));
  return token.find_first_of(" ,") == token.npos ? token : std::string_view();
}

std::string_view OutcomeOf(int status, bool presented) {
  if (status == 200) return "ok";
  if (status == 429) return "limited";
  if (status == 503) return "unavailable";
  return presented ? "invalid" : "missing";
}

}  // namespace

bool Authenticator::AwaitKeys(const RequestHead& head, std::string_view address, MonotonicTime now,
                              std::function<void()> done) {
  if (!options_.jwt || !MayTry(address, now)) return false;
  const std::string_view token = BearerToken(head.Header("Authorization").value_or(""));
  if (token.empty() || token.size() > kTokenBytesMax) return false;
  return options_.jwt->AwaitKeys(token, now, std::move(done));
}

tl::expected<mcp::Caller, Refusal> Authenticator::Check(const RequestHead& head,
                                                        std::string_view address, MonotonicTime now,
                                                        WallTime wall) {
  if (!required()) return mcp::Caller{.principal = "anonymous", .tenant = "default"};
  auto caller = Judge(head, address, now, wall);
  if (options_.observer != nullptr) {
    const bool presented = head.Header("Authorization").has_value();
    const int status = caller ? 200 : caller.error().status;
    options_.observer->Authenticated(options_.jwt ? "jwt" : "token", OutcomeOf(status, presented));
  }
  return caller;
}

tl::expected<mcp::Caller, Refusal> Authenticator::Judge(const RequestHead& head,
                                                        std::string_view address, MonotonicTime now,
                                                        WallTime wall) {
  if (HasTokenInQuery(head.target)) {
    return tl::unexpected(BadRequest("A token belongs into the header Authorization"));
  }
  const auto header = head.Header("Authorization");
  if (!header) return tl::unexpected(Unauthorized(head, false));
  const std::string_view token = BearerToken(*header);
  if (token.empty()) {
    return tl::unexpected(BadRequest("Authorization must be Bearer and one token"));
  }
  if (options_.jwt && options_.jwt->HasNoKeys(now)) {
    return tl::unexpected(Refusal{503, "keys_unavailable", "The keys of the issuer cannot be had",
                                  "Retry-After: 10\r\n"});
  }
  if (token.size() <= kTokenBytesMax) {
    if (auto caller = Find(token, now, wall)) return *std::move(caller);
  }
  // Only after a look at the token: whoever shares an address with a guesser is not locked out.
  if (!MayTry(address, now)) {
    return tl::unexpected(
        Refusal{429, "too_many_failures", "Too many failed attempts", "Retry-After: 60\r\n"});
  }
  CountFailure(address, now);
  return tl::unexpected(Unauthorized(head, true));
}

std::optional<mcp::Caller> Authenticator::Find(std::string_view token, MonotonicTime now,
                                               WallTime wall) const {
  if (options_.tokens) return options_.tokens->Find(token, wall);
  auto claims = options_.jwt->Verify(token, now, wall);
  if (!claims) return std::nullopt;
  mcp::Caller caller = std::move(claims->caller);
  caller.grant = std::make_shared<const mcp::Scopes>(std::move(claims->scopes));
  return caller;
}

bool Authenticator::IsStillGood(const RequestHead& head, MonotonicTime now, WallTime wall) const {
  if (!required()) return true;
  const std::string_view token = BearerToken(head.Header("Authorization").value_or(""));
  return Find(token, now, wall).has_value();
}

// Without an address (a Unix socket) all clients would be one.
bool Authenticator::MayTry(std::string_view address, MonotonicTime now) {
  const auto found = failures_.find(std::string(address));
  if (found == failures_.end()) return true;
  if (now - found->second.since >= kFailureWindow) {
    failures_.erase(found);
    return true;
  }
  return found->second.count < kFailuresMax;
}

Refusal Authenticator::Unauthorized(const RequestHead& head, bool presented) const {
  Refusal refusal{401,
                  "unauthorized",
                  presented ? "The token is not valid" : "Send a token: Authorization: Bearer …",
                  {}};
  const Challenge challenge{.error = presented ? "invalid_token" : "",
                            .scope = mcp::JoinScopes(server_.AllScopes())};
  AppendHeader(refusal.headers, "WWW-Authenticate", ChallengeText(challenge, options_, head));
  return refusal;
}

// Asking without a token is how clients find out; only a wrong token counts as a failure.
void Authenticator::CountFailure(std::string_view address, MonotonicTime now) {
  if (address.empty()) return;
  if (failures_.size() >= kAddressesMax) failures_.clear();
  Failures& own = failures_[std::string(address)];
  if (own.count++ == 0) own.since = now;
}

}  // namespace ducat::transport
