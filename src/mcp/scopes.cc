#include "mcp/scopes.h"

#include <algorithm>

namespace ducat::mcp {
namespace {

bool Covers(std::string_view granted, std::string_view needed) {
  if (granted == "*" || granted == needed) return true;
  return granted.ends_with(":*") && needed.starts_with(granted.substr(0, granted.size() - 1));
}

}  // namespace

bool MayUse(const Grant& grant, const Scopes& needed) {
  if (!grant) return true;
  return std::ranges::all_of(needed, [&grant](std::string_view one) {
    return std::ranges::any_of(*grant, [one](std::string_view had) { return Covers(had, one); });
  });
}

bool IsScope(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c > 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
}

std::string JoinScopes(const Scopes& scopes) {
  std::string out;
  for (const std::string& scope : scopes) {
    if (!out.empty()) out.push_back(' ');
    out.append(scope);
  }
  return out;
}

}  // namespace ducat::mcp
