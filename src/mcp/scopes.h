#pragma once
// Scopes: what a caller may use (protocol.md 8.2). A tool, resource or prompt names those that it
// needs; "fx:*" covers "fx:read", "*" covers all. Pure; plain values.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::mcp {

using Scopes = std::vector<std::string>;

// What a caller has been granted; null: everything, for there is no authentication.
using Grant = std::shared_ptr<const Scopes>;

// Whether all of `needed` is covered.
[[nodiscard]] bool MayUse(const Grant& grant, const Scopes& needed);

// Visible ASCII without quotes, backslashes and blanks (RFC 6749, 3.3).
[[nodiscard]] bool IsScope(std::string_view text);

// As challenges and tokens write them: separated by blanks.
[[nodiscard]] std::string JoinScopes(const Scopes& scopes);

}  // namespace ducat::mcp
