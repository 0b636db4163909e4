#include "transport/http/trusted_names.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace ducat::transport {
namespace {

bool IsPort(std::string_view text) {
  uint16_t port = 0;
  const char* const first = text.data();
  const char* const end = first + text.size();
  const auto [at, error] = std::from_chars(first, end, port);
  return error == std::errc() && at == end && port > 0;
}

bool IsHostCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsAsciiDigit(c) || c == '-' ||
         c == '.' || c == '_';
}

bool IsAddressCharacter(char c) {
  return IsAsciiDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' ||
         c == '.';
}

bool Contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

}  // namespace

std::string_view HostWithoutPort(std::string_view host) {
  const bool bracketed = host.starts_with('[');
  const size_t end = bracketed ? host.find(']') : host.find(':');
  const size_t size = end == host.npos ? host.size() : end + (bracketed ? 1 : 0);
  if (bracketed && end == host.npos) return {};
  const std::string_view name = host.substr(0, size);
  const std::string_view rest = host.substr(size);
  if (!rest.empty() && (rest.front() != ':' || !IsPort(rest.substr(1)))) return {};
  if (bracketed) {
    const std::string_view inner = name.substr(1, name.size() - 2);
    return std::ranges::all_of(inner, IsAddressCharacter) ? name : std::string_view();
  }
  return std::ranges::all_of(name, IsHostCharacter) ? name : std::string_view();
}

std::string_view AuthorityOf(std::string_view url) {
  const size_t start = url.find("//");
  if (start == url.npos) return {};
  const std::string_view rest = url.substr(start + 2);
  return rest.substr(0, rest.find('/'));
}

bool IsLoopbackName(std::string_view host) {
  return EqualsIgnoringCase(host, "localhost") || host == "127.0.0.1" || host == "[::1]";
}

TrustedNames::TrustedNames(const HttpOptions& options) {
  for (const std::string& host : options.allowed_hosts) {
    hosts_.push_back(AsciiLower(host));
  }
  const std::string_view own = HostWithoutPort(AuthorityOf(options.public_url));
  if (!own.empty()) hosts_.push_back(AsciiLower(own));
  for (const std::string& origin : options.allowed_origins) {
    origins_.push_back(AsciiLower(origin));
  }
}

bool TrustedNames::AllowsHost(std::string_view host) const {
  const std::string_view name = HostWithoutPort(host);
  if (name.empty()) return false;
  if (IsLoopbackName(name)) return true;
  return Contains(hosts_, AsciiLower(name)) || Contains(hosts_, AsciiLower(host));
}

bool TrustedNames::AllowsOrigin(std::string_view origin) const {
  const std::string lower = AsciiLower(origin);
  if (Contains(origins_, lower)) return true;
  std::string_view rest = lower;
  if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else {
    return false;
  }
  return IsLoopbackName(HostWithoutPort(rest));
}

}  // namespace ducat::transport
