// Methods that are answered at once.
#include <utility>

#include "base/text.h"
#include "mcp/completion.h"
#include "mcp/server.h"

namespace ducat::mcp {
namespace {

constexpr int64_t kDiscoverTtlMs = 3'600'000;

// An object or absent; anything else is malformed.
Params<void> OptionalObject(json::View params, std::string_view key) {
  const json::View value = params.Find(key).value_or(json::View());
  if (value.IsNull() || value.IsObject()) return {};
  return InvalidParams("params." + std::string(key) + " must be an object");
}

}  // namespace

Server::Reply Server::ServeNow(Request& request) {
  switch (request.method) {
    case Method::kInitialize:
      return Initialize(request);
    case Method::kPing:
      return ResultWriter(request.id, request.revision, modern_meta_).Finish();
    case Method::kSetLevel:
      return SetLevel(request);
    case Method::kResourcesSubscribe:
      return Subscribe(request, true);
    case Method::kResourcesUnsubscribe:
      return Subscribe(request, false);
    case Method::kDiscover:
      return Discover(request);
    case Method::kToolsList:
      return List(request, ListKind::kTools);
    case Method::kPromptsList:
      return List(request, ListKind::kPrompts);
    case Method::kResourcesList:
      return List(request, ListKind::kResources);
    case Method::kTemplatesList:
      return List(request, ListKind::kTemplates);
    case Method::kComplete:
      return Complete(request);
    case Method::kTasksGet:
      return GetTask(request);
    case Method::kTasksUpdate:
      return UpdateTask(request);
    case Method::kTasksCancel:
      return CancelTask(request);
    case Method::kListen:
    case Method::kToolsCall:
    case Method::kResourcesRead:
    case Method::kPromptsGet:
      break;
  }
  return tl::unexpected(RpcError{.message = "not served here"});
}

Server::Reply Server::Initialize(Request& request) {
  const auto requested = request.params.Find("protocolVersion");
  const auto text = requested ? requested->AsString() : std::nullopt;
  if (!text) return InvalidParams("params.protocolVersion must be a string");
  for (const std::string_view key : {"capabilities", "clientInfo"}) {
    if (auto checked = OptionalObject(request.params, key); !checked) {
      return tl::unexpected(std::move(checked).error());
    }
  }
  const auto known = ParseRevision(*text);
  const Revision revision = known && !IsModern(*known) ? *known : kNewestLegacy;
  const json::View capabilities = request.params.Find("capabilities").value_or(json::View());
  request.session->legacy = {
      .revision = revision, .uris = {}, .client = ReadClientCapabilities(capabilities)};
  ResultWriter out(request.id, revision, modern_meta_);
  out.json().Field("protocolVersion", Name(revision));
  out.json().Key("capabilities");
  AppendCapabilities(OwnCapabilities(), revision, out.json());
  out.json().Key("serverInfo");
  AppendServerInfo(options_.info, revision, out.json());
  if (const std::string instructions = Instructions(request); !instructions.empty()) {
    out.json().Field("instructions", instructions);
  }
  return out.Finish();
}

Server::Reply Server::Discover(Request& request) {
  ResultWriter out(request.id, request.revision, modern_meta_);
  out.json().RawField("supportedVersions", kModernRevisionsJson);
  out.json().Key("capabilities");
  AppendCapabilities(OwnCapabilities(), request.revision, out.json());
  if (const std::string instructions = Instructions(request); !instructions.empty()) {
    out.json().Field("instructions", instructions);
  }
  out.Cacheable(kDiscoverTtlMs, !request.grant);
  return out.Finish();
}

Server::Reply Server::SetLevel(Request& request) {
  const auto value = request.params.Find("level");
  const auto text = value ? value->AsString() : std::nullopt;
  const auto level = text ? ParseProtocolLogLevel(*text) : std::nullopt;
  if (!level) {
    return InvalidParams(
        "params.level must be one of debug, info, notice, warning, error, critical, alert, "
        "emergency");
  }
  request.session->legacy.log_threshold = *level;
  return ResultWriter(request.id, request.revision, modern_meta_).Finish();
}

Server::Reply Server::Subscribe(Request& request, bool on) {
  const auto uri =
      RequiredString(request.params, "uri", "params.uri", options_.limits.uri_bytes_max);
  if (!uri) return tl::unexpected(uri.error());
  if (!on) {
    request.session->legacy.uris.erase(std::string(*uri));
  } else if (!subscriptions_.CanChange(*uri, request.grant)) {
    RpcError error{.code = rpc::kResourceNotFound,
                   .message = "Resource " + std::string(*uri) + " cannot be subscribed to"};
    json::JsonWriter writer(error.data);
    writer.BeginObject();
    writer.Field("uri", *uri);
    writer.EndObject();
    return tl::unexpected(std::move(error));
  } else if (auto added = subscriptions_.Subscribe(*request.session, *uri); !added) {
    return tl::unexpected(std::move(added).error());
  }
  return ResultWriter(request.id, request.revision, modern_meta_).Finish();
}

Server::Reply Server::Complete(Request& request) {
  ResultWriter out(request.id, request.revision, modern_meta_);
  auto done = AppendCompletion(registry_, request.params, options_.limits, out.json());
  if (!done) return tl::unexpected(std::move(done).error());
  return out.Finish();
}

Server::Reply Server::List(Request& request, ListKind kind) {
  ResultWriter out(request.id, request.revision, modern_meta_);
  auto listed = lists_.Append(kind, request, out);
  if (!listed) return tl::unexpected(std::move(listed).error());
  return out.Finish();
}

bool Server::Advertised(Method method) const {
  switch (method) {
    case Method::kToolsList:
    case Method::kToolsCall:
      return OwnCapabilities().tools;
    case Method::kPromptsList:
    case Method::kPromptsGet:
      return OwnCapabilities().prompts;
    case Method::kResourcesList:
    case Method::kTemplatesList:
    case Method::kResourcesRead:
      return OwnCapabilities().resources;
    case Method::kResourcesSubscribe:
    case Method::kResourcesUnsubscribe:
      return OwnCapabilities().resources_subscribe;
    case Method::kComplete:
      return OwnCapabilities().completions;
    case Method::kTasksGet:
    case Method::kTasksUpdate:
    case Method::kTasksCancel:
      return registry_.offers_tasks();
    case Method::kInitialize:
    case Method::kPing:
    case Method::kSetLevel:
    case Method::kDiscover:
    case Method::kListen:
      return true;
  }
  return false;
}

Capabilities Server::OwnCapabilities() const {
  Capabilities own;
  own.tools = !registry_.tools().empty() || registry_.will_change(Registry::Change::kTools);
  own.tools_change = registry_.will_change(Registry::Change::kTools);
  own.prompts = !registry_.prompts().empty() || registry_.will_change(Registry::Change::kPrompts);
  own.prompts_change = registry_.will_change(Registry::Change::kPrompts);
  own.resources =
      !registry_.resources().empty() || registry_.will_change(Registry::Change::kResources);
  own.resources_change = registry_.will_change(Registry::Change::kResources);
  own.tasks = registry_.offers_tasks();
  for (const ResourceProvider& provider : registry_.resources()) {
    if (provider.can_change) own.resources_subscribe = true;
    if (!provider.templates.empty()) own.completions = true;
  }
  for (const Prompt& prompt : registry_.prompts()) {
    if (!prompt.arguments.empty()) own.completions = true;
  }
  return own;
}

std::string Server::Instructions(const Request& request) const {
  const std::string text = registry_.instructions(request.grant);
  return std::string(FirstCodePoints(text, options_.limits.instructions_max));
}

}  // namespace ducat::mcp
