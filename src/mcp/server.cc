#include "mcp/server.h"

#include <utility>

namespace ducat::mcp {
namespace {

RpcError InvalidRequest(std::string message) {
  return {.code = rpc::kInvalidRequest, .message = std::move(message)};
}

// The text is no message at all; which rung depends on whether it was JSON.
RpcError NotParsed(const Error& error) {
  const bool limit = error.reason == "json_limit";
  return {.code = limit ? rpc::kInvalidRequest : rpc::kParseError, .message = error.message};
}

}  // namespace

Server::Server(boost::asio::any_io_executor executor, Registry& registry, const Clock& clock,
               Log& log, ServerOptions options)
    : executor_(executor),
      registry_(registry),
      log_(log),
      options_(std::move(options)),
      timers_(std::move(executor), clock),
      lists_(registry, options_.limits),
      subscriptions_(registry, options_.limits, timers_) {
  modern_meta_ = "\"" + std::string(kServerInfoKey) + "\":";
  json::JsonWriter writer(modern_meta_);
  AppendServerInfo(options_.info, kModern, writer);
  registry_.OnChange([this](Registry::Change kind) { subscriptions_.OnChange(kind); });
  registry_.OnResourceUpdated([this](std::string_view uri) { subscriptions_.OnUpdated(uri); });
}

Server::~Server() {
  registry_.OnChange(nullptr);
  registry_.OnResourceUpdated(nullptr);
}

void Server::Receive(std::string_view text, Session& session) {
  const auto root = document_.Parse(text);
  if (!root) {
    return Send(session, nullptr, EncodeError(ScanId(text), NotParsed(root.error())));
  }
  if (root->IsArray()) return ReceiveBatch(*root, session);
  ReceiveOne(*root, ScanId(text), session, nullptr);
}

void Server::Refuse(const RpcError& error, Session& session) {
  Send(session, nullptr, EncodeError("", error));
}

void Server::ReceiveBatch(json::View array, Session& session) {
  const size_t size = array.Size();
  const auto refuse = [&](std::string why) {
    Send(session, nullptr, EncodeError("", InvalidRequest(std::move(why))));
  };
  if (size == 0) return refuse("A batch must not be empty");
  if (size > options_.limits.batch_max) {
    return refuse("A batch takes at most " + std::to_string(options_.limits.batch_max) +
                  " messages");
  }
  bool claimed = false;
  array.ForEachElement([&](json::View element) {
    claimed = HasClaim(element);
    return !claimed;
  });
  if (claimed) return refuse("Revision 2026-07-28 has no batches");
  if (!session.legacy.revision || !HasBatches(*session.legacy.revision)) {
    return refuse("Only revision 2025-03-26 has batches");
  }
  const auto batch = std::make_shared<Batch>(session.outbox(), size);
  array.ForEachElement([&](json::View element) {
    const json::View id = element.Find("id").value_or(json::View());
    ReceiveOne(element, IdKey(id), session, batch);
    return true;
  });
}

void Server::ReceiveOne(json::View value, std::string id, Session& session,
                        const std::shared_ptr<Batch>& batch) {
  auto message = DecodeMessage(value, id);
  if (!message) return Send(session, batch, EncodeError(id, message.error()));
  switch (message->kind) {
    case Message::Kind::kResponse:
      return Send(session, batch,
                  EncodeError(id, InvalidRequest("No request of the server waits for this")));
    case Message::Kind::kNotification:
      ReceiveNotification(*message, session);
      if (batch) batch->Settle("");
      return;
    case Message::Kind::kRequest:
      const json::View id_value = value.Find("id").value_or(json::View());
      return ReceiveRequest(*message, IdKey(id_value), session, batch);
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

void Server::ReceiveRequest(const Message& message, std::string key, Session& session,
                            const std::shared_ptr<Batch>& batch) {
  const auto refuse = [&](const RpcError& error) {
    Send(session, batch, EncodeError(message.id, error));
  };
  auto routed = RouteRequest(message, session.legacy.revision);
  if (!routed) return refuse(routed.error());
  const Method method = routed->method;
  if (!Advertised(method)) {
    return refuse({.code = rpc::kMethodNotFound,
                   .message = "Method not found: " + std::string(message.method)});
  }
  if (batch && method == Method::kInitialize) {
    return refuse(InvalidRequest("initialize may not be part of a batch"));
  }
  if (MayTakeTime(method) || method == Method::kListen) {
    if (session.Find(key) || subscriptions_.Has(session, key)) {
      return refuse(InvalidRequest("A request with this id is in flight"));
    }
    if (MayTakeTime(method) && session.in_flight() >= options_.limits.in_flight_max) {
      return refuse({.code = rpc::kOverloaded,
                     .message = "More than " + std::to_string(options_.limits.in_flight_max) +
                                " requests in flight: wait for an answer",
                     .data = R"({"retryAfter":1})"});
    }
  }
  Begin(MakeRequest(message, *std::move(routed), std::move(key), session, batch));
}

void Server::Send(Session& session, const std::shared_ptr<Batch>& batch, std::string message) {
  if (batch) return batch->Settle(message);
  session.outbox().Send(Outbox::Kind::kReply, std::move(message));
}

Server::RequestPtr Server::MakeRequest(const Message& message, Routed routed, std::string key,
                                       Session& session, const std::shared_ptr<Batch>& batch) {
  auto request = std::make_shared<Request>();
  request->session = &session;
  request->outbox = &session.outbox();
  request->batch = batch;
  request->id = message.id;
  request->key = std::move(key);
  request->method = routed.method;
  request->revision = routed.revision;
  request->params = message.params;
  request->started_at = timers_.clock().Now();
  request->log_threshold = IsModern(routed.revision) ? routed.envelope.log_level
                                                     : std::optional(session.legacy.log_threshold);
  WireContext(request, std::move(routed.envelope.progress_token));
  return request;
}

}  // namespace ducat::mcp
