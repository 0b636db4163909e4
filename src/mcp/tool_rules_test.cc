#include "mcp/tool_rules.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using ::testing::HasSubstr;

struct Plain {
  std::string text;
  static constexpr auto Fields() {
    return std::array{json::Describe<&Plain::text>("text", "Some text.")};
  }
};

// A tool that breaks no rule, over these shapes.
Tool Good(const json::Shape* input = &json::kShape<Plain>,
          const json::Shape* output = &json::kShape<Plain>) {
  Tool tool;
  tool.info = {.name = "good", .title = "Good", .description = "Breaks no rule."};
  tool.input = input;
  tool.output = output;
  tool.call = [](json::View, CallContext&) { return internal::FailedTask<Answer>(Error{}); };
  return tool;
}

std::string BrokenRule(const Tool& tool) {
  const Status status = CheckTool(tool);
  EXPECT_THAT(status, FailsWith("invalid_tool"));
  if (status) return "";
  EXPECT_THAT(status.error().message, HasSubstr("tool " + tool.info.name + ": "));
  return status.error().message;
}

template <class Change>
std::string AfterChange(Change change) {
  Tool tool = Good();
  change(tool.info);
  return BrokenRule(tool);
}

TEST(ToolRules, TakeAGoodTool) {
  EXPECT_THAT(CheckTool(Good()), IsOk());
}

TEST(ToolRules, JudgeNames) {
  for (const std::string name :
       {"", "Upper", "9first", "_first", "has-dash", "has space", "ünicode"}) {
    EXPECT_THAT(AfterChange([&](ToolInfo& info) { info.name = name; }), HasSubstr("name")) << name;
  }
  Tool tool = Good();
  tool.info.name = std::string(kToolNameMax, 'a');
  EXPECT_THAT(CheckTool(tool), IsOk());
  tool.info.name += 'a';
  EXPECT_THAT(CheckTool(tool), FailsWith("invalid_tool"));
}

TEST(ToolRules, CountCharactersNotBytes) {
  Tool tool = Good();
  tool.info.title.clear();
  for (size_t i = 0; i < kTitleMax; ++i)
    tool.info.title += "ü";
  EXPECT_THAT(CheckTool(tool), IsOk());
  tool.info.title += "ü";
  EXPECT_THAT(BrokenRule(tool), HasSubstr("title"));
  tool = Good();
  tool.info.description = std::string(kDescriptionMax, 'x');
  EXPECT_THAT(CheckTool(tool), IsOk());
  tool.info.description += 'x';
  EXPECT_THAT(BrokenRule(tool), HasSubstr("description"));
  EXPECT_THAT(AfterChange([](ToolInfo& info) { info.description.clear(); }),
              HasSubstr("description"));
  EXPECT_THAT(AfterChange([](ToolInfo& info) { info.title.clear(); }), HasSubstr("title"));
}

TEST(ToolRules, JudgeAnnotationsAndDeclaredErrors) {
  EXPECT_THAT(AfterChange([](ToolInfo& info) { info.destructive = true; }), HasSubstr("destroy"));
  const DeclaredError good{
      .reason = "no_such", .code = ErrorCode::kNotFound, .when = "Never.", .recovery = ""};
  DeclaredError bad = good;
  bad.reason = "No-Such";
  EXPECT_THAT(AfterChange([&](ToolInfo& info) { info.errors = {bad}; }), HasSubstr("snake_case"));
  bad = good;
  bad.when = "";
  EXPECT_THAT(AfterChange([&](ToolInfo& info) { info.errors = {bad}; }), HasSubstr("when"));
  EXPECT_THAT(AfterChange([&](ToolInfo& info) { info.errors = {good, good}; }), HasSubstr("twice"));
}

// One field of a shape under test, described at run time.
struct Probe {
  explicit Probe(json::Field field, json::Kind kind = json::Kind::kString) {
    value.kind = kind;
    if (field.shape == nullptr) field.shape = &value;
    fields[0] = field;
    object.kind = json::Kind::kObject;
    object.fields = fields;
  }
  json::Shape value;
  std::array<json::Field, 1> fields;
  json::Shape object;
};

