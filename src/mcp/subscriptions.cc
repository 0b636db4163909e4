#include "mcp/subscriptions.h"

#include <algorithm>
#include <utility>

#include "json/writer.h"
#include "mcp/message.h"

namespace ducat::mcp {
namespace {

constexpr std::array<std::string_view, 3> kFilterNames{"toolsListChanged", "promptsListChanged",
                                                       "resourcesListChanged"};
constexpr std::array<std::string_view, 3> kNotifications{"notifications/tools/list_changed",
                                                         "notifications/prompts/list_changed",
                                                         "notifications/resources/list_changed"};
constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

// A notification; `subscription` is the raw id of a listen stream, empty for a legacy session.
std::string Notification(std::string_view method, std::string_view subscription,
                         std::string_view uri) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.RawField("jsonrpc", "\"2.0\"");
  writer.Field("method", method);
  if (!subscription.empty() || !uri.empty()) {
    writer.Key("params");
    writer.BeginObject();
    if (!subscription.empty()) {
      writer.Key("_meta");
      writer.BeginObject();
      writer.RawField(kSubscriptionIdKey, subscription);
      writer.EndObject();
    }
    if (!uri.empty()) writer.Field("uri", uri);
    writer.EndObject();
  }
  writer.EndObject();
  return out;
}

bool DeclaresTasks(const Request& request) {
  const json::View meta = request.params.Find("_meta").value_or(json::View());
  const json::View capabilities = meta.Find(kCapabilitiesKey).value_or(json::View());
  const json::View extensions = capabilities.Find("extensions").value_or(json::View());
  return extensions.Find(kTasksExtension).has_value();
}

tl::unexpected<RpcError> TooMany(std::string message) {
  return tl::unexpected(
      RpcError{.code = rpc::kOverloaded, .message = std::move(message), .http_status = 503});
}

}  // namespace

Subscriptions::Subscriptions(const Registry& registry, const Limits& limits, TimerQueue& timers)
    : registry_(registry), limits_(limits), timers_(timers) {}

Params<void> Subscriptions::Listen(const Request& request, std::string_view modern_meta) {
  const json::View filter = request.params.Find("notifications").value_or(json::View());
  if (!filter.IsObject()) return InvalidParams("params.notifications must be an object");
  const json::View tasks = filter.Find("taskIds").value_or(json::View());
  if (tasks.Size() > 0 && !DeclaresTasks(request)) {
    return tl::unexpected(
        RpcError{.code = rpc::kMissingCapability,
                 .message = "taskIds needs the tasks extension in this request's capabilities",
                 .data = R"({"requiredCapabilities":{"extensions":{")" +
                         std::string(kTasksExtension) + R"(":{}}}})",
                 .http_status = 400});
  }
  Stream stream{.session = request.session,
                .outbox = request.outbox,
                .id = request.id,
                .key = request.key,
                .principal = request.context.principal,
                .meta = std::string(modern_meta),
                .uris = {}};
  if (auto read = ReadFilter(filter, stream); !read) return read;
  const auto own = std::ranges::count(streams_, stream.principal, &Stream::principal);
  if (streams_.size() >= limits_.subscriptions_max ||
      static_cast<size_t>(own) >= limits_.subscriptions_per_principal_max) {
    return TooMany("Too many subscriptions: end one first");
  }
  streams_.push_back(std::move(stream));
  Acknowledge(streams_.back());
  return {};
}

Params<void> Subscriptions::ReadFilter(json::View filter, Stream& stream) const {
  for (size_t kind = 0; kind < kFilterNames.size(); ++kind) {
    const json::View value = filter.Find(kFilterNames[kind]).value_or(json::View());
    if (value.IsNull()) continue;
    const auto wanted = value.AsBoolean();
    if (!wanted) {
      return InvalidParams("params.notifications." + std::string(kFilterNames[kind]) +
                           " must be a boolean");
    }
    stream.kinds[kind] = *wanted && registry_.will_change(static_cast<Registry::Change>(kind));
  }
  const json::View uris = filter.Find("resourceSubscriptions").value_or(json::View());
  if (uris.IsNull()) return {};
  if (!uris.IsArray()) {
    return InvalidParams("params.notifications.resourceSubscriptions must be an array");
  }
  if (uris.Size() > limits_.subscribed_uris_max) {
    return TooMany("A subscription takes at most " + std::to_string(limits_.subscribed_uris_max) +
                   " URIs");
  }
  bool strings = true;
  uris.ForEachElement([&](json::View element) {
    const auto uri = element.AsString();
    strings = uri && uri->size() <= limits_.uri_bytes_max && uri->find('\0') == uri->npos;
    if (strings && CanChange(*uri)) stream.uris.emplace(*uri);
    return strings;
  });
  if (!strings) {
    return InvalidParams("params.notifications.resourceSubscriptions must hold URIs");
  }
  return {};
}

