#pragma once
// A tool whose schema and answer are JSON as the suite prescribes it, which the product's own tools
// never are. Plain functions that build values; a broken fixture aborts at the start.

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "json/writer.h"
#include "mcp/registry.h"
#include "mcp/tool.h"

namespace ducat::conformance {

using Call = std::function<Task<mcp::Answer>(json::View arguments, mcp::CallContext& context)>;

inline constexpr std::string_view kNoArguments = R"({"type":"object","properties":{}})";

inline mcp::Tool FreeForm(std::string name, std::string description, std::string_view schema,
                          Call call) {
  mcp::Tool tool;
  tool.info.name = std::move(name);
  tool.info.description = std::move(description);
  tool.input_schema = schema;
  tool.call = std::move(call);
  return tool;
}

inline void Add(mcp::Registry& registry, mcp::Tool tool) {
  CHECK(registry.AddFreeFormTool(std::move(tool)));
}

// Blocks as a JSON array.
inline mcp::Answer Content(std::string blocks) {
  mcp::Answer answer;
  answer.content = std::move(blocks);
  return answer;
}
inline mcp::Answer TextContent(std::string_view text) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginArray();
  writer.BeginObject();
  writer.RawField("type", "\"text\"");
  writer.Field("text", text);
  writer.EndObject();
  writer.EndArray();
  return Content(std::move(out));
}

}  // namespace ducat::conformance
