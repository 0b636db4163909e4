#include "app/tool_page.h"

#include <optional>

#include "json/writer.h"
#include "mcp/text.h"

namespace ducat::app {
namespace {

std::string Number(double value) {
  std::string text;
  json::AppendShortest(text, value);
  return text;
}

std::string TypeText(const json::Shape& shape) {
  switch (shape.kind) {
    case json::Kind::kBoolean:
      return "boolean";
    case json::Kind::kInteger:
      return "integer";
    case json::Kind::kNumber:
      return "number";
    case json::Kind::kString:
      return "string";
    case json::Kind::kObject:
      return "object";
    case json::Kind::kArray:
      return "list of " + TypeText(*shape.inner);
    case json::Kind::kOptional:
      return TypeText(*shape.inner);
    case json::Kind::kNullable:
      return TypeText(*shape.inner) + " or null";
    case json::Kind::kMap:
      return "object of " + TypeText(*shape.inner);
    case json::Kind::kRaw:
    case json::Kind::kAny:
      return "any";
    case json::Kind::kRawElements:
      return "list of any";
    case json::Kind::kEnum:
      break;
  }
  std::string names;
  for (const std::string_view name : shape.names) {
    names += names.empty() ? "`" : ", `";
    names.append(name).append("`");
  }
  return names;
}

// "1 to 1000", "at least 1", "1 to 200 characters"; empty without rules.
std::string RangeText(std::optional<double> least, std::optional<double> most,
                      std::string_view unit) {
  std::string text;
  if (least.has_value() && most.has_value()) {
    text = Number(*least) + " to " + Number(*most);
  } else if (least.has_value()) {
    text = "at least " + Number(*least);
  } else if (most.has_value()) {
    text = "at most " + Number(*most);
  }
  return text.empty() || unit.empty() ? text : text + " " + std::string(unit);
}

std::string Limits(const json::Rule& rule) {
  std::string text;
  for (const std::string& range : {RangeText(rule.minimum, rule.maximum, ""),
                                   RangeText(rule.min_length, rule.max_length, "characters"),
                                   RangeText(rule.min_items, rule.max_items, "items")}) {
    if (range.empty()) continue;
    text += (text.empty() ? "" : ", ") + range;
  }
  return text;
}

std::string Presence(const json::Field& field) {
  if (!field.rule.default_json.empty()) return "`" + std::string(field.rule.default_json) + "`";
  return field.shape->kind == json::Kind::kOptional ? "–" : "required";
}

void AppendCells(std::string& page, std::initializer_list<std::string_view> cells) {
  page += '|';
  for (const std::string_view cell : cells) {
    page.append(" ").append(mcp::MarkdownCell(cell)).append(" |");
  }
  page += '\n';
}

void AppendInput(std::string& page, const json::Shape& shape) {
  page += "\n| argument | type | default | limits | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const json::Field& field : shape.fields) {
    AppendCells(page, {"`" + std::string(field.name) + "`", TypeText(*field.shape), Presence(field),
                       Limits(field.rule), field.doc});
  }
}

// The object that a field holds, through lists, maps and absence; null when it holds none.
const json::Shape* ObjectInside(const json::Shape* shape) {
  while (shape->inner != nullptr) {
    shape = shape->inner;
  }
  return shape->kind == json::Kind::kObject ? shape : nullptr;
}

std::string Path(std::string_view parent, const json::Field& field) {
  std::string path(parent);
  path += field.name;
  const json::Shape* shape = field.shape;
  while (shape->kind == json::Kind::kOptional || shape->kind == json::Kind::kNullable) {
    shape = shape->inner;
  }
  if (shape->kind == json::Kind::kArray || shape->kind == json::Kind::kRawElements) path += "[]";
  return path;
}

void AppendOutput(std::string& page, const json::Shape& shape, const std::string& parent) {
  for (const json::Field& field : shape.fields) {
    const std::string path = Path(parent, field);
    std::string type = TypeText(*field.shape);
    if (field.shape->kind == json::Kind::kOptional) type += ", may be absent";
    AppendCells(page, {"`" + path + "`", type, field.doc});
    if (const json::Shape* inside = ObjectInside(field.shape)) {
      AppendOutput(page, *inside, path + ".");
    }
  }
}

void AppendErrors(std::string& page, const mcp::ToolInfo& info) {
  if (info.errors.empty()) return;
  page += "\n| error | when | what to do |\n| --- | --- | --- |\n";
  for (const mcp::DeclaredError& error : info.errors) {
    AppendCells(page, {"`" + std::string(error.reason) + "`", error.when, error.recovery});
  }
}

void AppendTool(std::string& page, const mcp::Tool& tool) {
  const mcp::ToolInfo& info = tool.info;
  page += "\n## " + info.name + "\n\n*" + info.title + "* · ";
  page += info.read_only ? "reads only" : (info.destructive ? "can destroy" : "writes");
  if (info.idempotent) page += ", repeating it changes nothing more";
  if (!info.scopes.empty()) page += " · needs `" + mcp::JoinScopes(info.scopes) + "`";
  page += "\n\n";
  for (const char c : info.description) {
    page += c;
    if (c == '\n') page += '\n';
  }
  page += '\n';
  AppendInput(page, *tool.input);
  page += "\n| result | type | meaning |\n| --- | --- | --- |\n";
  AppendOutput(page, *tool.output, "");
  AppendErrors(page, info);
}

}  // namespace

std::string ToolReference(const mcp::Registry& registry, std::string_view pack) {
  std::string page = "# Tools of the " + std::string(pack) + " pack\n\n";
  page +=
      "Written by `ducat tools --markdown` from the descriptions that clients get; a test fails "
      "when "
      "this page is stale.\nErrors that every tool can answer with, such as `invalid_arguments`, "
      "`timeout` and `worker_crashed`, are not repeated.\n";
  for (const auto& tool : registry.tools()) {
    AppendTool(page, *tool);
  }
  return page;
}

}  // namespace ducat::app
