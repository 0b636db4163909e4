#include "mcp/params.h"

#include <utility>

namespace ducat::mcp {

tl::unexpected<RpcError> InvalidParams(std::string message) {
  return tl::unexpected(RpcError{.code = rpc::kInvalidParams, .message = std::move(message)});
}

Params<std::string_view> RequiredString(json::View object, std::string_view key,
                                        std::string_view path, size_t bytes_max) {
  auto text = AnyString(object, key, path, bytes_max);
  if (text && text->empty()) return InvalidParams(std::string(path) + " must not be empty");
  return text;
}

Params<std::string_view> AnyString(json::View object, std::string_view key, std::string_view path,
                                   size_t bytes_max) {
  const auto value = object.Find(key);
  const auto text = value ? value->AsString() : std::nullopt;
  if (!text) return InvalidParams(std::string(path) + " must be a string");
  if (text->size() > bytes_max) {
    return InvalidParams(std::string(path) + " is longer than " + std::to_string(bytes_max) +
                         " bytes");
  }
  if (text->find('\0') != text->npos) {
    return InvalidParams(std::string(path) + " must not contain U+0000");
  }
  return *text;
}

Params<std::map<std::string, std::string>> StringMap(json::View object, std::string_view key,
                                                     std::string_view path) {
  std::map<std::string, std::string> out;
  const json::View map = object.Find(key).value_or(json::View());
  if (map.IsNull()) return out;
  if (!map.IsObject()) return InvalidParams(std::string(path) + " must be an object");
  std::string broken;
  map.ForEachMember([&](std::string_view name, json::View value) {
    const auto text = value.AsString();
    if (!text || text->find('\0') != text->npos || name.find('\0') != name.npos) {
      broken = std::string(path) + "." + std::string(name) + " must be a string without U+0000";
      return false;
    }
    out.emplace(name, *text);
    return true;
  });
  if (!broken.empty()) return InvalidParams(std::move(broken));
  return out;
}

}  // namespace ducat::mcp
