#include "app/tool_call.h"

#include <memory>
#include <utility>
#include <vector>

#include "app/run_to_end.h"
#include "base/ids.h"
#include "base/text.h"
#include "json/view.h"
#include "json/writer.h"
#include "mcp/error_mapping.h"
#include "mcp/wide_integers.h"

namespace ducat::app {
namespace {

Failure UnknownTool(const mcp::Registry& registry, std::string_view name) {
  if (const mcp::DisabledTool* disabled = registry.FindDisabledTool(name)) {
    return Fail(ErrorCode::kNotFound, disabled->reason,
                "There is no tool " + std::string(name) + ": " + disabled->why + ".",
                disabled->hint);
  }
  std::vector<std::string> names;
  for (const auto& tool : registry.tools()) {
    names.push_back(tool->info.name);
  }
  const std::vector<std::string> near = NearNames(name, names, 3, NearFallback::kContaining);
  return Fail(ErrorCode::kNotFound, "unknown_tool", "There is no tool " + std::string(name) + ".",
              near.empty() ? "ducat tools shows them." : "Did you mean " + near.front() + "?");
}

std::string PlainText(const mcp::Text& text) {
  std::string plain = json::Unescape(text.escaped());
  for (const std::string& notice : text.notices()) {
    plain.append("\n\n> ").append(notice);
  }
  return plain;
}

bool NoWorkerAtAll(const Error& error) {
  return error.reason == "worker_unavailable" || error.reason == "engine_version" ||
         error.reason == "engine_lockdown";
}

}  // namespace

Result<ToolOutcome> CallTool(AnalystHost& host, std::string_view tool, std::string_view arguments,
                             Terminal& terminal) {
  const std::shared_ptr<const mcp::Tool> found = host.registry().FindTool(tool);
  if (found == nullptr) return UnknownTool(host.registry(), tool);
  json::Document document;
  const Result<json::View> view =
      mcp::ParseWithWideIntegers(document, arguments, mcp::ArgumentsAt::kRoot);
  if (!view || !view->IsObject()) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_usage",
                "The tool's arguments must be a JSON object, such as '{\"name\": \"orders\"}'.");
  }
  CancelSource cancel;
  RequestIds ids;
  mcp::CallContext context;
  context.request_id = ids.Next();
  context.cancel = cancel.token();
  // A person waits as long as he likes; Ctrl-C ends it.
  context.deadline = MonotonicTime::max() - std::chrono::hours(1);
  context.wants_progress = terminal.err_is_terminal();
  context.progress = [&terminal](double done, std::optional<double> total,
                                 std::string_view message) {
    std::string line(message);
    if (total.has_value() && *total > 0) {
      line += " " + std::to_string(static_cast<int>(100 * done / *total)) + "%";
    }
    terminal.Progress(line);
  };
  Ended<mcp::Answer> ended = RunToEnd(host.loop(), cancel, found->call(*view, context));
  terminal.EndProgress();
  ToolOutcome outcome;
  outcome.signal = ended.signal;
  if (ended.result) {
    outcome.text = PlainText(ended.result->text);
    outcome.structured = std::move(ended.result->structured);
    return outcome;
  }
  const Error& error = ended.result.error();
  if (NoWorkerAtAll(error)) return Failure(error);
  if (error.code == ErrorCode::kInternal) {
    host.log().Write(LogLevel::kError, error.message, {{"rid", context.request_id}});
  }
  outcome.failed = true;
  outcome.text = mcp::ErrorText(error, found->info, context.request_id);
  outcome.structured = mcp::ErrorStructured(error, found->info, context.request_id);
  return outcome;
}

}  // namespace ducat::app
