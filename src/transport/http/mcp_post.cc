#include "transport/http/mcp_post.h"

#include <utility>

#include "mcp/mirror_headers.h"
#include "transport/http/challenge.h"
#include "transport/http/response.h"

namespace ducat::transport {
namespace {

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

tl::unexpected<mcp::RpcError> Refused(int status, int code, std::string message) {
  return tl::unexpected(
      mcp::RpcError{.code = code, .message = std::move(message), .http_status = status});
}

tl::unexpected<mcp::RpcError> UnknownRevision(std::string_view named) {
  return tl::unexpected(
      mcp::RpcError{.code = mcp::rpc::kInvalidRequest,
                    .message = "The header " + std::string(mcp::kVersionHeader) +
                               " names no revision that is served: " + std::string(named),
                    .data = "{\"supported\":" + std::string(mcp::kAllRevisionsJson) + "}",
                    .http_status = 400});
}

}  // namespace

McpPost::McpPost(HttpCore& core, const RequestHead& head, mcp::Caller caller)
    : core_(core),
      head_(head),
      caller_(std::move(caller)),
      accepted_(ReadAccept(head.Header("Accept"))),
      stream_(std::make_shared<ReplyStream>(accepted_.stream, core.limits())) {}

McpPost::~McpPost() = default;

void McpPost::Receive(std::string_view body) {
  core_.mcp.ReceiveHttp(body, *this);
  if (!opened_.empty()) SettleHandshake();
}

void McpPost::FinishStreams() {
  if (own_) core_.mcp.FinishStreams(*own_);
}

std::optional<std::string_view> McpPost::Header(std::string_view name) const {
  return head_.Header(name);
}

void McpPost::NeedsScopes(std::string_view scopes) {
  const Challenge challenge{.error = "insufficient_scope", .scope = std::string(scopes)};
  AppendHeader(headers_, "WWW-Authenticate", ChallengeText(challenge, core_.options, head_));
}

void McpPost::RetryAfter(int64_t seconds) {
  AppendHeader(headers_, "Retry-After", std::to_string(seconds));
}

mcp::Session& McpPost::OwnSession() {
  return own_.emplace(core_.mcp, *stream_, "http", caller_);
}

mcp::Params<mcp::Session*> McpPost::OpenSession() {
  if (!core_.options.stateful) return &OwnSession();
  LegacySession* session = core_.sessions.Open(caller_, core_.clock().Now());
  if (session == nullptr) {
    return Refused(503, mcp::rpc::kOverloaded, "Too many sessions: end one first");
  }
  opened_ = session->id();
  stream_ = session->OpenPost(accepted_.stream, core_.clock().Now());
  return &session->core();
}

// The id goes out with a handshake that went well; a session without one is of no use.
void McpPost::SettleHandshake() {
  LegacySession* session = core_.sessions.Find(opened_, caller_.principal, core_.clock().Now());
  if (session == nullptr) return;
  if (session->core().legacy.revision) {
    AppendHeader(headers_, kSessionHeader, opened_);
  } else {
    core_.sessions.End(opened_, caller_.principal);
  }
}

mcp::Params<mcp::Session*> McpPost::FindSession() {
  if (!core_.options.stateful) return StatelessSession();
  const auto id = head_.Header(kSessionHeader);
  if (!id) {
    return Refused(400, mcp::rpc::kInvalidRequest,
                   "Send initialize first, then its Mcp-Session-Id with every message; or put " +
                       std::string(mcp::kVersionKey) + " and " +
                       std::string(mcp::kCapabilitiesKey) + " into params._meta");
  }
  LegacySession* session = core_.sessions.Find(*id, caller_.principal, core_.clock().Now());
  if (session == nullptr) {
    return Refused(404, mcp::rpc::kInvalidRequest,
                   "There is no session of this id: send initialize to open a new one");
  }
  const auto named = head_.Header(mcp::kVersionHeader);
  if (named && !mcp::ParseRevision(*named)) return UnknownRevision(*named);
  session->core().set_grant(caller_.grant);
  stream_ = session->OpenPost(accepted_.stream, core_.clock().Now());
  return &session->core();
}

mcp::Params<mcp::Session*> McpPost::StatelessSession() {
  const auto named = head_.Header(mcp::kVersionHeader);
  const auto revision =
      named ? mcp::ParseRevision(*named) : std::optional(mcp::Revision::k20250326);
  if (!revision) return UnknownRevision(*named);
  mcp::Session& session = OwnSession();
  session.legacy.revision = revision;
  session.takes_requests = false;  // its answer would be a POST of its own
  return &session;
}

}  // namespace ducat::transport
