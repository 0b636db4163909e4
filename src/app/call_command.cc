// `ducat call`: one tool, as an agent would call it.
#include <string>
#include <utility>

#include "app/call_arguments.h"
#include "app/commands.h"
#include "app/tool_call.h"

namespace ducat::app {
namespace {

constexpr int kExitSignalled = 128;

}  // namespace

Result<int> RunCall(AnalystHost& host, const CommandLine& line, Terminal& terminal) {
  TRY_ASSIGN(const CallWords words, ParseCallWords(line.words));
  TRY_ASSIGN(const ToolOutcome outcome, CallTool(host, words.tool, words.arguments, terminal));
  if (outcome.signal != 0) return kExitSignalled + outcome.signal;
  std::string shown = line.json ? outcome.structured : outcome.text;
  if (!shown.ends_with('\n')) shown += '\n';
  terminal.Out(shown);
  return outcome.failed ? kExitToolError : kExitOk;
}

}  // namespace ducat::app
