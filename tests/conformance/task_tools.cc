// Tools whose calls become tasks.
#include "fixtures.h"
#include "free_form_tool.h"
#include "pause.h"

namespace ducat::conformance {
namespace {

using boost::asio::io_context;
using mcp::CallContext;
using mcp::InputAnswer;
using mcp::InputRequest;
using mcp::TaskMode;
using std::chrono::milliseconds;

void AddWithMode(mcp::Registry& registry, mcp::Tool tool, TaskMode mode) {
  tool.info.tasks = mode;
  tool.info.asks = true;
  Add(registry, std::move(tool));
}

std::string ObjectOf(std::string_view properties) {
  return R"({"type":"object","properties":{)" + std::string(properties) + "}}";
}

Task<mcp::Answer> Compute(io_context& loop, milliseconds time, std::string label,
                          CallContext& context) {
  co_await Pause(loop, time, context.cancel);
  if (context.cancel.cancelled()) {
    co_return Fail(ErrorCode::kCancelled, "cancelled", "The computation was cancelled.");
  }
  co_return TextContent("Computed " + label + ".");
}

Task<mcp::Answer> FailLater(io_context& loop, CallContext& context) {
  co_await Pause(loop, milliseconds(1'000), context.cancel);
  co_return Fail(ErrorCode::kFailedPrecondition, "intended", "This job always fails.");
}

Task<mcp::Answer> BreakLater(io_context& loop, CallContext& context) {
  co_await Pause(loop, milliseconds(100), context.cancel);
  co_return Internal("this job always breaks");
}

InputRequest AskConfirm(std::string_view message) {
  return mcp::ElicitForm(message, R"({"type":"object","properties":{"confirm":{"type":"boolean"}},)"
                                  R"("required":["confirm"]})");
}

Task<mcp::Answer> Delete(std::string filename, CallContext& context) {
  InputRequest form = AskConfirm("Delete " + filename + "?");
  CO_TRY_ASSIGN(const InputAnswer answer, co_await context.Ask("confirm", std::move(form)));
  const bool yes = answer.accepted() && answer.Content() == R"({"confirm":true})";
  co_return TextContent((yes ? "Deleted " : "Kept ") + filename + ".");
}

Task<mcp::Answer> AskTwo(CallContext& context) {
  std::vector<mcp::Question> questions;
  questions.push_back({.key = "name", .request = AskText("What is your name?", "name")});
  questions.push_back({.key = "confirm", .request = AskConfirm("Go on?")});
  CO_TRY_ASSIGN(const mcp::InputAnswers answers, co_await context.AskAll(std::move(questions)));
  co_return TextContent("Answered: " + std::to_string(answers.size()));
}

Task<mcp::Answer> GreetLater(io_context& loop, CallContext& context) {
  InputRequest form = AskText("What is your name?", "name");
  CO_TRY_ASSIGN(const InputAnswer name, co_await context.Ask("user_name", std::move(form)));
  co_await Pause(loop, milliseconds(200), context.cancel);
  co_return TextContent("Hello, " + name.Field("name").value_or("whoever you are") + "!");
}

std::string Text(json::View arguments, std::string_view name) {
  const auto value = arguments.Find(name);
  return std::string(value ? value->AsString().value_or("") : "");
}

}  // namespace

void AddTaskTools(mcp::Registry& registry, io_context& loop) {
  Add(registry, FreeForm("greet", "Greets at once.", ObjectOf(R"("name":{"type":"string"})"),
                         [](json::View arguments, CallContext&) -> Task<mcp::Answer> {
                           std::string text = "Hello, " + Text(arguments, "name") + "!";
                           return [](std::string done) -> Task<mcp::Answer> {
                             co_return TextContent(done);
                           }(std::move(text));
                         }));
  AddWithMode(registry,
              FreeForm("slow_compute", "Takes some seconds.",
                       ObjectOf(R"("seconds":{"type":"number"},"label":{"type":"string"})"),
                       [&loop](json::View arguments, CallContext& context) {
                         const auto value = arguments.Find("seconds");
                         const double seconds = value ? value->AsDouble().value_or(0) : 0;
                         return Compute(loop, milliseconds(static_cast<int64_t>(seconds * 1'000)),
                                        Text(arguments, "label"), context);
                       }),
              TaskMode::kAtOnce);
  AddWithMode(registry,
              FreeForm("confirm_delete", "Asks, then deletes nothing.",
                       ObjectOf(R"("filename":{"type":"string"})"),
                       [](json::View arguments, CallContext& context) {
                         return Delete(Text(arguments, "filename"), context);
                       }),
              TaskMode::kAtOnce);
  const auto add = [&registry](std::string name, std::string description, TaskMode mode,
                               std::function<Task<mcp::Answer>(CallContext&)> run) {
    AddWithMode(
        registry,
        FreeForm(std::move(name), std::move(description), kNoArguments,
                 [run = std::move(run)](json::View, CallContext& context) { return run(context); }),
        mode);
  };
  add("failing_job", "Fails after a second.", TaskMode::kRequired,
      [&loop](CallContext& context) { return FailLater(loop, context); });
  add("protocol_error_job", "Breaks.", TaskMode::kAtOnce,
      [&loop](CallContext& context) { return BreakLater(loop, context); });
  add("multi_input", "Asks two things at once.", TaskMode::kAtOnce, AskTwo);
  add("test_tool_with_task", "Asks for a name, then takes its time.", TaskMode::kRequired,
      [&loop](CallContext& context) { return GreetLater(loop, context); });
}

}  // namespace ducat::conformance
