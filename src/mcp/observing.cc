// What the observers of calls are told (protocol.md 15): one record for each tool call, resource
// read and prompt, whether it ran or was refused. Without observers nothing is kept.
#include <algorithm>

#include "base/text.h"
#include "json/canonical.h"
#include "mcp/server.h"

namespace ducat::mcp {

void Server::StartObserving(Request& request) const {
  if (options_.observers.empty()) return;
  request.observed = std::make_unique<ObservedCall>();
  const bool is_read = request.method == Method::kResourcesRead;
  const auto name = request.params.Find(is_read ? "uri" : "name");
  const std::string_view target = name ? name->AsString().value_or("") : "";
  request.observed->target = ClipUtf8(target, options_.limits.uri_bytes_max);
  if (std::ranges::none_of(options_.observers, &CallObserver::wants_arguments)) return;
  const auto arguments = request.params.Find("arguments");
  request.observed->arguments =
      arguments && !arguments->IsNull() ? json::CanonicalJson(*arguments) : "{}";
}

std::optional<Error> Server::WhyNotRecorded() const {
  for (CallObserver* observer : options_.observers) {
    if (Status may = observer->MayBegin(); !may) return std::move(may).error();
  }
  return std::nullopt;
}

void Server::TellObservers(Request& request, size_t reply_bytes) const {
  const std::unique_ptr<ObservedCall> observed = std::move(request.observed);
  if (!observed) return;
  const CallContext& context = request.context;
  const bool is_call = request.method == Method::kToolsCall;
  const CallRecord record{.request_id = context.request_id,
                          .transport = request.transport,
                          .remote = context.remote,
                          .session = context.session_id,
                          .principal = context.principal,
                          .tenant = context.tenant,
                          .method = request.method,
                          .revision = request.revision,
                          .target = observed->target,
                          .is_known = !is_call || request.tool != nullptr,
                          .arguments = observed->arguments,
                          .took = std::chrono::duration_cast<std::chrono::microseconds>(
                              timers_.clock().Now() - request.started_at),
                          .outcome = observed->outcome,
                          .code = observed->code,
                          .reason = observed->reason,
                          .trace = context.trace.parent,
                          .repairs = context.repairs,
                          .bytes = reply_bytes,
                          .rows = observed->rows};
  for (CallObserver* observer : options_.observers) {
    observer->Ended(record);
  }
}

}  // namespace ducat::mcp
