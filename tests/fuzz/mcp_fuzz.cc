// The whole protocol server, lines in and messages out. The first byte chooses a revision to shake
// hands at (or none), every further line is one message. Whatever came, a good request is answered
// after it.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>

#include "base/clock.h"
#include "base/log.h"
#include "json/view.h"
#include "mcp/memory_client.h"
#include "mcp/registry.h"
#include "mcp/revision.h"
#include "mcp/server.h"
#include "mcp/uri_template.h"

namespace ducat::mcp {
namespace {

struct Probe {
  std::string text;
  std::optional<int64_t> number;
  std::vector<std::string> list;
  static constexpr auto Fields() {
    return std::array{
        json::Describe<&Probe::text>("text", "Text.", {.default_json = "\"\"", .free_text = true}),
        json::Describe<&Probe::number>("number", "Number.", {.minimum = -9, .maximum = 9}),
        json::Describe<&Probe::list>("list", "List.", {.max_items = 3, .default_json = "[]"})};
  }
};

void Fill(Registry& registry) {
  CHECK(registry.AddTool(MakeTool<Probe, Probe>(
      {.name = "probe", .title = "Probe", .description = "Gives back what came."},
      [](Probe in, CallContext& context) -> Task<Probe> {
        context.progress(1, 2, in.text);
        context.log(LogLevel::kDebug, "ducat.fuzz", in.text, "");
        co_return in;
      },
      [](const Probe& out, Text& text) { text.Add(out.text).Notice(out.text); })));
  Prompt prompt{.name = "ask", .description = "Asks.", .arguments = {}, .get = {}};
  prompt.arguments.push_back({.name = "what", .complete = [](std::string_view value, const auto&) {
                                return std::vector<std::string>{std::string(value), "else"};
                              }});
  prompt.get = [](std::map<std::string, std::string> arguments,
                  CallContext&) -> Task<std::vector<PromptBlock>> {
    std::vector<PromptBlock> blocks(1);
    blocks[0].text = arguments["what"];
    co_return blocks;
  };
  CHECK(registry.AddPrompt(std::move(prompt)));
  ResourceProvider provider;
  provider.list = [] { return std::vector<ResourceEntry>(3, {.uri = "t://a", .name = "a"}); };
  provider.templates.push_back({.uri_template = "t://{x}", .name = "x", .completions = {}});
  provider.owns = [](std::string_view uri) { return MatchTemplate("t://{x}", uri).has_value(); };
  provider.read = [](std::string uri, CallContext&) -> Task<ResourceContents> {
    co_return ResourceContents{.uri = uri, .mime_type = "text/plain", .text = uri};
  };
  provider.can_change = [](std::string_view uri) { return uri.size() % 2 == 0; };
  registry.AddResources(std::move(provider));
  registry.WillChange(Registry::Change::kTools);
}

// Every message is one line of JSON with the marks of JSON-RPC.
void CheckMessages(const std::vector<std::string>& messages) {
  json::Document document;
  for (const std::string& message : messages) {
    CHECK(message.find('\n') == message.npos);
    const auto root = document.Parse(message);
    CHECK(root.has_value());
    CHECK(root->IsArray() || root->Find("jsonrpc").has_value());
  }
}

void Run(std::string_view input) {
  boost::asio::io_context loop;
  ManualClock clock;
  Log log(clock, {.level = LogLevel::kDebug,
                  .sink = [](std::string_view line) { CHECK(line.find('\n') == line.npos); }});
  Registry registry;
  Fill(registry);
  ServerOptions options;
  options.limits.page_size = 2;
  Server server(loop.get_executor(), registry, clock, log, options);
  MemoryClient client(loop, server);
  if (!input.empty()) {
    const auto choice = static_cast<size_t>(input[0]) % (kRevisionCount + 1);
    input.remove_prefix(1);
    if (choice < kRevisionCount) {
      client.Feed(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
                  std::string(kRevisionNames[choice]) + "\"}}");
      client.Feed(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }
  }
  while (!input.empty()) {
    const size_t end = std::min(input.find('\n'), input.size());
    client.Feed(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
    CheckMessages(client.Take());
  }
  registry.NotifyResourceUpdated("t://a");
  clock.Advance(std::chrono::seconds(1));
  client.Settle();
  CheckMessages(client.Take());
  const std::string reply = client.Ask(
      R"({"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"probe","_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  CHECK(reply.find("\"structuredContent\":{\"text\":\"\"") != reply.npos ||
        reply.find("is in flight") != reply.npos);
}

}  // namespace
}  // namespace ducat::mcp

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ducat::mcp::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
