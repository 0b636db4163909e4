#include "app/observers.h"

#include <utility>

namespace ducat::app {

Result<std::unique_ptr<AuditLog>> OpenAudit(AnalystHost& host, Metrics* metrics) {
  const AuditSettings& audit = host.settings().audit;
  if (audit.path.empty()) return nullptr;
  AuditOptions options{.path = audit.path,
                       .key = audit.key,
                       .required = audit.required,
                       .on_failure = [&log = host.log(), metrics](const Error& error) {
                         log.Write(LogLevel::kError, error.message, {{"reason", error.reason}});
                         if (metrics != nullptr) metrics->AuditFailed();
                       }};
  return AuditLog::Open(host.clock(), std::move(options));
}

void ReopenAudit(AuditLog& audit, AnalystHost& host, Metrics& metrics) {
  if (const Status opened = audit.Reopen(); !opened) {
    metrics.ReloadFailed("audit");
    host.log().Write(LogLevel::kError, "the audit log cannot be opened again, the old file holds",
                     {{"detail", opened.error().message}});
  }
}

MetricStates StatesOf(const AnalystHost& host, const mcp::Server& server,
                      const transport::HttpServer& http) {
  return {.connections = http.connections(),
          .requests_in_flight = http.requests_in_flight(),
          .calls_waiting = host.pool().waiting(),
          .sessions = http.sessions(),
          .subscriptions = server.listen_streams(),
          .tasks = server.TaskCounts()};
}

}  // namespace ducat::app
