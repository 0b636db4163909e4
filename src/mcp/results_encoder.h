#pragma once
// Everything a result may contain, in the form that a revision may see (protocol.md 5.3, 14.2).
// Encoders take the revision and leave out what is newer; no other file writes these members. Pure
// functions.

#include <string>
#include <string_view>

#include "json/writer.h"
#include "mcp/resource.h"
#include "mcp/revision.h"
#include "mcp/tool.h"

namespace ducat::mcp {

struct ServerInfo {
  std::string name = "ducat";
  std::string title = "Ducat";
  std::string version = "0.1.0";
  std::string description = "Exact answers from data files.";
  std::string website_url;
};

// What is advertised; follows from what is registered.
struct Capabilities {
  bool tools = false, tools_change = false;
  bool prompts = false, prompts_change = false;
  bool resources = false, resources_change = false, resources_subscribe = false;
  bool completions = false;
  bool logging = true;
  bool tasks = false;  // the extension
};

// What --text chose for the first block of a tool result.
enum class TextForm : uint8_t { kFull, kJson, kBrief };

// One reply from {"jsonrpc" to its last brace: opens the result, lets the caller add members,
// closes it with what the modern era adds.
class ResultWriter {
 public:
  // `modern_meta` is the inside of the modern _meta object.
  // `type` is what the modern era calls the result.
  ResultWriter(std::string_view id, Revision revision, std::string_view modern_meta,
               std::string_view type = "complete");
  [[nodiscard]] json::JsonWriter& json() { return writer_; }
  // ttlMs and cacheScope, in the modern era.
  void Cacheable(int64_t ttl_ms, bool is_public);
  [[nodiscard]] std::string Finish();

 private:
  std::string out_;
  json::JsonWriter writer_;
  Revision revision_;
  std::string_view modern_meta_;
};

void AppendServerInfo(const ServerInfo& info, Revision revision, json::JsonWriter& out);
void AppendCapabilities(const Capabilities& capabilities, Revision revision, json::JsonWriter& out);
void AppendTool(const Tool& tool, Revision revision, json::JsonWriter& out);
void AppendPrompt(const Prompt& prompt, Revision revision, json::JsonWriter& out);
void AppendResource(const ResourceEntry& resource, Revision revision, json::JsonWriter& out);
void AppendTemplate(const ResourceTemplate& resource, Revision revision, json::JsonWriter& out);
void AppendContents(const ResourceContents& contents, Revision revision, json::JsonWriter& out);
void AppendPromptMessages(const std::vector<PromptBlock>& blocks, Revision revision,
                          json::JsonWriter& out);

// Members of a CallToolResult: content, structuredContent; isError for the second.
void AppendToolAnswer(const Answer& answer, TextForm form, Revision revision,
                      json::JsonWriter& out);
void AppendToolError(std::string_view text, std::string_view structured, Revision revision,
                     json::JsonWriter& out);

}  // namespace ducat::mcp
