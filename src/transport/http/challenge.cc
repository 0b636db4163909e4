#include "transport/http/challenge.h"

#include "json/writer.h"
#include "transport/http/jwt/jwt_verifier.h"
#include "transport/http/trusted_names.h"

namespace ducat::transport {
namespace {

// Of a URL without query: "https://host/a/b" -> "/a/b".
std::string_view PathOf(std::string_view url) {
  const std::string_view authority = AuthorityOf(url);
  if (authority.empty()) return {};
  return url.substr(static_cast<size_t>(authority.data() - url.data()) + authority.size());
}

// RFC 9728, 3.1: the well-known part stands between host and path.
std::string MetadataUrl(std::string_view resource) {
  const std::string_view path = PathOf(resource);
  const std::string_view root = resource.substr(0, resource.size() - path.size());
  return std::string(root).append(kMetadataPath).append(path);
}

void Add(std::string_view name, std::string_view value, std::string& out) {
  out.append(out.size() > std::string_view("Bearer").size() ? ", " : " ");
  out.append(name).append("=\"").append(value).append("\"");
}

}  // namespace

std::string ChallengeText(const Challenge& challenge, const HttpOptions& options,
                          const RequestHead& head) {
  std::string out = "Bearer";
  if (!challenge.error.empty()) Add("error", challenge.error, out);
  if (!challenge.scope.empty()) Add("scope", challenge.scope, out);
  if (options.jwt) Add("resource_metadata", MetadataUrl(ResourceUrl(options, head)), out);
  return out;
}

std::string ResourceUrl(const HttpOptions& options, const RequestHead& head) {
  if (!options.public_url.empty()) return options.public_url;
  return std::string(options.tls ? "https://" : "http://")
      .append(head.Header("Host").value_or(""))
      .append(options.path);
}

bool IsMetadataPath(std::string_view path, const HttpOptions& options) {
  if (!path.starts_with(kMetadataPath)) return false;
  const std::string_view rest = path.substr(kMetadataPath.size());
  return rest.empty() || rest == options.path || rest == PathOf(options.public_url);
}

std::string ResourceMetadata(const HttpOptions& options, const RequestHead& head,
                             const mcp::Scopes& scopes) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("resource", ResourceUrl(options, head));
  writer.Key("authorization_servers");
  writer.BeginArray();
  writer.String(options.jwt->rules().issuer);
  writer.EndArray();
  writer.Key("scopes_supported");
  writer.BeginArray();
  for (const std::string& scope : scopes) {
    writer.String(scope);
  }
  writer.EndArray();
  writer.RawField("bearer_methods_supported", R"(["header"])");
  writer.EndObject();
  return out;
}

}  // namespace ducat::transport
