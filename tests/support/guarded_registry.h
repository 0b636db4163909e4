#pragma once
// A registry half of which needs scopes: tools open and locked (a:read and b:write), resource and
// template x://locked, prompt locked_prompt (each a:read). For tests of who may use what.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "mcp/registry.h"

namespace ducat::testing {

struct NothingAtAll {
  static constexpr std::array<json::Field, 0> Fields() { return {}; }
};

inline mcp::Tool PlainTool(std::string name, mcp::Scopes scopes) {
  mcp::ToolInfo info{.name = std::move(name), .title = "Plain", .description = "Does nothing."};
  info.scopes = std::move(scopes);
  return mcp::MakeTool<NothingAtAll, NothingAtAll>(
      std::move(info),
      [](NothingAtAll, mcp::CallContext&) -> Task<NothingAtAll> { co_return NothingAtAll{}; },
      [](const NothingAtAll&, mcp::Text& text) { text.Add("done"); });
}

inline void FillGuarded(mcp::Registry& registry) {
  CHECK(registry.AddTool(PlainTool("locked", {"a:read", "b:write"})).has_value());
  CHECK(registry.AddTool(PlainTool("open", {})).has_value());
  mcp::ResourceProvider provider;
  provider.list = [] {
    return std::vector<mcp::ResourceEntry>{{.uri = "x://locked", .name = "locked_resource"}};
  };
  provider.templates.push_back({.uri_template = "x://{name}", .name = "locked_template"});
  provider.owns = [](std::string_view uri) { return uri.starts_with("x://"); };
  provider.read = [](std::string uri, mcp::CallContext&) -> Task<mcp::ResourceContents> {
    co_return mcp::ResourceContents{.uri = std::move(uri), .text = "inside"};
  };
  provider.can_change = [](std::string_view) { return true; };
  provider.scopes = {"a:read"};
  registry.AddResources(std::move(provider));
  mcp::Prompt prompt{.name = "locked_prompt", .title = "Locked", .description = "Says nothing."};
  prompt.arguments.push_back({.name = "word"});
  prompt.get = [](std::map<std::string, std::string>,
                  mcp::CallContext&) -> Task<std::vector<mcp::PromptBlock>> {
    co_return std::vector<mcp::PromptBlock>(1);
  };
  prompt.scopes = {"a:read"};
  CHECK(registry.AddPrompt(std::move(prompt)).has_value());
  registry.SetInstructions([] { return std::string("Use locked."); }, {"a:read"});
}

}  // namespace ducat::testing