TEST(ToolRules, JudgeFields) {
  const Probe undescribed({.name = "a", .doc = ""});
  EXPECT_THAT(BrokenRule(Good(&undescribed.object)), HasSubstr("input a needs a description"));
  const Probe unnamed({.name = "", .doc = "x"});
  EXPECT_THAT(BrokenRule(Good(&unnamed.object)), HasSubstr("name of its own"));
  const Probe error({.name = "error", .doc = "x"});
  EXPECT_THAT(CheckTool(Good(&error.object)), IsOk());
  EXPECT_THAT(BrokenRule(Good(&json::kShape<Plain>, &error.object)), HasSubstr("reserved"));
  const Probe bounds({.name = "n", .doc = "x", .rule = {.minimum = 2, .maximum = 1}},
                     json::Kind::kNumber);
  EXPECT_THAT(BrokenRule(Good(&bounds.object)), HasSubstr("minimum above"));
  const Probe fallback({.name = "n", .doc = "x", .rule = {.default_json = "{"}});
  EXPECT_THAT(BrokenRule(Good(&fallback.object)), HasSubstr("default"));
  const Probe typed({.name = "n", .doc = "x", .rule = {.default_json = "5"}});
  EXPECT_THAT(BrokenRule(Good(&typed.object)), HasSubstr("default that is not of its type"));
  const Probe low({.name = "n", .doc = "x", .rule = {.minimum = 1, .default_json = "0"}},
                  json::Kind::kNumber);
  EXPECT_THAT(BrokenRule(Good(&low.object)), HasSubstr("breaks its own bounds"));
  const Probe fits({.name = "n", .doc = "x", .rule = {.minimum = 1, .default_json = "1"}},
                   json::Kind::kNumber);
  EXPECT_THAT(CheckTool(Good(&fits.object)), IsOk());
  const Probe pattern({.name = "n", .doc = "x", .rule = {.pattern = "^(?=a)"}});
  EXPECT_THAT(BrokenRule(Good(&pattern.object)), HasSubstr("pattern"));
}

TEST(ToolRules, KeepInputToPlainTypes) {
  for (const json::Kind kind : {json::Kind::kRaw, json::Kind::kRawElements, json::Kind::kAny}) {
    const Probe probe({.name = "a", .doc = "x"}, kind);
    EXPECT_THAT(CheckTool(Good(&probe.object)), FailsWith("invalid_tool"));
    EXPECT_THAT(CheckTool(Good(&json::kShape<Plain>, &probe.object)), IsOk());
  }
  json::Shape text;
  text.kind = json::Kind::kString;
  json::Shape nullable;
  nullable.kind = json::Kind::kNullable;
  nullable.inner = &text;
  const Probe probe({.name = "a", .doc = "x", .shape = &nullable});
  EXPECT_THAT(BrokenRule(Good(&probe.object)), HasSubstr("nullable"));
  EXPECT_THAT(CheckTool(Good(&json::kShape<Plain>, &probe.object)), IsOk());
}

TEST(ToolRules, WantObjectsAtTheRoot) {
  EXPECT_THAT(BrokenRule(Good(&json::kShape<std::string>)), HasSubstr("input must be an object"));
  EXPECT_THAT(BrokenRule(Good(&json::kShape<Plain>, &json::kShape<std::vector<std::string>>)),
              HasSubstr("output must be an object"));
  EXPECT_THAT(BrokenRule(Good(nullptr)), HasSubstr("input"));
  Tool tool = Good();
  tool.call = nullptr;
  EXPECT_THAT(BrokenRule(tool), HasSubstr("function"));
}

TEST(ToolRules, JudgeMirroredHeaders) {
  const Probe good({.name = "region", .doc = "x", .rule = {.header = "Region"}});
  EXPECT_THAT(CheckTool(Good(&good.object)), IsOk());
  const Probe spaced({.name = "region", .doc = "x", .rule = {.header = "Re gion"}});
  EXPECT_THAT(BrokenRule(Good(&spaced.object)), HasSubstr("no token"));
  const Probe number({.name = "region", .doc = "x", .rule = {.header = "Region"}},
                     json::Kind::kNumber);
  EXPECT_THAT(BrokenRule(Good(&number.object)), HasSubstr("mirrored"));
}

TEST(PromptRules, JudgeNameDescriptionAndArguments) {
  Prompt prompt{.name = "ask", .description = "Asks.", .arguments = {}, .get = {}};
  EXPECT_THAT(CheckPrompt(prompt), FailsWith("invalid_prompt")) << "no function";
  prompt.get = [](std::map<std::string, std::string>, CallContext&) {
    return internal::FailedTask<std::vector<PromptBlock>>(Error{});
  };
  EXPECT_THAT(CheckPrompt(prompt), IsOk());
  prompt.arguments.resize(2);
  prompt.arguments[0].name = prompt.arguments[1].name = "same";
  EXPECT_THAT(CheckPrompt(prompt), FailsWith("invalid_prompt"));
  prompt.arguments.clear();
  prompt.name = "Ask";
  EXPECT_THAT(CheckPrompt(prompt), FailsWith("invalid_prompt"));
}

}  // namespace
}  // namespace ducat::mcp
