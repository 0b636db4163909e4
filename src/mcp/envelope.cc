#include "mcp/envelope.h"

#include <utility>

#include "json/writer.h"

namespace ducat::mcp {
namespace {

tl::unexpected<RpcError> Invalid(std::string message) {
  return tl::unexpected(RpcError{.code = rpc::kInvalidParams, .message = std::move(message)});
}

std::string InMeta(std::string_view key, std::string_view rule) {
  return "params._meta[\"" + std::string(key) + "\"] " + std::string(rule);
}

bool IsPlainString(const std::optional<json::View>& value) {
  return value && value->IsString();
}

tl::expected<std::string, RpcError> ReadProgressToken(json::View meta) {
  const auto token = meta.Find("progressToken");
  if (!token) return std::string();
  if (token->IsString() || token->type() == json::Type::kInteger ||
      token->type() == json::Type::kUnsigned) {
    return token->ToJson();
  }
  return Invalid("params._meta.progressToken must be a string or an integer");
}

tl::expected<std::optional<LogLevel>, RpcError> ReadLogLevel(json::View meta) {
  const auto value = meta.Find(kLogLevelKey);
  if (!value) return std::optional<LogLevel>();
  const auto text = value->AsString();
  const auto level = text ? ParseProtocolLogLevel(*text) : std::nullopt;
  if (!level) return Invalid(InMeta(kLogLevelKey, "must be one of the eight RFC 5424 levels"));
  return level;
}

}  // namespace

tl::expected<Envelope, RpcError> ReadModernEnvelope(const Message& message) {
  const json::View meta = message.meta;
  Envelope envelope;
  const auto version = meta.Find(kVersionKey);
  if (!IsPlainString(version)) return Invalid(InMeta(kVersionKey, "must be a string"));
  envelope.version = *version->AsString();
  const auto capabilities = meta.Find(kCapabilitiesKey);
  if (!capabilities || !capabilities->IsObject()) {
    return Invalid(InMeta(kCapabilitiesKey, "must be an object"));
  }
  envelope.capabilities = *capabilities;
  if (const auto info = meta.Find(kClientInfoKey);
      info && !(IsPlainString(info->Find("name")) && IsPlainString(info->Find("version")))) {
    return Invalid(InMeta(kClientInfoKey, "must be an object with the strings name and version"));
  }
  auto level = ReadLogLevel(meta);
  if (!level) return tl::unexpected(std::move(level).error());
  envelope.log_level = *level;
  auto token = ReadProgressToken(meta);
  if (!token) return tl::unexpected(std::move(token).error());
  envelope.progress_token = *std::move(token);
  return envelope;
}

tl::expected<Envelope, RpcError> ReadLegacyEnvelope(const Message& message) {
  auto token = ReadProgressToken(message.meta);
  if (!token) return tl::unexpected(std::move(token).error());
  Envelope envelope;
  envelope.progress_token = *std::move(token);
  return envelope;
}

std::optional<LogLevel> ParseProtocolLogLevel(std::string_view text) {
  const auto level = ParseLogLevel(text);
  return level && *level != LogLevel::kSilent && text != "warn" ? level : std::nullopt;
}

ClientCapabilities ReadClientCapabilities(json::View capabilities) {
  const auto has = [capabilities](std::string_view name) {
    const auto value = capabilities.Find(name);
    return value && value->IsObject();
  };
  const json::View elicitation = capabilities.Find("elicitation").value_or(json::View());
  const bool only_urls = elicitation.Find("url") && !elicitation.Find("form");
  const json::View extensions = capabilities.Find("extensions").value_or(json::View());
  return {.sampling = has("sampling"),
          .elicitation = elicitation.IsObject() && !only_urls,
          .roots = has("roots"),
          .tasks = extensions.Find(kTasksExtension).has_value()};
}

RpcError MissingTasksExtension(std::string_view what) {
  return {.code = rpc::kMissingCapability,
          .message = std::string(what) + " needs the extension " + std::string(kTasksExtension) +
                     " in this request's capabilities",
          .data = R"({"requiredCapabilities":{"extensions":{")" + std::string(kTasksExtension) +
                  R"(":{}}}})",
          .http_status = 400};
}

RpcError MissingEnvelope(std::string_view method) {
  RpcError error{.code = rpc::kInvalidParams,
                 .message = std::string(method) +
                            " belongs to revision 2026-07-28: put the keys in data.missing into "
                            "params._meta"};
  json::JsonWriter writer(error.data);
  writer.BeginObject();
  writer.Key("missing");
  writer.BeginArray();
  writer.String(kVersionKey);
  writer.String(kCapabilitiesKey);
  writer.EndArray();
  writer.RawField("supported", kModernRevisionsJson);
  writer.EndObject();
  return error;
}

}  // namespace ducat::mcp
