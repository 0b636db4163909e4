#include "mcp/message.h"

#include <utility>

#include "json/fault.h"

namespace ducat::mcp {
namespace {

tl::unexpected<RpcError> Invalid(std::string message) {
  return tl::unexpected(RpcError{.code = rpc::kInvalidRequest, .message = std::move(message)});
}

bool IsIdToken(std::string_view token) {
  if (token.empty() || token.size() > 6 * kIdBytesMax + 2) return false;
  if (token.front() == '"') return token.size() >= 2 && token.back() == '"';
  // The reply has to be readable: an integer that does not fit is no id.
  return token.find_first_not_of("-0123456789") == token.npos &&
         json::JudgeNumber(token) == json::NumberForm::kFits;
}

bool IsId(json::View id) {
  switch (id.type()) {
    case json::Type::kString:
      return id.AsString()->size() <= kIdBytesMax;
    case json::Type::kInteger:
    case json::Type::kUnsigned:
      return true;
    default:
      return false;
  }
}

void ReadParams(json::View value, Message& message) {
  const json::View params = value.Find("params").value_or(json::View());
  if (params.IsObject()) {
    message.params = params;
    const json::View meta = params.Find("_meta").value_or(json::View());
    if (meta.IsObject()) {
      message.meta = meta;
      message.has_claim = meta.Find(kVersionKey).has_value();
    } else if (!meta.IsNull()) {
      message.malformed_params = "params._meta must be an object";
    }
  } else if (!params.IsNull()) {
    message.malformed_params = "params must be an object";
  }
}

}  // namespace

std::string ScanId(std::string_view text) {
  const auto token = json::ScanTopLevel(text, "id");
  return token && IsIdToken(*token) ? std::string(*token) : std::string();
}

tl::expected<Message, RpcError> DecodeMessage(json::View value, std::string id) {
  if (!value.IsObject()) return Invalid("A message must be a JSON object");
  const auto version = value.Find("jsonrpc");
  if (!version || version->AsString() != "2.0") return Invalid("jsonrpc must be \"2.0\"");
  const auto id_member = value.Find("id");
  if (id_member && !IsId(*id_member)) {
    return Invalid("id must be a string of at most 256 bytes or an integer");
  }
  Message message;
  message.id = std::move(id);
  const auto method = value.Find("method");
  if (!method) {
    if (!value.Find("result") && !value.Find("error")) {
      return Invalid("A message needs a method, a result or an error");
    }
    message.kind = Message::Kind::kResponse;
    return message;
  }
  const auto name = method->AsString();
  if (!name || name->empty() || name->size() > kMethodBytesMax) {
    return Invalid("method must be a string of 1 to 128 bytes");
  }
  message.method = *name;
  message.kind = id_member ? Message::Kind::kRequest : Message::Kind::kNotification;
  ReadParams(value, message);
  return message;
}

std::string IdKey(json::View id) {
  return IsId(id) ? id.ToJson() : std::string();
}

bool HasClaim(json::View value) {
  const auto params = value.Find("params");
  const auto meta = params ? params->Find("_meta") : std::nullopt;
  return meta && meta->Find(kVersionKey).has_value();
}

}  // namespace ducat::mcp
