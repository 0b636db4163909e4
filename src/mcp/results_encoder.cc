#include "mcp/results_encoder.h"

#include "json/schema.h"
#include "mcp/error_mapping.h"
#include "mcp/message.h"

namespace ducat::mcp {
namespace {

void OptionalField(std::string_view name, std::string_view text, json::JsonWriter& out) {
  if (!text.empty()) out.Field(name, text);
}

void AppendFlag(std::string_view name, bool value, json::JsonWriter& out) {
  if (value) out.Field(name, true);
}

void AppendTextBlock(std::string_view escaped, json::JsonWriter& out) {
  out.BeginObject();
  out.RawField("type", "\"text\"");
  out.Key("text");
  out.EscapedString(escaped);
  out.EndObject();
}

std::string NoticesBlock(const std::vector<std::string>& notices) {
  std::string escaped;
  for (const std::string& notice : notices) {
    escaped.append("\\n\\n> ");
    json::AppendEscaped(escaped, notice);
  }
  return escaped;
}

// The first line that is not empty, of text in its escaped form.
std::string_view FirstLine(std::string_view escaped) {
  while (escaped.starts_with("\\n")) {
    escaped.remove_prefix(2);
  }
  for (size_t i = 0; i + 1 < escaped.size(); ++i) {
    if (escaped[i] != '\\') continue;
    if (escaped[i + 1] == 'n') return escaped.substr(0, i);
    ++i;
  }
  return escaped;
}

void AppendAnnotations(const ToolInfo& info, json::JsonWriter& out) {
  out.Key("annotations");
  out.BeginObject();
  out.Field("readOnlyHint", info.read_only);
  if (!info.read_only) out.Field("destructiveHint", info.destructive);
  out.Field("idempotentHint", info.idempotent);
  out.Field("openWorldHint", info.open_world);
  out.EndObject();
}

}  // namespace

ResultWriter::ResultWriter(std::string_view id, Revision revision, std::string_view modern_meta,
                           std::string_view type)
    : writer_(out_), revision_(revision), modern_meta_(modern_meta) {
  writer_.BeginObject();
  writer_.RawField("jsonrpc", "\"2.0\"");
  writer_.RawField("id", id);
  writer_.Key("result");
  writer_.BeginObject();
  if (IsModern(revision_)) writer_.Field("resultType", type);
}

void ResultWriter::Cacheable(int64_t ttl_ms, bool is_public) {
  if (!IsModern(revision_)) return;
  writer_.Field("ttlMs", ttl_ms);
  writer_.RawField("cacheScope", is_public ? "\"public\"" : "\"private\"");
}

std::string ResultWriter::Finish() {
  if (IsModern(revision_)) {
    writer_.Key("_meta");
    writer_.BeginObject();
    writer_.EndObject();
    out_.insert(out_.size() - 1, modern_meta_);
  }
  writer_.EndObject();
  writer_.EndObject();
  return std::move(out_);
}

void AppendServerInfo(const ServerInfo& info, Revision revision, json::JsonWriter& out) {
  out.BeginObject();
  out.Field("name", info.name);
  if (HasTitles(revision)) OptionalField("title", info.title, out);
  out.Field("version", info.version);
  if (HasImplementationDetails(revision)) {
    OptionalField("description", info.description, out);
    OptionalField("websiteUrl", info.website_url, out);
  }
  out.EndObject();
}

void AppendCapabilities(const Capabilities& capabilities, Revision revision,
                        json::JsonWriter& out) {
  out.BeginObject();
  if (capabilities.tools) {
    out.Key("tools");
    out.BeginObject();
    AppendFlag("listChanged", capabilities.tools_change, out);
    out.EndObject();
  }
  if (capabilities.resources) {
    out.Key("resources");
    out.BeginObject();
    AppendFlag("subscribe", capabilities.resources_subscribe, out);
    AppendFlag("listChanged", capabilities.resources_change, out);
    out.EndObject();
  }
  if (capabilities.prompts) {
    out.Key("prompts");
    out.BeginObject();
    AppendFlag("listChanged", capabilities.prompts_change, out);
    out.EndObject();
  }
  if (capabilities.completions && HasAnnotations(revision)) out.RawField("completions", "{}");
  if (capabilities.logging) out.RawField("logging", "{}");
  if (capabilities.tasks && IsModern(revision)) {
    out.Key("extensions");
    out.BeginObject();
    out.RawField(kTasksExtension, "{}");
    out.EndObject();
  }
  out.EndObject();
}

void AppendTool(const Tool& tool, Revision revision, json::JsonWriter& out) {
  out.BeginObject();
  out.Field("name", tool.info.name);
  if (HasTitles(revision)) OptionalField("title", tool.info.title, out);
  out.Field("description", tool.info.description);
  if (tool.input != nullptr) {
    out.Key("inputSchema");
    // From 2025-11-25 on, 2020-12 is what a schema without $schema is written in.
    json::AppendInputSchema(*tool.input, revision < kNewestLegacy, out);
  } else {
    out.RawField("inputSchema", tool.input_schema);
  }
  if (tool.output != nullptr && HasStructured(revision)) {
    out.Key("outputSchema");
    json::AppendOutputSchema(*tool.output, ErrorSchema(tool.info), IsModern(revision), out);
  }
  if (HasAnnotations(revision)) AppendAnnotations(tool.info, out);
  out.EndObject();
}

void AppendPrompt(const Prompt& prompt, Revision revision, json::JsonWriter& out) {
  out.BeginObject();
  out.Field("name", prompt.name);
  if (HasTitles(revision)) OptionalField("title", prompt.title, out);
  out.Field("description", prompt.description);
  if (!prompt.arguments.empty()) {
    out.Key("arguments");
    out.BeginArray();
    for (const PromptArgument& argument : prompt.arguments) {
      out.BeginObject();
      out.Field("name", argument.name);
      if (HasTitles(revision)) OptionalField("title", argument.title, out);
      OptionalField("description", argument.description, out);
      out.Field("required", argument.required);
      out.EndObject();
    }
    out.EndArray();
  }
  out.EndObject();
}

// Resources and templates differ in what their address is called.
template <class Entry>
void AppendReadable(std::string_view address_key, std::string_view address, const Entry& entry,
                    Revision revision, json::JsonWriter& out) {
  out.BeginObject();
  out.Field(address_key, address);
  out.Field("name", entry.name);
  if (HasTitles(revision)) OptionalField("title", entry.title, out);
  OptionalField("description", entry.description, out);
  OptionalField("mimeType", entry.mime_type, out);
  out.EndObject();
}

void AppendResource(const ResourceEntry& resource, Revision revision, json::JsonWriter& out) {
  AppendReadable("uri", resource.uri, resource, revision, out);
}

void AppendTemplate(const ResourceTemplate& resource, Revision revision, json::JsonWriter& out) {
  AppendReadable("uriTemplate", resource.uri_template, resource, revision, out);
}

void AppendContents(const ResourceContents& contents, Revision, json::JsonWriter& out) {
  out.BeginObject();
  out.Field("uri", contents.uri);
  OptionalField("mimeType", contents.mime_type, out);
  if (contents.blob.empty()) {
    out.Field("text", contents.text);
  } else {
    out.Field("blob", contents.blob);
  }
  out.EndObject();
}

void AppendPromptMessages(const std::vector<PromptBlock>& blocks, Revision revision,
                          json::JsonWriter& out) {
  out.BeginArray();
  for (const PromptBlock& block : blocks) {
    out.BeginObject();
    out.RawField("role", "\"user\"");
    out.Key("content");
    out.BeginObject();
    if (block.resource) {
      out.RawField("type", "\"resource\"");
      out.Key("resource");
      AppendContents(*block.resource, revision, out);
    } else if (!block.image.empty()) {
      out.RawField("type", "\"image\"");
      out.Field("data", block.image);
      out.Field("mimeType", block.image_type);
    } else {
      out.RawField("type", "\"text\"");
      out.Field("text", block.text);
    }
    out.EndObject();
    out.EndObject();
  }
  out.EndArray();
}

void AppendToolAnswer(const Answer& answer, TextForm form, Revision revision,
                      json::JsonWriter& out) {
  if (!answer.content.empty()) return out.RawField("content", answer.content);
  out.Key("content");
  out.BeginArray();
  switch (form) {
    case TextForm::kFull:
      AppendTextBlock(answer.text.escaped(), out);
      break;
    case TextForm::kJson: {
      std::string escaped;
      json::AppendEscaped(escaped, answer.structured);
      AppendTextBlock(escaped, out);
      break;
    }
    case TextForm::kBrief:
      AppendTextBlock(FirstLine(answer.text.escaped()), out);
      break;
  }
  if (!answer.text.notices().empty()) AppendTextBlock(NoticesBlock(answer.text.notices()), out);
  out.EndArray();
  if (HasStructured(revision)) out.RawField("structuredContent", answer.structured);
}

void AppendToolError(std::string_view text, std::string_view structured, Revision revision,
                     json::JsonWriter& out) {
  std::string escaped;
  json::AppendEscaped(escaped, text);
  out.Key("content");
  out.BeginArray();
  AppendTextBlock(escaped, out);
  out.EndArray();
  if (HasStructured(revision)) out.RawField("structuredContent", structured);
  out.Field("isError", true);
}

}  // namespace ducat::mcp
