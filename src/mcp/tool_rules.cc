#include "mcp/tool_rules.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "json/default_fit.h"
#include "json/pattern.h"
#include "json/view.h"

namespace ducat::mcp {
namespace {

constexpr size_t kShapeDepthMax = 16;

bool IsSnakeCase(std::string_view text) {
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || IsAsciiDigit(c) || c == '_';
  });
}

bool IsHeaderToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [kMarks](char c) {
    const char lower = AsciiLower(c);
    return (lower >= 'a' && lower <= 'z') || IsAsciiDigit(c) || kMarks.find(c) != kMarks.npos;
  });
}

// Walks the input (or output) shape of one tool and remembers the first broken rule.
class ShapeCheck {
 public:
  explicit ShapeCheck(bool input) : input_(input) {}

  void Object(const json::Shape& shape, const std::string& path, size_t depth) {
    if (depth > kShapeDepthMax) return Broken(path, "is nested too deeply");
    std::set<std::string_view> names;
    for (const json::Field& field : shape.fields) {
      const std::string at =
          path.empty() ? std::string(field.name) : path + "." + std::string(field.name);
      if (field.name.empty() || !names.insert(field.name).second) {
        Broken(at, "must have a name of its own");
      }
      // Of a result, name and type may say it all.
      if (input_ && field.doc.empty()) Broken(at, "needs a description");
      if (!input_ && path.empty() && field.name == "error") Broken(at, "is a reserved name");
      Rules(field, at);
      Header(field, at);
      Value(*field.shape, at, depth, path.empty());
    }
  }

  [[nodiscard]] const std::string& broken() const { return broken_; }

 private:
  void Broken(const std::string& path, std::string_view rule) {
    if (broken_.empty()) broken_ = path + " " + std::string(rule);
  }

  void Value(const json::Shape& shape, const std::string& path, size_t depth, bool at_root) {
    switch (shape.kind) {
      case json::Kind::kObject:
        return Object(shape, path, depth + 1);
      case json::Kind::kArray:
        return Value(*shape.inner, path + "[]", depth + 1, false);
      case json::Kind::kMap:
        return Value(*shape.inner, path + ".*", depth + 1, false);
      case json::Kind::kOptional:
        return Value(*shape.inner, path, depth, at_root);
      case json::Kind::kNullable:
        if (input_) return Broken(path, "may not be nullable: leave it out instead");
        return Value(*shape.inner, path, depth, at_root);
      case json::Kind::kRaw:
      case json::Kind::kRawElements:
        if (input_) Broken(path, "is a form of output only");
        return;
      case json::Kind::kAny:
        if (input_ && at_root) Broken(path, "needs one type");
        return;
      case json::Kind::kEnum:
        if (shape.names.empty()) Broken(path, "has no values");
        return;
      case json::Kind::kBoolean:
      case json::Kind::kInteger:
      case json::Kind::kNumber:
      case json::Kind::kString:
        return;
    }
  }

  void Rules(const json::Field& field, const std::string& path) {
    const json::Rule& rule = field.rule;
    if (rule.minimum && rule.maximum && *rule.minimum > *rule.maximum) {
      Broken(path, "has a minimum above its maximum");
    }
    if (rule.min_items && rule.max_items && *rule.min_items > *rule.max_items) {
      Broken(path, "has min_items above max_items");
    }
    if (rule.min_length && rule.max_length && *rule.min_length > *rule.max_length) {
      Broken(path, "has min_length above max_length");
    }
    if (!rule.pattern.empty() && !json::Pattern::Compile(rule.pattern)) {
      Broken(path, "has a pattern that is malformed or beyond the supported syntax");
    }
    if (rule.default_json.empty()) return;
    json::Document document;
    const Result<json::View> value = document.Parse(rule.default_json);
    if (!value) return Broken(path, "has a default that is not JSON");
    if (!json::FitsField(field, *value)) {
      Broken(path, "has a default that is not of its type or breaks its own bounds");
    }
  }

