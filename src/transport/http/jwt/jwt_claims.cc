#include "transport/http/jwt/jwt_claims.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/hidden_characters.h"
#include "base/text.h"
#include "json/view.h"

namespace ducat::transport {
namespace {

constexpr size_t kNameBytesMax = 256;
constexpr double kSecondsMax = 1e12;     // beyond it is no time, or one in milliseconds
constexpr double kSecondsOfClock = 9e9;  // the year 2255: what the clock can hold

Failure Invalid(std::string message) {
  return Fail(ErrorCode::kUnauthenticated, "invalid_token", std::move(message));
}

// A NumericDate, which may have a fraction. Nothing when the claim is absent.
Result<std::optional<WallTime>> ReadTime(json::View claims, std::string_view name) {
  const auto value = claims.Find(name);
  if (!value) return std::nullopt;
  const auto seconds = value->AsDouble();
  if (!seconds || *seconds < 0 || *seconds > kSecondsMax) {
    return Invalid(std::string(name) + " is no time");
  }
  const auto whole = static_cast<int64_t>(std::floor(std::min(*seconds, kSecondsOfClock)));
  return std::optional(WallTime(std::chrono::seconds(whole)));
}

Result<WallTime> CheckTimes(json::View claims, const JwtRules& rules, WallTime now) {
  TRY_ASSIGN(const auto expires, ReadTime(claims, "exp"));
  if (!expires) return Invalid("exp is missing");
  if (now >= *expires + rules.skew) return Invalid("it has expired");
  for (const std::string_view name : {"nbf", "iat"}) {
    TRY_ASSIGN(const auto since, ReadTime(claims, name));
    if (since && *since > now + rules.skew) return Invalid(std::string(name) + " is in the future");
  }
  return *expires;
}

bool IsText(const std::optional<json::View>& value, std::string_view wanted) {
  const auto text = value ? value->AsString() : std::nullopt;
  return text && *text == wanted;
}

bool HoldsAudience(json::View claims, std::string_view audience) {
  const auto value = claims.Find("aud");
  if (!value) return false;
  if (value->IsString()) return IsText(value, audience);
  bool found = false;
  value->ForEachElement([&](json::View one) {
    found = IsText(one, audience);
    return !found;
  });
  return found;
}

bool HidesNothing(std::string_view text) {
  while (!text.empty()) {
    const std::string_view character = text.substr(0, NextUtf8(text).length);
    if (IsHiddenCharacter(CodePointOf(character))) return false;
    text.remove_prefix(character.size());
  }
  return true;
}

// What may stand in logs and keys: short, and nothing that controls or turns what is shown.
bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax && HidesNothing(text);
}

// The claim's name is part of it: a client must not pass for a user of the same id.
Result<std::string> ReadPrincipal(json::View claims, const JwtRules& rules) {
  constexpr std::array<std::string_view, 4> kClaims{"sub", "client_id", "cid", "azp"};
  for (const std::string_view name : kClaims) {
    const auto value = claims.Find(name);
    if (!value) continue;
    const auto text = value->AsString();
    if (!text || !IsName(*text)) return Invalid(std::string(name) + " is no name");
    const std::string_view kind = name == "sub" ? "sub" : "client";
    return std::string(rules.issuer).append(" ").append(kind).append("=").append(*text);
  }
  return Invalid("it names nobody: sub is missing");
}

// A tenant is a folder's name too.
Result<std::string> ReadTenant(json::View claims) {
  constexpr size_t kTenantBytesMax = 128;
  const auto value = claims.Find("tid");
  if (!value) return "default";
  const auto text = value->AsString();
  const bool plain = text && !text->empty() && text->size() <= kTenantBytesMax &&
                     text->front() != '.' && std::ranges::all_of(*text, [](char c) {
                       return IsAsciiDigit(c) || (AsciiLower(c) >= 'a' && AsciiLower(c) <= 'z') ||
                              c == '-' || c == '_' || c == '.';
                     });
  if (!plain) return Invalid("tid must be letters, digits, '-', '_' and '.'");
  return std::string(*text);
}

// Words of one string, as `scope` has them.
void AddWords(std::string_view text, std::vector<std::string>& out) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Result<std::vector<std::string>> ReadScopes(json::View claims) {
  std::vector<std::string> scopes;
  bool good = true;
  for (const std::string_view name : {"scope", "scp", "mcp_tool_scopes"}) {
    const auto value = claims.Find(name);
    if (!value) continue;
    if (const auto text = value->AsString()) {
      AddWords(*text, scopes);
      continue;
    }
    good = good && value->IsArray();
    value->ForEachElement([&](json::View one) {
      const auto text = one.AsString();
      if (text) AddWords(*text, scopes);
      return good = good && text.has_value();
    });
  }
  if (!good) return Invalid("a claim of scopes must be a string or a list of strings");
  std::ranges::sort(scopes);
  scopes.erase(std::ranges::unique(scopes).begin(), scopes.end());
  return scopes;
}

}  // namespace

Result<JwtClaims> ReadJwtClaims(std::string_view payload, const JwtRules& rules, WallTime now) {
  json::Document document;
  const auto claims = document.Parse(payload);
  if (!claims || !claims->IsObject()) return Invalid("its payload is no JSON object");
  if (!IsText(claims->Find("iss"), rules.issuer)) return Invalid("iss is another issuer");
  if (!HoldsAudience(*claims, rules.audience)) return Invalid("aud does not name this server");
  JwtClaims out;
  TRY_ASSIGN(out.expires, CheckTimes(*claims, rules, now));
  TRY_ASSIGN(out.caller.principal, ReadPrincipal(*claims, rules));
  TRY_ASSIGN(out.caller.tenant, ReadTenant(*claims));
  // Sessions and tasks belong to the principal: the same sub of another tenant is another one.
  if (claims->Find("tid")) out.caller.principal.append(" tid=").append(out.caller.tenant);
  TRY_ASSIGN(out.scopes, ReadScopes(*claims));
  return out;
}

}  // namespace ducat::transport
