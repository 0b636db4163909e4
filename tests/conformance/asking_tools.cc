// Tools that ask the client: in the legacy eras by requests, in the modern one by input_required.
#include "fixtures.h"
#include "free_form_tool.h"

namespace ducat::conformance {
namespace {

using mcp::CallContext;
using mcp::InputAnswer;
using mcp::InputAnswers;
using mcp::InputRequest;

// A tool without arguments that asks.
void AddAsking(mcp::Registry& registry, std::string name, std::string description,
               std::function<Task<mcp::Answer>(CallContext&)> run) {
  mcp::Tool tool =
      FreeForm(std::move(name), std::move(description), kNoArguments,
               [run = std::move(run)](json::View, CallContext& context) { return run(context); });
  tool.info.asks = true;
  Add(registry, std::move(tool));
}

// A tool with one argument, a text, that it asks with.
void AddAskingWith(mcp::Registry& registry, std::string name, std::string_view argument,
                   std::function<Task<mcp::Answer>(std::string, CallContext&)> run) {
  const std::string key(argument);
  mcp::Tool tool = FreeForm(
      std::move(name), "Asks the client with the given text.",
      R"({"type":"object","properties":{")" + key +
          R"(":{"type":"string","description":"What to ask."}},"required":[")" + key + R"("]})",
      [run = std::move(run), key](json::View arguments, CallContext& context) {
        const auto value = arguments.Find(key);
        return run(std::string(value ? value->AsString().value_or("") : ""), context);
      });
  tool.info.asks = true;
  Add(registry, std::move(tool));
}

Task<mcp::Answer> Greet(CallContext& context) {
  InputRequest form = AskText("What is your name?", "name");
  CO_TRY_ASSIGN(const InputAnswer name, co_await context.Ask("user_name", std::move(form)));
  co_return TextContent("Hello, " + name.Field("name").value_or("whoever you are") + "!");
}

Task<mcp::Answer> AskModel(CallContext& context) {
  InputRequest question = mcp::SampleText("What is the capital of France?", 100);
  CO_TRY_ASSIGN(const InputAnswer said,
                co_await context.Ask("capital_question", std::move(question)));
  co_return TextContent("The model said: " + said.SampledText());
}

Task<mcp::Answer> ShowRoots(CallContext& context) {
  InputRequest question = mcp::ListRoots();
  CO_TRY_ASSIGN(const InputAnswer roots, co_await context.Ask("client_roots", std::move(question)));
  std::string text = "Roots:";
  for (const std::string& uri : roots.RootUris()) {
    text += " " + uri;
  }
  co_return TextContent(text);
}

// Ends with `text` once the client has confirmed.
Task<mcp::Answer> Confirm(CallContext& context, std::string text) {
  InputRequest form = mcp::ElicitForm("Please confirm",
                                      R"({"type":"object","properties":{"ok":{"type":"boolean"}},)"
                                      R"("required":["ok"]})");
  CO_TRY_ASSIGN(const InputAnswer answer, co_await context.Ask("confirm", std::move(form)));
  co_return TextContent(text + ": " + answer.Action());
}

Task<mcp::Answer> AskThree(CallContext& context) {
  std::vector<mcp::Question> questions;
  questions.push_back({.key = "user_name", .request = AskText("What is your name?", "name")});
  questions.push_back({.key = "greeting", .request = mcp::SampleText("Generate a greeting", 50)});
  questions.push_back({.key = "client_roots", .request = mcp::ListRoots()});
  CO_TRY_ASSIGN(const InputAnswers answers, co_await context.AskAll(std::move(questions)));
  co_return TextContent("Answered: " + std::to_string(answers.size()));
}

Task<mcp::Answer> AskTwice(CallContext& context) {
  InputRequest first = AskText("Step 1: What is your name?", "name");
  CO_TRY_ASSIGN(const InputAnswer name, co_await context.Ask("step1", std::move(first)));
  InputRequest second = AskText("Step 2: What is your favorite color?", "color");
  CO_TRY_ASSIGN(const InputAnswer color, co_await context.Ask("step2", std::move(second)));
  co_return TextContent(name.Field("name").value_or("") + " likes " +
                        color.Field("color").value_or(""));
}

