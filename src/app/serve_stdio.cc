// `ducat analyst`: one MCP client on stdin and stdout.
#include "app/commands.h"
#include "app/observers.h"
#include "app/version.h"
#include "mcp/server.h"
#include "transport/stdio.h"

namespace ducat::app {

Result<int> ServeStdio(AnalystHost& host) {
  TRY_ASSIGN(const transport::StdioDescriptors descriptors, transport::ClaimStdio());
  TRY_ASSIGN(const std::unique_ptr<AuditLog> audit, OpenAudit(host, nullptr));
  mcp::ServerOptions options;
  if (audit) options.observers.push_back(audit.get());
  options.info.version = kVersion;
  options.limits = host.settings().protocol;
  options.request_state_key = host.settings().request_state_key;
  mcp::Server server(host.loop().get_executor(), host.registry(), host.clock(), host.log(),
                     std::move(options));
  transport::StdioOptions stdio{.limits = host.settings().stdio, .after_first_reply = {}};
  stdio.after_first_reply = [&host] { host.StartLater(); };
  return transport::RunStdio(host.loop(), server, descriptors, std::move(stdio));
}

}  // namespace ducat::app
