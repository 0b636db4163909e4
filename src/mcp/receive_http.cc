// The ladder of protocol.md 3 as a POST climbs it: which session the body belongs to, and the
// status of what is refused on the way. From there on a request is like any other.
#include <utility>

#include "mcp/mirror_headers.h"
#include "mcp/server.h"
#include "mcp/wide_integers.h"

namespace ducat::mcp {
namespace {

RpcError InvalidRequest(std::string message) {
  return {.code = rpc::kInvalidRequest, .message = std::move(message), .http_status = 400};
}

// Older clients want an id even when none could be read.
bool WantsNullId(const HttpCaller& http) {
  const auto version = http.Header(kVersionHeader);
  return !version || *version < Name(Revision::k20251125);
}

void RefusePost(HttpCaller& http, std::string_view id, const RpcError& error) {
  if (id.empty() && WantsNullId(http)) id = "null";
  http.outbox().Refuse(EncodeError(id, error), error.http_status);
}

// The envelope of a modern notification, as far as it is there.
Params<void> CheckNotification(const Message& message, const HttpCaller& http) {
  std::string_view version = Name(kModern);
  if (message.has_claim) {
    const auto envelope = ReadModernEnvelope(message);
    if (!envelope) {
      RpcError error = envelope.error();
      error.http_status = 400;
      return tl::unexpected(std::move(error));
    }
    version = envelope->version;
  }
  return CheckPresentHeaders(&http, version, message.method);
}

}  // namespace

void Server::ReceiveHttp(std::string_view text, HttpCaller& http) {
  const auto root =
      ParseWithWideIntegers(document_, text, ArgumentsAt::kMessages, options_.limits.json);
  if (!root) {
    RefusePost(http, ScanId(text), NotParsed(root.error()));
  } else if (root->IsArray()) {
    ReceiveHttpBatch(*root, http);
  } else {
    ReceiveHttpOne(*root, ScanId(text), http);
  }
  ReleaseDocument(text.size());
}

void Server::ReceiveHttpBatch(json::View array, HttpCaller& http) {
  if (std::string why = WhyNoBatch(array); !why.empty()) {
    return RefusePost(http, "", InvalidRequest(std::move(why)));
  }
  const auto session = http.FindSession();
  if (!session) return RefusePost(http, "", session.error());
  const auto revision = (*session)->legacy.revision;
  if (!revision || !HasBatches(*revision)) {
    return RefusePost(http, "", InvalidRequest("Only revision 2025-03-26 has batches"));
  }
  BeginBatch(array, {.session = **session, .outbox = http.outbox(), .http = &http});
}

void Server::ReceiveHttpOne(json::View value, std::string id, HttpCaller& http) {
  std::string key = IdKey(value.Find("id").value_or(json::View()));
  if (id.empty()) id = key;
  const auto message = DecodeMessage(value, id);
  if (!message) {
    RpcError error = message.error();
    error.http_status = 400;
    return RefusePost(http, id, error);
  }
  switch (message->kind) {
    case Message::Kind::kResponse:
      return ReceiveHttpAnswer(value, key, http);
    case Message::Kind::kNotification:
      return ReceiveHttpNotification(*message, http);
    case Message::Kind::kRequest:
      return ReceiveHttpRequest(*message, std::move(key), http);
  }
}

void Server::ReceiveHttpAnswer(json::View value, const std::string& key, HttpCaller& http) {
  const auto session = http.FindSession();
  if (!session) return RefusePost(http, key, session.error());
  if (ReceiveAnswer(value, key, **session)) return http.outbox().Close();
  RefusePost(http, key, InvalidRequest("No request of the server waits for this"));
}

void Server::ReceiveHttpNotification(const Message& message, HttpCaller& http) {
  if (message.has_claim || NamesModern(&http)) {
    if (auto checked = CheckNotification(message, http); !checked) {
      return RefusePost(http, "", checked.error());
    }
    return http.outbox().Close();
  }
  const auto session = http.FindSession();
  if (!session) return RefusePost(http, "", session.error());
  ReceiveNotification(message, **session);
  http.outbox().Close();
}

void Server::ReceiveHttpRequest(const Message& message, std::string key, HttpCaller& http) {
  const auto refuse = [&](const RpcError& error) { RefusePost(http, message.id, error); };
  const auto begin = [&](Session& session) {
    ReceiveRequest(message, std::move(key),
                   {.session = session, .outbox = http.outbox(), .http = &http});
  };
  if (IsHandshake(message)) {
    if (NamesModern(&http)) {
      return refuse({.code = rpc::kHeaderMismatch,
                     .message = "Revision 2026-07-28 has no initialize: the header " +
                                std::string(kVersionHeader) + " must not name it",
                     .http_status = 400});
    }
    const auto opened = http.OpenSession();
    return opened ? begin(**opened) : refuse(opened.error());
  }
  if (message.has_claim) return begin(http.OwnSession());
  const auto method = ParseMethod(message.method);
  if (NamesModern(&http) || (method && IsModernOnly(*method))) {
    RpcError error = MissingEnvelope(message.method);
    error.http_status = 400;
    return refuse(error);
  }
  const auto found = http.FindSession();
  return found ? begin(**found) : refuse(found.error());
}

}  // namespace ducat::mcp
