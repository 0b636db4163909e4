#pragma once
// What a handler may ask the client in the middle of a call (protocol.md 12): a form for the user,
// a text of the client's model, its roots. How the question travels depends on the era and is the
// core's business: a handler only says `co_await context.Ask(key, request)`. Plain values.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ducat::mcp {

enum class InputKind : uint8_t { kElicitation, kSampling, kRoots };

struct InputRequest {
  InputKind kind = InputKind::kRoots;
  std::string params;  // inside of the params object, without `mode`
  std::string schema;  // of a form: its requestedSchema as JSON
};

// `schema` is a flat object schema: strings, numbers, booleans, enums, lists of enum values. Never
// for secrets.
[[nodiscard]] InputRequest ElicitForm(std::string_view message, std::string schema);
[[nodiscard]] InputRequest SampleText(std::string_view prompt, int64_t max_tokens);
[[nodiscard]] InputRequest ListRoots();

// The method that asks for it.
[[nodiscard]] std::string_view MethodOf(InputKind kind);

// A question and the name that its answer goes by; unique within one call.
struct Question {
  std::string key;
  InputRequest request;
};

// The client's result, which fits what was asked.
class InputAnswer {
 public:
  InputAnswer() = default;
  explicit InputAnswer(std::string json) : json_(std::move(json)) {}
  // Forms: accept, decline or cancel.
  [[nodiscard]] std::string Action() const;
  [[nodiscard]] bool accepted() const { return Action() == "accept"; }
  // Forms: what was filled in, as a JSON object; one field of it that is a string.
  [[nodiscard]] std::string Content() const;
  [[nodiscard]] std::optional<std::string> Field(std::string_view name) const;
  // Sampling: the text of the first text block.
  [[nodiscard]] std::string SampledText() const;
  // Roots: their URIs.
  [[nodiscard]] std::vector<std::string> RootUris() const;

 private:
  std::string json_ = "{}";
};

using InputAnswers = std::map<std::string, InputAnswer, std::less<>>;

}  // namespace ducat::mcp
