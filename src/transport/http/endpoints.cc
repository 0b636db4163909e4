#include "transport/http/endpoints.h"

#include <utility>

#include "base/text.h"
#include "json/writer.h"
#include "mcp/mirror_headers.h"
#include "mcp/rpc_error.h"
#include "transport/http/challenge.h"
#include "transport/http/jwt/jwt_verifier.h"

namespace ducat::transport {
namespace {

// https://prometheus.io/docs/instrumenting/exposition_formats/
constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

Response Json(int status, std::string body) {
  Response response{
      .status = status, .content_type = kJsonType, .headers = {}, .body = std::move(body)};
  AppendHeader(response.headers, "Cache-Control", "no-store");
  return response;
}

std::string Readiness(const std::vector<std::string_view>& reasons) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("status", reasons.empty() ? "ready" : "not_ready");
  if (!reasons.empty()) {
    writer.Key("reasons");
    writer.BeginArray();
    for (const std::string_view reason : reasons) {
      writer.String(reason);
    }
    writer.EndArray();
  }
  writer.EndObject();
  return out;
}

Response AnswerReady(const HttpCore& core) {
  std::vector<std::string_view> reasons;
  if (core.options.not_ready) reasons = core.options.not_ready();
  if (core.draining) reasons.insert(reasons.begin(), "draining");
  return Json(reasons.empty() ? 200 : 503, Readiness(reasons));
}

void WriteAuthentication(const HttpCore& core, const RequestHead& head, json::JsonWriter& writer) {
  const HttpOptions& options = core.options;
  writer.BeginObject();
  writer.Field("required", core.authenticator.required());
  writer.Field("type", options.jwt ? "oauth" : options.tokens ? "bearer" : "none");
  if (options.jwt) {
    writer.Key("authorization_servers");
    writer.BeginArray();
    writer.String(options.jwt->rules().issuer);
    writer.EndArray();
    writer.Field("resource_identifier", ResourceUrl(options, head));
  }
  writer.EndObject();
}

std::string ServerCard(const HttpCore& core, const RequestHead& head) {
  const mcp::ServerInfo& info = core.mcp.info();
  const mcp::Capabilities own = core.mcp.OwnCapabilities();
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("mcp_version", mcp::Name(mcp::kModern));
  writer.Field("server_name", info.name);
  writer.Field("server_version", info.version);
  writer.Field("server_description", info.description);
  writer.Key("endpoints");
  writer.BeginObject();
  writer.Field("streamable_http", ResourceUrl(core.options, head));
  writer.EndObject();
  writer.Key("capabilities");
  writer.BeginObject();
  writer.Field("tools", own.tools);
  writer.Field("resources", own.resources);
  writer.Field("prompts", own.prompts);
  writer.Field("logging", own.logging);
  writer.EndObject();
  writer.Key("authentication");
  WriteAuthentication(core, head, writer);
  writer.RawField("extensions", own.tasks ? R"({"io.modelcontextprotocol/tasks":{}})" : "{}");
  writer.Field("generated_at", Iso8601Utc(core.clock().Wall()));
  writer.EndObject();
  return out;
}

Response AnswerCard(const HttpCore& core, const RequestHead& head) {
  Response response{
      .status = 200, .content_type = kJsonType, .headers = {}, .body = ServerCard(core, head)};
  AppendHeader(response.headers, "Cache-Control", "public, max-age=3600");
  return response;
}

std::string PlainError(const Refusal& refusal) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("error", refusal.code);
  writer.Field("message", refusal.message);
  writer.EndObject();
  return out;
}

int RpcCode(int status) {
  if (status == 503) return mcp::rpc::kOverloaded;
  if (status == 429) return mcp::rpc::kRateLimited;
  return mcp::rpc::kInvalidRequest;
}

}  // namespace

Response AnswerEndpoint(Route route, const HttpCore& core, const RequestHead& head) {
  switch (route) {
    case Route::kHealth:
      return Json(200, R"({"status":"ok"})");
    case Route::kReady:
      return AnswerReady(core);
    case Route::kCard:
      return AnswerCard(core, head);
    case Route::kRobots:
      return {.status = 200,
              .content_type = "text/plain",
              .headers = {},
              .body = "User-agent: *\nDisallow: /\n"};
    case Route::kMetadata:
      return Json(200, ResourceMetadata(core.options, head, core.mcp.AllScopes()));
    case Route::kMetrics: {
      Response response = Json(200, core.options.metrics());
      response.content_type = kMetricsType;
      return response;
    }
    case Route::kMcp:
      break;
  }
  return AnswerRefusal(NothingHere(), false, nullptr);
}

Response AnswerRefusal(const Refusal& refusal, bool on_mcp, const RequestHead* head) {
  std::string body;
  if (on_mcp) {
    const auto version = head != nullptr ? head->Header(mcp::kVersionHeader) : std::nullopt;
    const bool null_id = !version || *version < mcp::Name(mcp::Revision::k20251125);
    body = mcp::EncodeError(null_id ? "null" : "",
                            {.code = RpcCode(refusal.status), .message = refusal.message});
  } else {
    body = PlainError(refusal);
  }
  Response response = Json(refusal.status, std::move(body));
  response.headers.append(refusal.headers);
  return response;
}

}  // namespace ducat::transport
