#include "mcp/client_input.h"

#include <utility>

#include "json/view.h"
#include "json/writer.h"

namespace ducat::mcp {
namespace {

// `fill` writes the members of an object; gives its inside.
template <class Fill>
std::string Inside(Fill fill) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  fill(writer);
  writer.EndObject();
  return out.substr(1, out.size() - 2);
}

template <class Read>
auto WithRoot(std::string_view text, Read read) {
  json::Document document;
  const Result<json::View> root = document.Parse(text);
  return read(root ? *root : json::View());
}

json::View Member(json::View object, std::string_view name) {
  return object.Find(name).value_or(json::View());
}

std::string TextOf(json::View value) {
  return std::string(value.AsString().value_or(""));
}

}  // namespace

InputRequest ElicitForm(std::string_view message, std::string schema) {
  std::string params = Inside([&](json::JsonWriter& writer) {
    writer.Field("message", message);
    writer.RawField("requestedSchema", schema);
  });
  return {
      .kind = InputKind::kElicitation, .params = std::move(params), .schema = std::move(schema)};
}

InputRequest SampleText(std::string_view prompt, int64_t max_tokens) {
  std::string params = Inside([&](json::JsonWriter& writer) {
    writer.Key("messages");
    writer.BeginArray();
    writer.BeginObject();
    writer.RawField("role", "\"user\"");
    writer.Key("content");
    writer.BeginObject();
    writer.RawField("type", "\"text\"");
    writer.Field("text", prompt);
    writer.EndObject();
    writer.EndObject();
    writer.EndArray();
    writer.Field("maxTokens", max_tokens);
  });
  return {.kind = InputKind::kSampling, .params = std::move(params), .schema = {}};
}

InputRequest ListRoots() {
  return {.kind = InputKind::kRoots, .params = {}, .schema = {}};
}

std::string_view MethodOf(InputKind kind) {
  switch (kind) {
    case InputKind::kElicitation:
      return "elicitation/create";
    case InputKind::kSampling:
      return "sampling/createMessage";
    case InputKind::kRoots:
      break;
  }
  return "roots/list";
}

std::string InputAnswer::Action() const {
  return WithRoot(json_, [](json::View root) { return TextOf(Member(root, "action")); });
}

std::string InputAnswer::Content() const {
  return WithRoot(json_, [](json::View root) {
    const json::View content = Member(root, "content");
    return content.IsObject() ? content.ToJson() : std::string("{}");
  });
}

std::optional<std::string> InputAnswer::Field(std::string_view name) const {
  return WithRoot(json_, [name](json::View root) -> std::optional<std::string> {
    const json::View field = Member(Member(root, "content"), name);
    if (!field.IsString()) return std::nullopt;
    return TextOf(field);
  });
}

std::string InputAnswer::SampledText() const {
  return WithRoot(json_, [](json::View root) {
    const json::View content = Member(root, "content");
    std::string text = TextOf(Member(content, "text"));
    content.ForEachElement([&](json::View block) {
      text = TextOf(Member(block, "text"));
      return text.empty();
    });
    return text;
  });
}

std::vector<std::string> InputAnswer::RootUris() const {
  return WithRoot(json_, [](json::View root) {
    std::vector<std::string> uris;
    Member(root, "roots").ForEachElement([&](json::View entry) {
      uris.push_back(TextOf(Member(entry, "uri")));
      return true;
    });
    return uris;
  });
}

}  // namespace ducat::mcp