void Subscriptions::Acknowledge(const Stream& stream) const {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.RawField("jsonrpc", "\"2.0\"");
  writer.RawField("method", "\"notifications/subscriptions/acknowledged\"");
  writer.Key("params");
  writer.BeginObject();
  writer.Key("_meta");
  writer.BeginObject();
  writer.RawField(kSubscriptionIdKey, stream.id);
  writer.EndObject();
  writer.Key("notifications");
  writer.BeginObject();
  for (size_t kind = 0; kind < kFilterNames.size(); ++kind) {
    if (stream.kinds[kind]) writer.Field(kFilterNames[kind], true);
  }
  if (!stream.uris.empty()) {
    writer.Key("resourceSubscriptions");
    writer.BeginArray();
    for (const std::string& uri : stream.uris) {
      writer.String(uri);
    }
    writer.EndArray();
  }
  writer.EndObject();
  writer.EndObject();
  writer.EndObject();
  stream.outbox->Send(Outbox::Kind::kChange, std::move(out));
}

bool Subscriptions::Has(const Session& session, const std::string& key) const {
  return std::ranges::any_of(streams_, [&](const Stream& stream) {
    return stream.session == &session && stream.key == key;
  });
}

bool Subscriptions::Cancel(const Session& session, const std::string& key) {
  return std::erase_if(streams_, [&](const Stream& stream) {
           return stream.session == &session && stream.key == key;
         }) > 0;
}

void Subscriptions::Finish(const Session& session) {
  for (const Stream& stream : streams_) {
    if (stream.session != &session) continue;
    stream.outbox->Send(Outbox::Kind::kReply,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + stream.id +
                            ",\"result\":{\"resultType\":\"complete\",\"_meta\":{\"" +
                            std::string(kSubscriptionIdKey) + "\":" + stream.id + "," +
                            stream.meta + "}}}");
    stream.outbox->Send(
        Outbox::Kind::kChange,
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
            stream.id + "}}");
  }
  std::erase_if(streams_, [&](const Stream& stream) { return stream.session == &session; });
}

void Subscriptions::Leave(Session& session) {
  std::erase_if(streams_, [&](const Stream& stream) { return stream.session == &session; });
  sessions_.erase(&session);
}

bool Subscriptions::CanChange(std::string_view uri) const {
  return std::ranges::any_of(registry_.resources(), [uri](const ResourceProvider& provider) {
    return provider.owns && provider.owns(uri) && provider.can_change && provider.can_change(uri);
  });
}

Params<void> Subscriptions::Subscribe(Session& session, std::string_view uri) const {
  auto& uris = session.legacy.uris;
  if (uris.contains(uri)) return {};
  if (uris.size() >= limits_.subscribed_uris_max) {
    return TooMany("A session subscribes to at most " +
                   std::to_string(limits_.subscribed_uris_max) + " resources");
  }
  uris.emplace(uri);
  return {};
}

void Subscriptions::OnChange(Registry::Change kind) {
  bool& gathering = gathering_[static_cast<size_t>(kind)];
  if (gathering || !registry_.will_change(kind)) return;
  gathering = true;
  static_cast<void>(timers_.At(timers_.clock().Now() + limits_.change_gather,
                               [this, kind] { SendChange(kind); }));
}

void Subscriptions::OnUpdated(std::string_view uri) {
  if (gathering_uris_.contains(uri)) return;
  gathering_uris_.emplace(uri);
  static_cast<void>(timers_.At(timers_.clock().Now() + limits_.change_gather,
                               [this, copy = std::string(uri)] { SendUpdated(copy); }));
}

void Subscriptions::SendChange(Registry::Change kind) {
  const auto index = static_cast<size_t>(kind);
  gathering_[index] = false;
  for (const Stream& stream : streams_) {
    if (!stream.kinds[index]) continue;
    stream.outbox->Send(Outbox::Kind::kChange, Notification(kNotifications[index], stream.id, ""));
  }
  for (Session* session : sessions_) {
    if (!session->legacy.announced) continue;
    session->outbox().Send(Outbox::Kind::kChange, Notification(kNotifications[index], "", ""));
  }
}

void Subscriptions::SendUpdated(const std::string& uri) {
  constexpr std::string_view kUpdated = "notifications/resources/updated";
  gathering_uris_.erase(uri);
  for (const Stream& stream : streams_) {
    if (!stream.uris.contains(uri)) continue;
    stream.outbox->Send(Outbox::Kind::kChange, Notification(kUpdated, stream.id, uri));
  }
  for (Session* session : sessions_) {
    if (!session->legacy.announced || !session->legacy.uris.contains(uri)) continue;
    session->outbox().Send(Outbox::Kind::kChange, Notification(kUpdated, "", uri));
  }
}

}  // namespace ducat::mcp
