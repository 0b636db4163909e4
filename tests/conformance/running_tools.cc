// Tools that take their time: progress, logs, reconnecting, lists that change.
#include "fixtures.h"
#include "free_form_tool.h"
#include "mcp/request.h"
#include "pause.h"

namespace ducat::conformance {
namespace {

using boost::asio::io_context;
using mcp::CallContext;
using std::chrono::milliseconds;

// No tool of the product looks at its token; the suite wants to see it. Read before the first
// suspension.
std::string ProgressToken(const CallContext& context) {
  const json::View meta = context.request->params.Find("_meta").value_or(json::View());
  const json::View token = meta.Find("progressToken").value_or(json::View());
  return token.IsString() ? std::string(*token.AsString()) : token.ToJson();
}

// The steps are as far apart as the core lets progress out.
Task<mcp::Answer> Progress(io_context& loop, CallContext& context) {
  constexpr milliseconds kStep{110};
  const std::string token = ProgressToken(context);
  for (const int step : {0, 50, 100}) {
    const std::string text = "Completed step " + std::to_string(step) + " of 100";
    context.progress(step, 100, text);
    co_await Pause(loop, kStep, context.cancel);
  }
  co_return TextContent(token);
}

Task<mcp::Answer> Logs(io_context& loop, CallContext& context) {
  constexpr milliseconds kStep{20};
  for (const char* text :
       {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    context.log(LogLevel::kInfo, "ducat.conformance", text, "");
    co_await Pause(loop, kStep, context.cancel);
  }
  co_return TextContent("Three lines were logged.");
}

Task<mcp::Answer> Slow(io_context& loop, milliseconds time, CallContext& context) {
  co_await Pause(loop, time, context.cancel);
  co_return TextContent("Took " + std::to_string(time.count()) + " ms.");
}

Task<mcp::Answer> Reconnect(io_context& loop, CallContext& context) {
  context.release_stream();
  co_await Pause(loop, milliseconds(100), context.cancel);
  co_return TextContent("The client came back for this.");
}

Task<mcp::Answer> ChangeTools(mcp::Registry& registry) {
  constexpr std::string_view kExtra = "test_extra_tool";
  if (registry.FindTool(kExtra)) {
    registry.RemoveTool(kExtra);
  } else {
    Add(registry, FreeForm(std::string(kExtra), "Comes and goes.", kNoArguments,
                           [](json::View, CallContext&) -> Task<mcp::Answer> {
                             co_return TextContent("Here for now.");
                           }));
  }
  co_return TextContent("The list of tools has changed.");
}

Task<mcp::Answer> ChangePrompts(mcp::Registry& registry) {
  constexpr std::string_view kExtra = "test_extra_prompt";
  const size_t before = registry.prompts().size();
  registry.RemovePrompt(kExtra);
  if (registry.prompts().size() == before) {
    mcp::Prompt extra{.name = std::string(kExtra), .description = "Comes and goes."};
    extra.get = [](std::map<std::string, std::string>,
                   CallContext&) -> Task<std::vector<mcp::PromptBlock>> {
      std::vector<mcp::PromptBlock> blocks(1);
      blocks[0].text = "Here for now.";
      co_return blocks;
    };
    CHECK(registry.AddPrompt(std::move(extra)));
  }
  co_return TextContent("The list of prompts has changed.");
}

void AddSimple(mcp::Registry& registry, std::string name, std::string description,
               std::function<Task<mcp::Answer>(CallContext&)> run) {
  Add(registry,
      FreeForm(std::move(name), std::move(description), kNoArguments,
               [run = std::move(run)](json::View, CallContext& context) { return run(context); }));
}

}  // namespace

void AddRunningTools(mcp::Registry& registry, io_context& loop) {
  AddSimple(registry, "test_tool_with_progress", "Reports progress.",
            [&loop](CallContext& context) { return Progress(loop, context); });
  AddSimple(registry, "test_tool_with_logging", "Logs three lines.",
            [&loop](CallContext& context) { return Logs(loop, context); });
  AddSimple(registry, "test_logging_tool", "Logs where the client asked for it.",
            [&loop](CallContext& context) { return Logs(loop, context); });
  AddSimple(registry, "test_reconnection", "Lets the client's connection go, then answers.",
            [&loop](CallContext& context) { return Reconnect(loop, context); });
  AddSimple(registry, "test_trigger_tool_change", "Adds or removes a tool.",
            [&registry](CallContext&) { return ChangeTools(registry); });
  AddSimple(registry, "test_trigger_prompt_change", "Adds or removes a prompt.",
            [&registry](CallContext&) { return ChangePrompts(registry); });
  Add(registry, FreeForm("slow", "Takes its time.",
                         R"({"type":"object","properties":{"ms":{"type":"integer",)"
                         R"("description":"How long."}},"required":["ms"]})",
                         [&loop](json::View arguments, CallContext& context) {
                           const auto value = arguments.Find("ms");
                           const auto ms = value ? value->AsInteger() : std::nullopt;
                           return Slow(loop, milliseconds(ms.value_or(0)), context);
                         }));
  registry.WillChange(mcp::Registry::Change::kTools);
  registry.WillChange(mcp::Registry::Change::kPrompts);
}

}  // namespace ducat::conformance
