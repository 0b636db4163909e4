#pragma once
// The audit log as the settings ask for it, and the metrics' view of a host. Called by the commands
// that serve.

#include <memory>

#include "app/analyst_host.h"
#include "app/audit_log.h"
#include "app/metrics.h"
#include "base/result.h"
#include "mcp/server.h"
#include "transport/http/http_server.h"

namespace ducat::app {

// Null without --audit-log. Writes that fail are logged, and counted when there are metrics. Host
// and metrics outlive it. Fails with "invalid_setting".
[[nodiscard]] Result<std::unique_ptr<AuditLog>> OpenAudit(AnalystHost& host, Metrics* metrics);

// A new file at the path, after SIGHUP; a failure is logged and counted.
void ReopenAudit(AuditLog& audit, AnalystHost& host, Metrics& metrics);

[[nodiscard]] MetricStates StatesOf(const AnalystHost& host, const mcp::Server& server,
                                    const transport::HttpServer& http);

}  // namespace ducat::app
