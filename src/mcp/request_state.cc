#include "mcp/request_state.h"

#include <utility>

#include "base/digest.h"
#include "base/ids.h"
#include "base/text.h"
#include "json/view.h"
#include "json/writer.h"

namespace ducat::mcp {
namespace {

constexpr std::string_view kPrefix = "v1.";

std::string Payload(const RequestState& state) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("principal", state.principal);
  writer.Field("method", state.method);
  writer.Field("params", state.params_digest);
  writer.Field("expires", state.expires_s);
  writer.Field("round", state.round);
  writer.Key("told");
  writer.BeginObject();
  for (const auto& [key, answer] : state.told) {
    writer.RawField(key, answer);
  }
  writer.EndObject();
  writer.EndObject();
  return out;
}

// The signature vouches for the payload's shape.
std::optional<RequestState> ReadPayload(std::string_view payload) {
  json::Document document;
  const Result<json::View> root = document.Parse(payload);
  if (!root) return std::nullopt;
  const auto text = [&root](std::string_view name) {
    return std::string(root->Find(name).value_or(json::View()).AsString().value_or(""));
  };
  const auto number = [&root](std::string_view name) {
    return root->Find(name).value_or(json::View()).AsInteger().value_or(0);
  };
  RequestState state{.principal = text("principal"),
                     .method = text("method"),
                     .params_digest = text("params"),
                     .expires_s = number("expires"),
                     .round = number("round"),
                     .told = {}};
  const json::View told = root->Find("told").value_or(json::View());
  told.ForEachMember([&](std::string_view key, json::View answer) {
    state.told.emplace(key, answer.ToJson());
    return true;
  });
  return state;
}

}  // namespace

std::string RequestStateCodec::Encode(const RequestState& state) {
  const std::string payload = Payload(state);
  return std::string(kPrefix) + Base64UrlEncode(payload) + "." + Base64UrlEncode(Sign(payload));
}

std::optional<RequestState> RequestStateCodec::Decode(std::string_view text) {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  const size_t dot = text.find('.');
  if (dot == text.npos) return std::nullopt;
  const auto payload = Base64UrlDecode(text.substr(0, dot));
  const auto signature = Base64UrlDecode(text.substr(dot + 1));
  if (!payload || !signature || !EqualInConstantTime(Sign(*payload), *signature)) {
    return std::nullopt;
  }
  return ReadPayload(*payload);
}

std::string RequestStateCodec::Sign(std::string_view payload) {
  if (key_.empty()) {
    Digest random{};
    FillRandom(random);
    key_.assign(random.begin(), random.end());
  }
  const Digest digest = HmacSha256(key_, payload);
  return {digest.begin(), digest.end()};
}

}  // namespace ducat::mcp
