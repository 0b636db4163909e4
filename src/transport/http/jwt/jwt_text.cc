#include "transport/http/jwt/jwt_text.h"

#include <utility>

#include "base/text.h"
#include "json/view.h"

namespace ducat::transport {
namespace {

constexpr json::ParseLimits kHeaderLimits{.depth_max = 8, .nodes_max = 256};

// A member that must be a string when it is there; false when it is something else.
bool ReadText(json::View object, std::string_view key, std::string& out) {
  const auto value = object.Find(key);
  if (!value) return true;
  const auto text = value->AsString();
  if (!text) return false;
  out = *text;
  return true;
}

bool ReadHeader(std::string_view encoded, JwtText& out) {
  const auto text = Base64UrlDecode(encoded);
  if (!text) return false;
  json::Document document;
  const auto header = document.Parse(*text, kHeaderLimits);
  if (!header || !header->IsObject() || header->Find("crit")) return false;
  std::string name;
  if (!ReadText(*header, "alg", name) || !ReadText(*header, "kid", out.key_id)) return false;
  const auto algorithm = ParseJwtAlgorithm(name);
  if (algorithm) out.algorithm = *algorithm;
  return algorithm.has_value();
}

}  // namespace

std::optional<JwtAlgorithm> ParseJwtAlgorithm(std::string_view name) {
  if (name == "HS256") return JwtAlgorithm::kHs256;
  if (name == "RS256") return JwtAlgorithm::kRs256;
  if (name == "ES256") return JwtAlgorithm::kEs256;
  return std::nullopt;
}

std::optional<JwtText> ReadJwt(std::string_view token) {
  const size_t first = token.find('.');
  const size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
  if (second == token.npos) return std::nullopt;
  JwtText out;
  out.signed_part = token.substr(0, second);
  // A further dot is no base64url, so a fourth part cannot hide.
  auto payload = Base64UrlDecode(token.substr(first + 1, second - first - 1));
  auto signature = Base64UrlDecode(token.substr(second + 1));
  if (!payload || !signature || signature->empty()) return std::nullopt;
  out.payload = *std::move(payload);
  out.signature = *std::move(signature);
  if (!ReadHeader(token.substr(0, first), out)) return std::nullopt;
  return out;
}

}  // namespace ducat::transport
