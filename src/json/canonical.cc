#include "json/canonical.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "json/writer.h"

namespace ducat::json {
namespace {

// Depth is bounded by the parser.
void Append(View value, std::span<const std::string_view> without, JsonWriter& out) {
  if (value.IsArray()) {
    out.BeginArray();
    value.ForEachElement([&](View element) {
      Append(element, {}, out);
      return true;
    });
    return out.EndArray();
  }
  if (!value.IsObject()) return out.Raw(value.ToJson());
  std::vector<std::pair<std::string_view, View>> members;
  value.ForEachMember([&](std::string_view key, View member) {
    if (std::ranges::find(without, key) == without.end()) members.emplace_back(key, member);
    return true;
  });
  std::ranges::sort(members, {}, &std::pair<std::string_view, View>::first);
  out.BeginObject();
  for (const auto& [key, member] : members) {
    out.Key(key);
    Append(member, {}, out);
  }
  out.EndObject();
}

}  // namespace

std::string CanonicalJson(View value, std::span<const std::string_view> without) {
  std::string text;
  JsonWriter writer(text);
  Append(value, without, writer);
  return text;
}

}  // namespace ducat::json
