#pragma once
// Resources, templates, prompts and completions as a pack declares them. Built at start by the
// pack, read by the server on the control thread.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "mcp/call_context.h"
#include "mcp/scopes.h"

namespace ducat::mcp {

struct ResourceContents {
  std::string uri;
  std::string mime_type;
  std::string text;
  int64_t ttl_ms = 0;
  std::string blob;  // base64; instead of text
};

struct ResourceEntry {
  std::string uri, name, title, description, mime_type;
};

// Complete values for one argument. `context` holds the other arguments the client already knows.
using CompletionSource = std::function<std::vector<std::string>(
    std::string_view value, const std::map<std::string, std::string>& context)>;

struct ResourceTemplate {
  std::string uri_template, name, title, description, mime_type;  // RFC 6570 level 1
  std::map<std::string, CompletionSource> completions;            // by variable
};

// What one pack offers to read. Unknown URI: reason "resource_not_found", hint with near names.
struct ResourceProvider {
  std::function<std::vector<ResourceEntry>()> list;  // stable order
  std::vector<ResourceTemplate> templates;
  // Decides by URI whether it is the provider's own; nothing: try the next provider.
  std::function<bool(std::string_view uri)> owns;
  std::function<Task<ResourceContents>(std::string uri, CallContext& context)> read;
  // Whether this URI's content may change and be subscribed to; empty: none can.
  std::function<bool(std::string_view uri)> can_change;
  bool asks = false;  // `read` may use CallContext::Ask
  Scopes scopes;      // of all of them; see ToolInfo
};

struct PromptArgument {
  std::string name, title, description;
  bool required = false;
  CompletionSource complete;  // may be empty: a known argument without a source
};

// One content block of a prompt message: text, an embedded resource, or an image.
struct PromptBlock {
  std::string text;
  std::optional<ResourceContents> resource;
  std::string image;  // base64 of image_type
  std::string image_type;
};

struct Prompt {
  std::string name, title, description;
  std::vector<PromptArgument> arguments;
  // Blocks of one user message. Missing required arguments are refused before.
  std::function<Task<std::vector<PromptBlock>>(std::map<std::string, std::string> arguments,
                                               CallContext& context)>
      get;
  bool asks = false;  // `get` may use CallContext::Ask
  Scopes scopes;      // see ToolInfo
};

}  // namespace ducat::mcp
