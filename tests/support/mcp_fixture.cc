#include "support/mcp_fixture.h"

#include <array>
#include <optional>
#include <utility>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "mcp/uri_template.h"

namespace ducat::testing {
namespace {

using mcp::CallContext;
using mcp::MakeTool;
using mcp::Text;

struct EchoIn {
  std::string message;
  static constexpr auto Fields() {
    return std::array{json::Describe<&EchoIn::message>("message", "Text to give back.",
                                                       {.max_length = 1'000, .free_text = true})};
  }
};
struct EchoOut {
  std::string message;
  static constexpr auto Fields() {
    return std::array{json::Describe<&EchoOut::message>("message", "The text as it came.")};
  }
};
Task<EchoOut> Echo(EchoIn in, CallContext&) {
  co_return EchoOut{.message = std::move(in.message)};
}
void RenderEcho(const EchoOut& out, Text& text) {
  text.Add("Echo: ").Add(out.message);
}

struct SlowIn {
  int64_t ms = 0;
  bool stubborn = false;
  static constexpr auto Fields() {
    return std::array{json::Describe<&SlowIn::ms>("ms", "How long to take, in milliseconds.",
                                                  {.minimum = 0, .maximum = 1e9}),
                      json::Describe<&SlowIn::stubborn>("stubborn", "Ignore being cancelled.",
                                                        {.default_json = "false"})};
  }
};
struct SlowOut {
  int64_t ms = 0;
  static constexpr auto Fields() {
    return std::array{json::Describe<&SlowOut::ms>("ms", "How long it took, in milliseconds.")};
  }
};
// Waits on the server's clock, so that a test decides when it ends.
Task<SlowOut> Slow(std::shared_ptr<FixtureState> state, SlowIn in, CallContext& context) {
  boost::asio::steady_timer timer(state->loop, boost::asio::steady_timer::time_point::max());
  auto entry = state->timers->At(state->timers->clock().Now() + std::chrono::milliseconds(in.ms),
                                 [&] { timer.cancel(); });
  auto subscription = context.cancel.OnCancel([&](CancelCause) {
    ++state->slow_cancelled;
    if (!in.stubborn) timer.cancel();
  });
  ++state->slow_running;
  boost::system::error_code error;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, error));
  --state->slow_running;
  state->timers->Remove(entry);
  if (context.cancel.cancelled()) {
    co_return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled.");
  }
  co_return SlowOut{.ms = in.ms};
}
void RenderSlow(const SlowOut& out, Text& text) {
  text.Add("Took ").Add(std::to_string(out.ms)).Add(" ms.");
}

struct NothingIn {
  static constexpr std::array<json::Field, 0> Fields() { return {}; }
};
Task<EchoOut> FailAlways(NothingIn, CallContext&) {
  co_return Fail(ErrorCode::kNotFound, "no_such_thing", "There is no thing called \"x\".",
                 "Ask for a thing called \"y\".");
}
Task<EchoOut> ThrowAlways(NothingIn, CallContext&) {
  // What a library would do: this throws std::out_of_range.
  co_return EchoOut{.message = std::string(1, std::string().at(1))};
}

struct CountIn {
  int64_t steps = 3;
  static constexpr auto Fields() {
    return std::array{json::Describe<&CountIn::steps>(
        "steps", "How far to count.", {.minimum = 1, .maximum = 1'000, .default_json = "3"})};
  }
};
Task<SlowOut> Count(CountIn in, CallContext& context) {
  context.log(LogLevel::kDebug, "ducat.fixture", "counting", "\"to\":" + std::to_string(in.steps));
  for (int64_t step = 1; step <= in.steps; ++step) {
    context.progress(static_cast<double>(step), static_cast<double>(in.steps), "counting");
  }
  co_return SlowOut{.ms = in.steps};
}

struct BigIn {
  int64_t bytes = 0;
  static constexpr auto Fields() {
    return std::array{json::Describe<&BigIn::bytes>("bytes", "Size of the text.",
                                                    {.minimum = 0, .maximum = 1e8})};
  }
};
Task<EchoOut> Big(BigIn in, CallContext&) {
  co_return EchoOut{.message = std::string(static_cast<size_t>(in.bytes), 'x')};
}
void RenderBig(const EchoOut&, Text& text) {
  text.Line("Big.").Notice("The text is only in the structured form.");
}

// Changes whatever can change: the tool extra comes or goes, the note is touched.
Task<EchoOut> Touch(std::shared_ptr<FixtureState> state, NothingIn, CallContext&) {
  if (state->registry->FindTool("extra")) {
    state->registry->RemoveTool("extra");
  } else {
    CHECK(state->registry->AddTool(MakeTool<EchoIn, EchoOut>(
        {.name = "extra", .title = "Extra", .description = "Comes and goes."}, Echo, RenderEcho)));
  }
  state->registry->NotifyResourcesChanged();
  state->registry->NotifyResourceUpdated("test://note");
  state->registry->NotifyResourceUpdated("test://note");
  co_return EchoOut{.message = "touched"};
}

mcp::ToolInfo Info(std::string name, std::string title, std::string description) {
  return {
      .name = std::move(name), .title = std::move(title), .description = std::move(description)};
}

void AddTools(mcp::Registry& registry, const std::shared_ptr<FixtureState>& state) {
  const auto add = [&registry](mcp::Tool tool) { CHECK(registry.AddTool(std::move(tool))); };
  add(MakeTool<EchoIn, EchoOut>(Info("echo", "Echo", "Gives a text back."), Echo, RenderEcho));
  mcp::ToolInfo slow = Info("slow", "Slow", "Takes its time.");
  slow.read_only = false;
  add(MakeTool<SlowIn, SlowOut>(
      slow,
      [state](SlowIn in, CallContext& context) { return Slow(state, std::move(in), context); },
      RenderSlow));
  mcp::ToolInfo fail = Info("fail", "Fail", "Always fails.");
  fail.errors = {{.reason = "no_such_thing",
                  .code = ErrorCode::kNotFound,
                  .when = "Always.",
                  .recovery = "Ask for another thing."}};
  add(MakeTool<NothingIn, EchoOut>(fail, FailAlways, RenderEcho));
  fail.name = "fail_bracketed";
  fail.error_style = mcp::ErrorStyle::kBracketed;
  add(MakeTool<NothingIn, EchoOut>(fail, FailAlways, RenderEcho));
  add(MakeTool<NothingIn, EchoOut>(Info("throw", "Throw", "Breaks."), ThrowAlways, RenderEcho));
  add(MakeTool<CountIn, SlowOut>(Info("count", "Count", "Counts aloud."), Count, RenderSlow));
  add(MakeTool<NothingIn, EchoOut>(
      Info("touch", "Touch", "Changes lists and the note."),
      [state](NothingIn in, CallContext& context) { return Touch(state, in, context); },
      RenderEcho));
  add(MakeTool<BigIn, EchoOut>(Info("big", "Big", "Gives a large result."), Big, RenderBig));
}

Task<mcp::ResourceContents> ReadNote(std::string uri, CallContext&) {
  if (uri == "test://note") {
    co_return mcp::ResourceContents{
        .uri = uri, .mime_type = "text/plain", .text = "A note.", .ttl_ms = 60'000};
  }
  const auto values = mcp::MatchTemplate("test://item/{id}", uri);
  if (values && values->at("id") != "none") {
    co_return mcp::ResourceContents{
        .uri = uri, .mime_type = "text/plain", .text = "Item " + values->at("id") + "."};
  }
  co_return Fail(ErrorCode::kNotFound, "resource_not_found", "Resource " + uri + " not found",
                 "Read test://note.");
}

void AddResources(mcp::Registry& registry) {
  mcp::ResourceProvider provider;
  provider.list = [] {
    return std::vector<mcp::ResourceEntry>{{.uri = "test://note",
                                            .name = "note",
                                            .title = "Note",
                                            .description = "One note.",
                                            .mime_type = "text/plain"}};
  };
  provider.templates.push_back({.uri_template = "test://item/{id}",
                                .name = "item",
                                .title = "Item",
                                .description = "An item by its id.",
                                .mime_type = "text/plain",
                                .completions = {{"id", [](std::string_view, const auto&) {
                                                   return std::vector<std::string>{
                                                       "beta", "alpha", "alphabet", "zeta"};
                                                 }}}});
  provider.owns = [](std::string_view uri) { return uri.starts_with("test://"); };
  provider.read = ReadNote;
  provider.can_change = [](std::string_view uri) { return uri == "test://note"; };
  registry.AddResources(std::move(provider));
}

void AddPrompts(mcp::Registry& registry) {
  mcp::Prompt prompt{.name = "review", .title = "Review", .description = "Reviews a topic."};
  prompt.arguments.push_back({.name = "topic",
                              .title = "Topic",
                              .description = "What to review.",
                              .required = true,
                              .complete = [](std::string_view, const auto& known) {
                                return known.contains("depth")
                                           ? std::vector<std::string>{"deep"}
                                           : std::vector<std::string>{"sales", "returns"};
                              }});
  prompt.arguments.push_back({.name = "depth", .description = "How deep.", .complete = {}});
  prompt.get = [](std::map<std::string, std::string> arguments,
                  CallContext&) -> Task<std::vector<mcp::PromptBlock>> {
    std::vector<mcp::PromptBlock> blocks(2);
    blocks[0].text = "Review " + arguments["topic"] + ".";
    blocks[1].resource =
        mcp::ResourceContents{.uri = "test://note", .mime_type = "text/plain", .text = "A note."};
    co_return blocks;
  };
  CHECK(registry.AddPrompt(std::move(prompt)));
}

}  // namespace

void FillFixture(mcp::Registry& registry, const std::shared_ptr<FixtureState>& state) {
  AddTools(registry, state);
  AddResources(registry);
  AddPrompts(registry);
  registry.SetInstructions([] { return std::string("Use echo first."); });
  registry.WillChange(mcp::Registry::Change::kTools);
  registry.WillChange(mcp::Registry::Change::kResources);
}

McpFixture::McpFixture(mcp::ServerOptions options, std::function<void(mcp::Registry&)> fill)
    : log(clock, {.level = LogLevel::kDebug,
                  .sink = [this](std::string_view line) { log_lines.emplace_back(line); }}),
      state(std::make_shared<FixtureState>(FixtureState{.loop = loop, .registry = &registry})) {
  clock.Advance(std::chrono::hours(1));
  if (fill) {
    fill(registry);
  } else {
    FillFixture(registry, state);
  }
  server =
      std::make_unique<mcp::Server>(loop.get_executor(), registry, clock, log, std::move(options));
  state->timers = &server->timers();
  client = std::make_unique<mcp::MemoryClient>(loop, *server);
}

void McpFixture::Advance(std::chrono::milliseconds step) {
  clock.Advance(step);
  client->Settle();
}

void McpFixture::Handshake(std::string_view revision) {
  const std::string params = "\"protocolVersion\":\"" + std::string(revision) +
                             R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"})";
  client->Feed(LegacyRequest("0", "initialize", params));
  client->Feed(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  static_cast<void>(client->Take());
}

std::string ModernRequest(std::string_view id, std::string_view method, std::string_view params,
                          std::string_view more_meta) {
  std::string out = "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"method\":\"" +
                    std::string(method) + "\",\"params\":{";
  out.append(params).append(params.empty() ? "" : ",");
  out.append(R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
             R"("io.modelcontextprotocol/clientCapabilities":{})");
  out.append(more_meta.empty() ? "" : ",").append(more_meta).append("}}}");
  return out;
}

std::string LegacyRequest(std::string_view id, std::string_view method, std::string_view params) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"method\":\"" + std::string(method) +
         "\",\"params\":{" + std::string(params) + "}}";
}

}  // namespace ducat::testing