// Whatever the client has not declared is left out.
Task<mcp::Answer> AskWhatIsAllowed(CallContext& context) {
  std::vector<mcp::Question> questions;
  questions.push_back({.key = "user_name", .request = AskText("What is your name?", "name")});
  questions.push_back({.key = "thought", .request = mcp::SampleText("Say something.", 50)});
  CO_TRY_ASSIGN(const InputAnswers answers, co_await context.AskAll(std::move(questions)));
  co_return TextContent("Answered: " + std::to_string(answers.size()));
}

Task<mcp::Answer> Sample(std::string prompt, CallContext& context) {
  InputRequest question = mcp::SampleText(prompt, 100);
  CO_TRY_ASSIGN(const InputAnswer said, co_await context.Ask("sample", std::move(question)));
  co_return TextContent("LLM response: " + said.SampledText());
}

// Fills a form; `before` begins the text.
Task<mcp::Answer> Fill(CallContext& context, std::string message, std::string schema,
                       std::string before) {
  InputRequest form = mcp::ElicitForm(message, std::move(schema));
  CO_TRY_ASSIGN(const InputAnswer answer, co_await context.Ask("form", std::move(form)));
  co_return TextContent(before + "action=" + answer.Action() + ", content=" + answer.Content());
}

constexpr std::string_view kContact =
    R"({"type":"object","properties":{)"
    R"("username":{"type":"string","description":"User's response"},)"
    R"("email":{"type":"string","description":"User's email address"}},)"
    R"("required":["username","email"]})";
constexpr std::string_view kDefaults =
    R"({"type":"object","properties":{"name":{"type":"string","default":"John Doe"},)"
    R"("age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},)"
    R"("status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},)"
    R"("verified":{"type":"boolean","default":true}}})";
constexpr std::string_view kEnums =
    R"({"type":"object","properties":{)"
    R"("untitledSingle":{"type":"string","enum":["option1","option2","option3"]},)"
    R"("titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},)"
    R"({"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},)"
    R"("legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],)"
    R"("enumNames":["Option One","Option Two","Option Three"]},)"
    R"("untitledMulti":{"type":"array","items":{"type":"string",)"
    R"("enum":["option1","option2","option3"]}},)"
    R"("titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},)"
    R"({"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}})";

void AddLegacyForms(mcp::Registry& registry) {
  AddAskingWith(registry, "test_sampling", "prompt", Sample);
  AddAskingWith(
      registry, "test_elicitation", "message", [](std::string message, CallContext& context) {
        return Fill(context, std::move(message), std::string(kContact), "User response: ");
      });
  const auto completed = [&registry](std::string name, std::string_view schema) {
    AddAsking(registry, std::move(name), "Asks with a form of every kind of field.",
              [schema](CallContext& context) {
                return Fill(context, "Please fill in the form", std::string(schema),
                            "Elicitation completed: ");
              });
  };
  completed("test_elicitation_sep1034_defaults", kDefaults);
  completed("test_elicitation_sep1330_enums", kEnums);
}

}  // namespace

InputRequest AskText(std::string_view message, std::string_view field) {
  const std::string name(field);
  return mcp::ElicitForm(message, R"({"type":"object","properties":{")" + name +
                                      R"(":{"type":"string"}},"required":[")" + name + R"("]})");
}

void AddAskingTools(mcp::Registry& registry) {
  AddLegacyForms(registry);
  AddAsking(registry, "test_input_required_result_elicitation", "Asks for a name.", Greet);
  AddAsking(registry, "test_input_required_result_sampling", "Asks the client's model.", AskModel);
  AddAsking(registry, "test_input_required_result_list_roots", "Asks for the roots.", ShowRoots);
  AddAsking(registry, "test_input_required_result_request_state", "Asks for a confirmation.",
            [](CallContext& context) { return Confirm(context, "state-ok"); });
  AddAsking(registry, "test_input_required_result_tampered_state", "Asks for a confirmation, too.",
            [](CallContext& context) { return Confirm(context, "integrity-ok"); });
  AddAsking(registry, "test_input_required_result_multiple_inputs", "Asks three things at once.",
            AskThree);
  AddAsking(registry, "test_input_required_result_multi_round", "Asks one thing after another.",
            AskTwice);
  AddAsking(registry, "test_input_required_result_capabilities", "Asks what the client can answer.",
            AskWhatIsAllowed);
}

}  // namespace ducat::conformance
