// The prompts and resources of the suite.
#include "fixtures.h"
#include "mcp/uri_template.h"

namespace ducat::conformance {
namespace {

using mcp::CallContext;
using Arguments = std::map<std::string, std::string>;
using Blocks = std::vector<mcp::PromptBlock>;

void Add(mcp::Registry& registry, std::string name, std::string description,
         std::vector<mcp::PromptArgument> arguments, std::function<Blocks(Arguments)> blocks) {
  mcp::Prompt prompt{.name = std::move(name),
                     .description = std::move(description),
                     .arguments = std::move(arguments)};
  prompt.get = [blocks = std::move(blocks)](Arguments given, CallContext&) -> Task<Blocks> {
    co_return blocks(std::move(given));
  };
  CHECK(registry.AddPrompt(std::move(prompt)));
}

mcp::PromptBlock TextBlock(std::string text) {
  mcp::PromptBlock block;
  block.text = std::move(text);
  return block;
}

Task<mcp::ResourceContents> Read(std::string uri, CallContext&) {
  mcp::ResourceContents contents{.uri = uri, .mime_type = "text/plain"};
  if (uri == "test://static-binary") {
    contents.mime_type = "image/png";
    contents.blob = kPng;
  } else if (uri == "test://static-text") {
    contents.text = "This is the content of the static text resource.";
  } else if (uri == "test://watched-resource") {
    contents.text = "This resource can be watched.";
  } else if (const auto values = mcp::MatchTemplate("test://template/{id}/data", uri)) {
    const std::string& id = values->at("id");
    contents.mime_type = "application/json";
    contents.text =
        R"({"id":")" + id + R"(","templateTest":true,"data":"Data for ID: )" + id + "\"}";
  } else {
    co_return Fail(ErrorCode::kNotFound, "resource_not_found", "Resource " + uri + " not found");
  }
  co_return contents;
}

void AddAskingPrompt(mcp::Registry& registry) {
  mcp::Prompt prompt{.name = "test_input_required_result_prompt",
                     .description = "A prompt that asks for its context."};
  prompt.asks = true;
  prompt.get = [](Arguments, CallContext& context) -> Task<Blocks> {
    mcp::InputRequest form = AskText("What context should the prompt use?", "context");
    CO_TRY_ASSIGN(const mcp::InputAnswer answer,
                  co_await context.Ask("user_context", std::move(form)));
    Blocks blocks;
    blocks.push_back(TextBlock("Context: " + answer.Field("context").value_or("none")));
    co_return blocks;
  };
  CHECK(registry.AddPrompt(std::move(prompt)));
}

}  // namespace

void AddPrompts(mcp::Registry& registry) {
  Add(registry, "test_simple_prompt", "A prompt without arguments.", {},
      [](const Arguments&) { return Blocks{TextBlock("This is a simple prompt for testing.")}; });
  std::vector<mcp::PromptArgument> two;
  two.push_back({.name = "arg1",
                 .description = "The first argument.",
                 .required = true,
                 .complete = [](std::string_view, const Arguments&) {
                   return std::vector<std::string>{"hello", "help", "world"};
                 }});
  two.push_back(
      {.name = "arg2", .description = "The second argument.", .required = true, .complete = {}});
  Add(registry, "test_prompt_with_arguments", "A prompt with two arguments.", std::move(two),
      [](Arguments given) {
        return Blocks{TextBlock("Prompt with arguments: arg1='" + given["arg1"] + "', arg2='" +
                                given["arg2"] + "'")};
      });
  std::vector<mcp::PromptArgument> uri;
  uri.push_back(
      {.name = "resourceUri", .description = "The resource.", .required = true, .complete = {}});
  Add(registry, "test_prompt_with_embedded_resource", "A prompt with a resource in it.",
      std::move(uri), [](Arguments given) {
        Blocks blocks(2);
        blocks[0].resource =
            mcp::ResourceContents{.uri = given["resourceUri"],
                                  .mime_type = "text/plain",
                                  .text = "Embedded resource content for testing."};
        blocks[1].text = "Please process the embedded resource above.";
        return blocks;
      });
  Add(registry, "test_prompt_with_image", "A prompt with an image in it.", {},
      [](const Arguments&) {
        Blocks blocks(2);
        blocks[0].image = kPng;
        blocks[0].image_type = "image/png";
        blocks[1].text = "Please analyze the image above.";
        return blocks;
      });
  AddAskingPrompt(registry);
}

void AddResources(mcp::Registry& registry) {
  mcp::ResourceProvider provider;
  provider.list = [] {
    return std::vector<mcp::ResourceEntry>{{.uri = "test://static-text",
                                            .name = "Static text",
                                            .description = "A text that stays.",
                                            .mime_type = "text/plain"},
                                           {.uri = "test://static-binary",
                                            .name = "Static binary",
                                            .description = "An image that stays.",
                                            .mime_type = "image/png"},
                                           {.uri = "test://watched-resource",
                                            .name = "Watched resource",
                                            .description = "A text that may change.",
                                            .mime_type = "text/plain"}};
  };
  provider.templates.push_back({.uri_template = "test://template/{id}/data",
                                .name = "Template",
                                .description = "Data by an id.",
                                .mime_type = "application/json",
                                .completions = {}});
  provider.owns = [](std::string_view uri) { return uri.starts_with("test://"); };
  provider.read = Read;
  provider.can_change = [](std::string_view uri) { return uri == "test://watched-resource"; };
  registry.AddResources(std::move(provider));
}

}  // namespace ducat::conformance
