// Whether a request is served at all: what it names, its caller's scopes and rate, and the load.
#include <algorithm>

#include "mcp/error_mapping.h"
#include "mcp/server.h"

namespace ducat::mcp {
namespace {

// Null: there is no such thing, which is for its handler to say.
template <class Range, class Fits>
const Scopes* ScopesOf(const Range& range, Fits fits) {
  const auto found = std::ranges::find_if(range, fits);
  return found == range.end() ? nullptr : &found->scopes;
}

std::string_view TextOf(json::View object, std::string_view key) {
  const auto value = object.Find(key);
  return value ? value->AsString().value_or("") : std::string_view();
}

const Scopes* ScopesOfPrompt(const Registry& registry, std::string_view name) {
  return ScopesOf(registry.prompts(), [name](const Prompt& prompt) { return prompt.name == name; });
}

const Scopes* ScopesOfResource(const Registry& registry, std::string_view uri) {
  return ScopesOf(registry.resources(), [uri](const ResourceProvider& provider) {
    return provider.owns && provider.owns(uri);
  });
}

// What completes an argument needs what its prompt or template needs.
const Scopes* ScopesOfReference(const Registry& registry, json::View reference) {
  if (TextOf(reference, "type") == "ref/prompt") {
    return ScopesOfPrompt(registry, TextOf(reference, "name"));
  }
  const std::string_view uri = TextOf(reference, "uri");
  return ScopesOf(registry.resources(), [uri](const ResourceProvider& provider) {
    return std::ranges::any_of(provider.templates, [uri](const ResourceTemplate& known) {
      return known.uri_template == uri;
    });
  });
}

// What a task's result needs is what its call needed.
const Scopes* ScopesOfTask(const Tasks& tasks, const Request& request) {
  const auto task = tasks.Find(TextOf(request.params, "taskId"), request.context.principal);
  return task ? &task->scopes : nullptr;
}

const Scopes* NeededScopes(const Registry& registry, const Tasks& tasks, const Request& request) {
  switch (request.method) {
    case Method::kTasksGet:
    case Method::kTasksUpdate:
    case Method::kTasksCancel:
      return ScopesOfTask(tasks, request);
    case Method::kToolsCall:
      return &request.tool->info.scopes;
    case Method::kPromptsGet:
      return ScopesOfPrompt(registry, TextOf(request.params, "name"));
    case Method::kResourcesRead:
    case Method::kResourcesSubscribe:
      return ScopesOfResource(registry, TextOf(request.params, "uri"));
    case Method::kComplete:
      return ScopesOfReference(registry, request.params.Find("ref").value_or(json::View()));
    default:
      return nullptr;
  }
}

Error OverloadedError(std::string message) {
  return {.code = ErrorCode::kResourceExhausted,
          .reason = std::string(reason::kOverloaded),
          .message = std::move(message),
          .hint = "Wait for running calls to end, then send this one again.",
          .data = {}};
}

}  // namespace

// In the order of protocol.md 3.1.
std::optional<Server::Reply> Server::WhyNotServed(Request& request) {
  const bool is_call = request.method == Method::kToolsCall;
  if (is_call) {
    if (auto prepared = PrepareToolCall(request); !prepared) {
      return tl::unexpected(std::move(prepared).error());
    }
  }
  if (auto forbidden = WhyForbidden(request)) return tl::unexpected(*std::move(forbidden));
  if (auto too_often = WhyTooOften(request)) return too_often;
  const auto overloaded = is_call ? WhyOverloaded(request) : std::nullopt;
  if (overloaded) return ToolFailure(request, *overloaded);
  return std::nullopt;
}

std::optional<RpcError> Server::WhyForbidden(const Request& request) const {
  if (!request.grant) return std::nullopt;
  const Scopes* needed = NeededScopes(registry_, tasks_, request);
  if (needed == nullptr || MayUse(request.grant, *needed)) return std::nullopt;
  const std::string names = JoinScopes(*needed);
  if (request.http != nullptr) request.http->NeedsScopes(names);
  return RpcError{.code = rpc::kInvalidRequest,
                  .message = "The token does not have the scopes that this needs: " + names,
                  .http_status = 403};
}

std::optional<int64_t> Server::TakeRate(std::string_view principal) {
  return rate_.Take(principal, timers_.clock().Now());
}

std::optional<Server::Reply> Server::WhyTooOften(Request& request) {
  const auto seconds = TakeRate(request.context.principal);
  if (!seconds) return std::nullopt;
  const std::string after = "\"retryAfter\":" + std::to_string(*seconds);
  if (request.method == Method::kToolsCall) {
    const Error error{.code = ErrorCode::kResourceExhausted,
                      .reason = std::string(reason::kRateLimited),
                      .message = "You send more requests than you may.",
                      .hint = "Send this one again in " + std::to_string(*seconds) + " s.",
                      .data = after};
    return ToolFailure(request, error);
  }
  if (request.http != nullptr) request.http->RetryAfter(*seconds);
  return tl::unexpected(RpcError{.code = rpc::kRateLimited,
                                 .message = "Too many requests",
                                 .data = "{" + after + "}",
                                 .http_status = 429});
}

std::optional<Error> Server::WhyOverloaded(const Request& request) const {
  const Limits& limits = options_.limits;
  if (calls_running_ >= limits.calls_running_max &&
      calls_waiting_.size() >= limits.calls_waiting_max) {
    return OverloadedError("The server runs as many calls as it may.");
  }
  const auto own = calls_of_principal_.find(request.context.principal);
  if (own == calls_of_principal_.end() || own->second < limits.calls_per_principal_max) {
    return std::nullopt;
  }
  return OverloadedError("You have " + std::to_string(own->second) +
                         " calls in flight, as many as one client may have.");
}

}  // namespace ducat::mcp
