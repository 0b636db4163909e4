#include "mcp/subscriptions.h"

#include <algorithm>
#include <utility>

#include "json/writer.h"
#include "mcp/envelope.h"
#include "mcp/message.h"

namespace ducat::mcp {
namespace {

constexpr std::array<std::string_view, 3> kFilterNames{"toolsListChanged", "promptsListChanged",
                                                       "resourcesListChanged"};
constexpr std::array<std::string_view, 3> kNotifications{"notifications/tools/list_changed",
                                                         "notifications/prompts/list_changed",
                                                         "notifications/resources/list_changed"};

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

void AppendNames(std::string_view key, const std::set<std::string, std::less<>>& names,
                 json::JsonWriter& out) {
  if (names.empty()) return;
  out.Key(key);
  out.BeginArray();
  for (const std::string& name : names) {
    out.String(name);
  }
  out.EndArray();
}

tl::unexpected<RpcError> TooMany(std::string message) {
  return tl::unexpected(
      RpcError{.code = rpc::kOverloaded, .message = std::move(message), .http_status = 503});
}

}  // namespace

Subscriptions::Subscriptions(const Registry& registry, const Tasks& tasks, const Limits& limits,
                             TimerQueue& timers)
    : registry_(registry), tasks_(tasks), limits_(limits), timers_(timers) {}

Params<void> Subscriptions::Listen(const Request& request, std::string_view modern_meta) {
  const json::View filter = request.params.Find("notifications").value_or(json::View());
  if (!filter.IsObject()) return InvalidParams("params.notifications must be an object");
  const json::View tasks = filter.Find("taskIds").value_or(json::View());
  if (tasks.Size() > 0 && !request.context.client.tasks) {
    return tl::unexpected(MissingTasksExtension("taskIds"));
  }
  Stream stream{.session = request.session,
                .outbox = request.outbox,
                .id = request.id,
                .key = request.key,
                .principal = request.context.principal,
                .meta = std::string(modern_meta),
                .uris = {},
                .tasks = {}};
  if (auto read = ReadFilter(filter, request.grant, stream); !read) return read;
  const auto own = std::ranges::count(streams_, stream.principal, &Stream::principal);
  if (streams_.size() >= limits_.subscriptions_max ||
      static_cast<size_t>(own) >= limits_.subscriptions_per_principal_max) {
    return TooMany("Too many subscriptions: end one first");
  }
  streams_.push_back(std::move(stream));
  Acknowledge(streams_.back());
  return {};
}

Params<void> Subscriptions::ReadFilter(json::View filter, const Grant& grant,
                                       Stream& stream) const {
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
  auto uris = ReadNames(filter, "resourceSubscriptions", [&](std::string_view uri) {
    if (CanChange(uri, grant)) stream.uris.emplace(uri);
  });
  if (!uris) return uris;
  return ReadNames(filter, "taskIds", [&](std::string_view id) {
    const auto task = tasks_.Find(id, stream.principal);
    if (task && MayUse(grant, task->scopes)) stream.tasks.emplace(id);
  });
}

Params<void> Subscriptions::ReadNames(json::View filter, std::string_view key,
                                      const std::function<void(std::string_view)>& take) const {
  const std::string path = "params.notifications." + std::string(key);
  const json::View names = filter.Find(key).value_or(json::View());
  if (names.IsNull()) return {};
  if (!names.IsArray()) return InvalidParams(path + " must be an array");
  if (names.Size() > limits_.subscribed_uris_max) {
    return TooMany("A subscription takes at most " + std::to_string(limits_.subscribed_uris_max) +
                   " " + (key == "taskIds" ? "tasks" : "URIs"));
  }
  bool strings = true;
  names.ForEachElement([&](json::View element) {
    const auto name = element.AsString();
    strings = name && name->size() <= limits_.uri_bytes_max && name->find('\0') == name->npos;
    if (strings) take(*name);
    return strings;
  });
  if (strings) return {};
  return InvalidParams(path + " must hold " + (key == "taskIds" ? "ids of tasks" : "URIs"));
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
  AppendNames("resourceSubscriptions", stream.uris, writer);
  AppendNames("taskIds", stream.tasks, writer);
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

bool Subscriptions::CanChange(std::string_view uri, const Grant& grant) const {
  return std::ranges::any_of(registry_.resources(), [&](const ResourceProvider& provider) {
    return provider.owns && provider.owns(uri) && provider.can_change && provider.can_change(uri) &&
           MayUse(grant, provider.scopes);
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

void Subscriptions::SendTask(const std::string& id, std::string_view members) {
  for (const Stream& stream : streams_) {
    if (!stream.tasks.contains(id)) continue;
    std::string message = R"({"jsonrpc":"2.0","method":"notifications/tasks","params":{"_meta":{")";
    message.append(kSubscriptionIdKey).append("\":").append(stream.id).append("},");
    message.append(members).append("}}");
    stream.outbox->Send(Outbox::Kind::kChange, std::move(message));
  }
}

}  // namespace ducat::mcp
