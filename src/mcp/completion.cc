#include "mcp/completion.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "mcp/uri_template.h"

namespace ducat::mcp {
namespace {

// The source of one argument; null: the argument is known, but nothing completes it.
Params<const CompletionSource*> FindPromptSource(const Registry& registry, std::string_view name,
                                                 std::string_view argument) {
  for (const Prompt& prompt : registry.prompts()) {
    if (prompt.name != name) continue;
    for (const PromptArgument& known : prompt.arguments) {
      if (known.name == argument) return known.complete ? &known.complete : nullptr;
    }
    return InvalidParams("Prompt " + std::string(name) + " has no argument " +
                         std::string(argument));
  }
  return InvalidParams("Prompt " + std::string(name) + " not found");
}

Params<const CompletionSource*> FindTemplateSource(const Registry& registry,
                                                   std::string_view uri_template,
                                                   std::string_view argument) {
  for (const ResourceProvider& provider : registry.resources()) {
    for (const ResourceTemplate& known : provider.templates) {
      if (known.uri_template != uri_template) continue;
      const auto source = known.completions.find(std::string(argument));
      if (source != known.completions.end()) {
        return source->second ? &source->second : nullptr;
      }
      const auto variables = TemplateVariables(known.uri_template);
      if (std::ranges::find(variables, argument) != variables.end()) return nullptr;
      return InvalidParams("Template " + std::string(uri_template) + " has no variable " +
                           std::string(argument));
    }
  }
  return InvalidParams("Resource template " + std::string(uri_template) + " not found");
}

Params<const CompletionSource*> FindSource(const Registry& registry, json::View ref,
                                           std::string_view argument, const Limits& limits) {
  auto type = RequiredString(ref, "type", "params.ref.type", limits.tool_name_bytes_max);
  if (!type) return tl::unexpected(std::move(type).error());
  if (*type == "ref/prompt") {
    auto name = RequiredString(ref, "name", "params.ref.name", limits.tool_name_bytes_max);
    if (!name) return tl::unexpected(std::move(name).error());
    return FindPromptSource(registry, *name, argument);
  }
  if (*type == "ref/resource") {
    auto uri = RequiredString(ref, "uri", "params.ref.uri", limits.uri_bytes_max);
    if (!uri) return tl::unexpected(std::move(uri).error());
    return FindTemplateSource(registry, *uri, argument);
  }
  return InvalidParams("params.ref.type must be ref/prompt or ref/resource");
}

}  // namespace

std::vector<std::string> RankCompletions(std::vector<std::string> values, std::string_view typed) {
  const std::string wanted = AsciiLower(typed);
  struct Ranked {
    bool inside;
    std::string folded;
    std::string value;
  };
  std::vector<Ranked> ranked;
  for (std::string& value : values) {
    std::string folded = AsciiLower(std::string_view(value));
    const size_t at = folded.find(wanted);
    if (at == folded.npos) continue;
    ranked.push_back({at != 0, std::move(folded), std::move(value)});
  }
  std::ranges::sort(ranked, [](const Ranked& a, const Ranked& b) {
    return std::tie(a.inside, a.folded, a.value) < std::tie(b.inside, b.folded, b.value);
  });
  std::vector<std::string> out;
  out.reserve(ranked.size());
  for (Ranked& entry : ranked) {
    if (out.empty() || out.back() != entry.value) out.push_back(std::move(entry.value));
  }
  return out;
}

Params<void> AppendCompletion(const Registry& registry, json::View params, const Limits& limits,
                              json::JsonWriter& out) {
  const json::View ref = params.Find("ref").value_or(json::View());
  if (!ref.IsObject()) return InvalidParams("params.ref must be an object");
  const json::View argument = params.Find("argument").value_or(json::View());
  if (!argument.IsObject()) return InvalidParams("params.argument must be an object");
  auto name = RequiredString(argument, "name", "params.argument.name", limits.tool_name_bytes_max);
  if (!name) return tl::unexpected(std::move(name).error());
  auto typed = AnyString(argument, "value", "params.argument.value", limits.uri_bytes_max);
  if (!typed) return tl::unexpected(std::move(typed).error());
  const json::View context = params.Find("context").value_or(json::View());
  if (!context.IsNull() && !context.IsObject()) {
    return InvalidParams("params.context must be an object");
  }
  auto known = StringMap(context, "arguments", "params.context.arguments");
  if (!known) return tl::unexpected(std::move(known).error());
  const auto source = FindSource(registry, ref, *name, limits);
  if (!source) return tl::unexpected(source.error());
  std::vector<std::string> values;
  if (*source != nullptr) values = RankCompletions((**source)(*typed, *known), *typed);
  const size_t shown = std::min(values.size(), limits.completions_max);
  out.Key("completion");
  out.BeginObject();
  out.Key("values");
  out.BeginArray();
  for (size_t i = 0; i < shown; ++i) {
    out.String(values[i]);
  }
  out.EndArray();
  out.Field("total", static_cast<uint64_t>(values.size()));
  out.Field("hasMore", shown < values.size());
  out.EndObject();
  return {};
}

}  // namespace ducat::mcp
