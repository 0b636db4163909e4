// `ducat tools`: what tools/list shows, for people, programs and the reference page.
#include <string>

#include "app/commands.h"
#include "app/tool_page.h"
#include "app/version.h"
#include "json/view.h"
#include "mcp/server.h"

namespace ducat::app {

Result<int> ShowTools(AnalystHost& host, const CommandLine& line, Terminal& terminal) {
  if (line.json) {
    mcp::ServerOptions options;
    options.info.version = kVersion;
    mcp::Server server(host.loop().get_executor(), host.registry(), host.clock(), host.log(),
                       std::move(options));
    terminal.Out(server.ToolsJson(mcp::kModern) + "\n");
    return kExitOk;
  }
  if (line.markdown) {
    terminal.Out(ToolReference(host.registry(), "analyst"));
    return kExitOk;
  }
  std::string text;
  for (const auto& tool : host.registry().tools()) {
    const std::string& description = tool->info.description;
    text += tool->info.name + "\n    " + description.substr(0, description.find('\n')) + "\n";
  }
  terminal.Out(text);
  return kExitOk;
}

}  // namespace ducat::app
