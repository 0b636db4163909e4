#include "asking_tools.h"

#include <array>
#include <chrono>
#include <utility>

namespace ducat::testing {
namespace {

using mcp::CallContext;
using mcp::InputAnswer;

struct Nothing {
  static constexpr std::array<json::Field, 0> Fields() { return {}; }
};
struct Greeting {
  std::string greeting;
  static constexpr auto Fields() {
    return std::array{json::Describe<&Greeting::greeting>("greeting", "To whoever was named.")};
  }
};

Task<Greeting> Greet(Nothing, CallContext& context) {
  mcp::InputRequest form = mcp::ElicitForm(
      "What is your name?",
      R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})");
  CO_TRY_ASSIGN(const InputAnswer answer, co_await context.Ask("name", std::move(form)));
  co_return Greeting{.greeting = answer.Action() + " " + answer.Field("name").value_or("nobody")};
}

void Render(const Greeting& out, mcp::Text& text) {
  text.Add(out.greeting);
}

}  // namespace

void AddAskingTools(McpFixture& fixture) {
  mcp::ToolInfo info{.name = "greet", .title = "Greet", .description = "Asks for a name."};
  info.asks = true;
  CHECK(fixture.registry.AddTool(mcp::MakeTool<Nothing, Greeting>(info, Greet, Render)));
  info.name = "greet_later";
  info.title = "Greet later";
  info.description = "Asks for a name as a task.";
  info.tasks = mcp::TaskMode::kAtOnce;
  CHECK(fixture.registry.AddTool(mcp::MakeTool<Nothing, Greeting>(info, Greet, Render)));
  // Nobody is to hear of these changes.
  fixture.Advance(std::chrono::milliseconds(1'000));
}

}  // namespace ducat::testing
