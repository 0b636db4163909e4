#pragma once
// Tools called by a person: the same function and the same limits as for an agent, with progress on
// the terminal and Ctrl-C as cancellation. Runs the host's event loop until the call has ended.

#include <string>
#include <string_view>

#include "app/analyst_host.h"
#include "app/terminal.h"
#include "base/result.h"

namespace ducat::app {

// What an agent would get, of an answer or an error alike.
struct ToolOutcome {
  bool failed = false;
  std::string text;        // plain: first block, then notices
  std::string structured;  // a JSON object
  int signal = 0;          // the signal that ended the call, else 0
};

// `arguments` is a JSON object. Fails with unknown_tool, saved_queries_disabled or invalid_usage
// (not JSON), and with worker_unavailable and its like when no tool can work; any other error of a
// tool is an outcome.
[[nodiscard]] Result<ToolOutcome> CallTool(AnalystHost& host, std::string_view tool,
                                           std::string_view arguments, Terminal& terminal);

}  // namespace ducat::app
