#include "json/key_match.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ducat::json {

namespace {

constexpr bool IsJoint(char c) {
  return c == '_' || c == '-' || IsAsciiBlank(c);
}

bool SameFolded(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  while (true) {
    while (i < a.size() && IsJoint(a[i])) {
      ++i;
    }
    while (j < b.size() && IsJoint(b[j])) {
      ++j;
    }
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (AsciiLower(a[i++]) != AsciiLower(b[j++])) return false;
  }
}

}  // namespace

bool IsClientKey(std::string_view key) {
  constexpr std::array<std::string_view, 3> kKnown{"toolCallId", "tool_call_id",
                                                   "tool_call_description"};
  return key.starts_with('_') || std::ranges::find(kKnown, key) != kKnown.end();
}

std::optional<size_t> FindField(std::span<const Field> fields, std::string_view key,
                                size_t expected) {
  if (expected < fields.size() && fields[expected].name == key) return expected;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == key) return i;
  }
  return std::nullopt;
}

std::optional<size_t> FindAlias(std::span<const Field> fields, std::string_view key) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (SameFolded(fields[i].name, key)) return i;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto& aliases = fields[i].rule.aliases;
    const auto same = [key](std::string_view alias) { return SameFolded(alias, key); };
    if (std::ranges::any_of(aliases, same)) return i;
  }
  return std::nullopt;
}

}  // namespace ducat::json
