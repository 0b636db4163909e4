#include "mcp/router.h"

#include <utility>

#include "json/writer.h"
#include "mcp/mirror_headers.h"

namespace ducat::mcp {
namespace {

RpcError UnknownMethod(std::string_view method) {
  return {.code = rpc::kMethodNotFound, .message = "Method not found: " + std::string(method)};
}

RpcError UnsupportedVersion(std::string_view requested) {
  RpcError error{.code = rpc::kUnsupportedVersion,
                 .message = "Unsupported protocol version: " + std::string(requested)};
  json::JsonWriter writer(error.data);
  writer.BeginObject();
  writer.RawField("supported", kModernRevisionsJson);
  writer.Field("requested", requested);
  writer.EndObject();
  return error;
}

RpcError NotInitialized() {
  RpcError error{.code = rpc::kInvalidParams,
                 .message = "Send initialize first, or put " + std::string(kVersionKey) + " and " +
                            std::string(kCapabilitiesKey) + " into params._meta"};
  error.data = "{\"supported\":" + std::string(kAllRevisionsJson) + "}";
  return error;
}

bool HasValidModernEnvelope(const Message& message) {
  if (!message.has_claim) return false;
  const auto envelope = ReadModernEnvelope(message);
  return envelope && ParseRevision(envelope->version) == kModern;
}

tl::unexpected<RpcError> WithStatus(int http_status, RpcError error) {
  error.http_status = http_status;
  return tl::unexpected(std::move(error));
}

tl::expected<Routed, RpcError> RouteModern(const Message& message, const HttpCaller* http) {
  auto envelope = ReadModernEnvelope(message);
  if (!envelope) return WithStatus(400, std::move(envelope).error());
  if (auto agree = CheckPresentHeaders(http, envelope->version, message.method); !agree) {
    return tl::unexpected(std::move(agree).error());
  }
  if (envelope->version != Name(kModern)) {
    return WithStatus(400, UnsupportedVersion(envelope->version));
  }
  if (auto complete = CheckRequiredHeaders(http); !complete) {
    return tl::unexpected(std::move(complete).error());
  }
  const auto method = ParseMethod(message.method);
  if (!method || IsLegacyOnly(*method)) return WithStatus(404, UnknownMethod(message.method));
  return Routed{.method = *method, .revision = kModern, .envelope = *std::move(envelope)};
}

tl::expected<Routed, RpcError> RouteLegacy(const Message& message,
                                           std::optional<Revision> negotiated) {
  auto method = ParseMethod(message.method);
  if (method && IsTaskMethod(*method)) method.reset();
  if (method && IsModernOnly(*method)) return WithStatus(400, MissingEnvelope(message.method));
  if (!negotiated && method != Method::kPing) return tl::unexpected(NotInitialized());
  if (!method) return tl::unexpected(UnknownMethod(message.method));
  auto envelope = ReadLegacyEnvelope(message);
  if (!envelope) return tl::unexpected(std::move(envelope).error());
  return Routed{.method = *method,
                .revision = negotiated.value_or(kNewestLegacy),
                .envelope = *std::move(envelope)};
}

}  // namespace

bool IsHandshake(const Message& message) {
  return message.method == Name(Method::kInitialize) && !HasValidModernEnvelope(message);
}

tl::expected<Routed, RpcError> RouteRequest(const Message& message,
                                            std::optional<Revision> negotiated,
                                            const HttpCaller* http) {
  if (message.malformed_params != nullptr) {
    return tl::unexpected(
        RpcError{.code = rpc::kInvalidParams, .message = message.malformed_params});
  }
  if (IsHandshake(message)) {
    return Routed{.method = Method::kInitialize, .revision = kNewestLegacy, .envelope = {}};
  }
  if (message.has_claim) return RouteModern(message, http);
  return RouteLegacy(message, negotiated);
}

}  // namespace ducat::mcp
