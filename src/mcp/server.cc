#include "mcp/server.h"

#include <utility>

#include "mcp/mirror_headers.h"
#include "mcp/wide_integers.h"

namespace ducat::mcp {
namespace {

constexpr size_t kKeptTextBytes = size_t{1} << 20U;

RpcError InvalidRequest(std::string message) {
  return {.code = rpc::kInvalidRequest, .message = std::move(message)};
}

}  // namespace

Server::Server(boost::asio::any_io_executor executor, Registry& registry, const Clock& clock,
               Log& log, ServerOptions options)
    : executor_(std::move(executor)),
      registry_(registry),
      log_(log),
      options_(std::move(options)),
      timers_(executor_, clock),
      lists_(registry, options_.limits),
      request_states_(options_.request_state_key),
      tasks_(options_.limits),
      subscriptions_(registry, tasks_, options_.limits, timers_),
      rate_(options_.rate) {
  modern_meta_ = "\"" + std::string(kServerInfoKey) + "\":";
  json::JsonWriter writer(modern_meta_);
  AppendServerInfo(options_.info, kModern, writer);
  registry_.OnChange([this](Registry::Change kind) { subscriptions_.OnChange(kind); });
  registry_.OnResourceUpdated([this](std::string_view uri) { subscriptions_.OnUpdated(uri); });
}

Server::~Server() {
  registry_.OnChange(nullptr);
  registry_.OnResourceUpdated(nullptr);
  for (const auto& task : tasks_.Running()) {
    EndTask(*task, CancelCause::kShutdown);
  }
}

void Server::Origin::Reply(std::string message) const {
  if (batch) return batch->Settle(message);
  outbox.Send(Outbox::Kind::kReply, std::move(message));
}

void Server::Origin::Refuse(std::string_view id, const RpcError& error) const {
  std::string message = EncodeError(id, error);
  if (batch) return batch->Settle(message);
  outbox.Refuse(std::move(message), error.http_status);
}

RpcError Server::NotParsed(const Error& error) {
  const bool limit = error.reason == "json_limit";
  return {.code = limit ? rpc::kInvalidRequest : rpc::kParseError,
          .message = error.message,
          .http_status = 400};
}

void Server::Receive(std::string_view text, Session& session, Outbox& outbox) {
  const Origin origin{.session = session, .outbox = outbox};
  const auto root =
      ParseWithWideIntegers(document_, text, ArgumentsAt::kMessages, options_.limits.json);
  if (!root) {
    origin.Reply(EncodeError(ScanId(text), NotParsed(root.error())));
  } else if (root->IsArray()) {
    ReceiveBatch(*root, origin);
  } else {
    ReceiveOne(*root, ScanId(text), origin);
  }
  ReleaseDocument(text.size());
}

// Memory for a large message is not kept for the rest of the process's life.
void Server::ReleaseDocument(size_t text_bytes) {
  if (text_bytes > kKeptTextBytes) document_ = json::Document();
}

void Server::Refuse(const RpcError& error, Session& session) {
  session.outbox().Send(Outbox::Kind::kReply, EncodeError("", error));
}

std::string Server::WhyNoBatch(json::View array) const {
  const size_t size = array.Size();
  if (size == 0) return "A batch must not be empty";
  if (size > options_.limits.batch_max) {
    return "A batch takes at most " + std::to_string(options_.limits.batch_max) +
           " messages, not " + std::to_string(size);
  }
  bool claimed = false;
  array.ForEachElement([&](json::View element) {
    claimed = HasClaim(element);
    return !claimed;
  });
  return claimed ? "Revision 2026-07-28 has no batches" : "";
}

void Server::ReceiveBatch(json::View array, const Origin& origin) {
  std::string why = WhyNoBatch(array);
  const auto revision = origin.session.legacy.revision;
  if (why.empty() && !(revision && HasBatches(*revision))) {
    why = "Only revision 2025-03-26 has batches";
  }
  if (!why.empty()) return origin.Reply(EncodeError("", InvalidRequest(std::move(why))));
  BeginBatch(array, origin);
}

void Server::BeginBatch(json::View array, const Origin& origin) {
  const Origin element_origin{.session = origin.session,
                              .outbox = origin.outbox,
                              .batch = std::make_shared<Batch>(origin.outbox, array.Size()),
                              .http = nullptr};
  array.ForEachElement([&](json::View element) {
    ReceiveOne(element, "", element_origin);
    return true;
  });
}

void Server::ReceiveOne(json::View value, std::string id, const Origin& origin) {
  std::string key = IdKey(value.Find("id").value_or(json::View()));
  // The scan of the text does not see an id of a batch, or one whose name is written with escapes.
  if (id.empty()) id = key;
  auto message = DecodeMessage(value, id);
  if (!message) return origin.Reply(EncodeError(id, message.error()));
  switch (message->kind) {
    case Message::Kind::kResponse:
      if (!ReceiveAnswer(value, key, origin.session)) {
        return origin.Reply(
            EncodeError(id, InvalidRequest("No request of the server waits for this")));
      }
      if (origin.batch) origin.batch->Settle("");
      return;
    case Message::Kind::kNotification:
      ReceiveNotification(*message, origin.session);
      if (origin.batch) origin.batch->Settle("");
      return;
    case Message::Kind::kRequest:
      return ReceiveRequest(*message, std::move(key), origin);
  }
}

void Server::ReceiveNotification(const Message& message, Session& session) {
  if (message.method == "notifications/initialized") {
    if (session.legacy.revision) session.legacy.announced = true;
    return;
  }
  if (message.method != "notifications/cancelled") return;
  const std::string key = IdKey(message.params.Find("requestId").value_or(json::View()));
  if (key.empty() || subscriptions_.Cancel(session, key)) return;
  if (const RequestPtr request = session.Find(key)) CancelRequest(*request, CancelCause::kClient);
}

void Server::ReceiveRequest(const Message& message, std::string key, const Origin& origin) {
  const auto refuse = [&](const RpcError& error) { origin.Refuse(message.id, error); };
  auto routed = RouteRequest(message, origin.session.legacy.revision, origin.http);
  if (!routed) return refuse(routed.error());
  if (!Advertised(routed->method)) {
    return refuse({.code = rpc::kMethodNotFound,
                   .message = "Method not found: " + std::string(message.method),
                   .http_status = IsModern(routed->revision) ? 404 : 200});
  }
  if (message.has_claim) {
    if (auto named = CheckNameHeader(origin.http, message); !named) return refuse(named.error());
  }
  if (IsTaskMethod(routed->method) &&
      !ReadClientCapabilities(routed->envelope.capabilities).tasks) {
    return refuse(MissingTasksExtension(message.method));
  }
  if (origin.batch && routed->method == Method::kInitialize) {
    return refuse(InvalidRequest("initialize may not be part of a batch"));
  }
  if (routed->method == Method::kListen && origin.http != nullptr && !origin.http->TakesStream()) {
    return refuse({.code = rpc::kInvalidRequest,
                   .message = "subscriptions/listen answers with text/event-stream: accept it",
                   .http_status = 406});
  }
  if (const auto why = WhyNotNow(routed->method, key, origin.session)) return refuse(*why);
  const RequestPtr request = MakeRequest(message, *std::move(routed), std::move(key), origin);
  request->http = origin.http;
  Begin(request);
  request->http = nullptr;
}

// Only requests that live on after this step can collide or become too many.
std::optional<RpcError> Server::WhyNotNow(Method method, const std::string& key,
                                          const Session& session) const {
  if (!MayTakeTime(method) && method != Method::kListen) return std::nullopt;
  if (session.Find(key) || subscriptions_.Has(session, key)) {
    return InvalidRequest("A request with this id is in flight");
  }
  const size_t limit = options_.limits.in_flight_max;
  if (!MayTakeTime(method) || session.in_flight() < limit) return std::nullopt;
  return RpcError{
      .code = rpc::kOverloaded,
      .message = "More than " + std::to_string(limit) + " requests in flight: wait for an answer",
      .data = R"({"retryAfter":1})",
      .http_status = 503};
}

Server::RequestPtr Server::MakeRequest(const Message& message, Routed routed, std::string key,
                                       const Origin& origin) {
  auto request = std::make_shared<Request>();
  request->session = &origin.session;
  request->outbox = &origin.outbox;
  request->batch = origin.batch;
  request->id = message.id;
  request->key = std::move(key);
  request->method = routed.method;
  request->revision = routed.revision;
  request->params = message.params;
  request->transport = origin.session.transport();
  const Caller& caller = origin.session.caller();
  request->grant = caller.grant;
  request->context.principal = caller.principal;
  request->context.tenant = caller.tenant;
  request->context.remote = caller.remote;
  request->context.session_id = caller.session_id;
  request->context.turn = caller.turn.empty() ? caller.principal : caller.turn;
  request->started_at = timers_.clock().Now();
  request->log_threshold = IsModern(routed.revision)
                               ? routed.envelope.log_level
                               : std::optional(origin.session.legacy.log_threshold);
  request->context.client = IsModern(routed.revision)
                                ? ReadClientCapabilities(routed.envelope.capabilities)
                                : origin.session.legacy.client;
  if (!message.meta.IsNull()) request->context.trace = ReadTraceContext(message.meta);
  request->context.input = this;
  request->context.request = request.get();
  WireContext(request, std::move(routed.envelope.progress_token));
  return request;
}

}  // namespace ducat::mcp