  void Header(const json::Field& field, const std::string& path) {
    if (field.rule.header.empty()) return;
    const json::Shape* shape = field.shape;
    if (shape->kind == json::Kind::kOptional) shape = shape->inner;
    const bool scalar = shape->kind == json::Kind::kString || shape->kind == json::Kind::kEnum ||
                        shape->kind == json::Kind::kInteger || shape->kind == json::Kind::kBoolean;
    if (!input_ || !scalar || path.find('[') != path.npos || path.find('*') != path.npos) {
      return Broken(path, "may not be mirrored in a header");
    }
    if (!IsHeaderToken(field.rule.header)) {
      return Broken(path, "has a header name that is no token");
    }
    if (!headers_.insert(AsciiLower(field.rule.header)).second) {
      Broken(path, "has the header name of another field");
    }
  }

  bool input_;
  std::string broken_;
  std::set<std::string> headers_;
};

std::string BrokenTextRule(const ToolInfo& info) {
  if (!IsSnakeCase(info.name) || info.name.size() > kToolNameMax) {
    return "the name must match ^[a-z][a-z0-9_]{0,39}$";
  }
  if (info.title.empty() || CountCodePoints(info.title) > kTitleMax) {
    return "the title must have 1 to 60 characters";
  }
  if (info.description.empty() || CountCodePoints(info.description) > kDescriptionMax) {
    return "the description must have 1 to 1,024 characters";
  }
  if (info.read_only && info.destructive) return "what only reads cannot destroy";
  if (!std::ranges::all_of(info.scopes, &IsScope)) return "a scope must be one word";
  std::set<std::string_view> reasons;
  for (const DeclaredError& error : info.errors) {
    if (!IsSnakeCase(error.reason)) return "a reason must be snake_case";
    if (!reasons.insert(error.reason).second) {
      return "the reason " + std::string(error.reason) + " is declared twice";
    }
    if (error.when.empty()) return "the reason " + std::string(error.reason) + " must say when";
  }
  return "";
}

std::string BrokenSchemaRule(const Tool& tool) {
  if (!tool.call) return "it has no function";
  if (tool.input == nullptr || tool.input->kind != json::Kind::kObject) {
    return "the input must be an object";
  }
  if (tool.output == nullptr || tool.output->kind != json::Kind::kObject) {
    return "the output must be an object";
  }
  ShapeCheck input(true);
  input.Object(*tool.input, "", 0);
  if (!input.broken().empty()) return "input " + input.broken();
  ShapeCheck output(false);
  output.Object(*tool.output, "", 0);
  if (!output.broken().empty()) return "output " + output.broken();
  return "";
}

}  // namespace

Status CheckTool(const Tool& tool) {
  std::string broken = BrokenTextRule(tool.info);
  if (broken.empty()) broken = BrokenSchemaRule(tool);
  if (broken.empty()) return {};
  return Fail(ErrorCode::kInvalidArgument, "invalid_tool",
              "tool " + tool.info.name + ": " + broken);
}

Status CheckPrompt(const Prompt& prompt) {
  std::string broken;
  if (!IsSnakeCase(prompt.name) || prompt.name.size() > kToolNameMax) {
    broken = "the name must match ^[a-z][a-z0-9_]{0,39}$";
  } else if (prompt.description.empty() || CountCodePoints(prompt.description) > kDescriptionMax) {
    broken = "the description must have 1 to 1,024 characters";
  } else if (!std::ranges::all_of(prompt.scopes, &IsScope)) {
    broken = "a scope must be one word";
  } else if (!prompt.get) {
    broken = "it has no function";
  }
  std::set<std::string_view> names;
  for (const PromptArgument& argument : prompt.arguments) {
    if (argument.name.empty() || !names.insert(argument.name).second) {
      broken = "argument " + argument.name + " must have a name of its own";
    }
  }
  if (broken.empty()) return {};
  return Fail(ErrorCode::kInvalidArgument, "invalid_prompt",
              "prompt " + prompt.name + ": " + broken);
}

}  // namespace ducat::mcp
