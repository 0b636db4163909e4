#include "mcp/call_context.h"

#include <utility>

#include "mcp/error_mapping.h"

namespace ducat::mcp {

bool ClientCapabilities::Allows(InputKind kind) const {
  switch (kind) {
    case InputKind::kElicitation:
      return elicitation;
    case InputKind::kSampling:
      return sampling;
    case InputKind::kRoots:
      break;
  }
  return roots;
}

Task<InputAnswer> CallContext::Ask(std::string key, InputRequest what) {
  std::vector<Question> questions;
  questions.push_back({.key = key, .request = std::move(what)});
  Result<InputAnswers> answers = co_await AskAll(std::move(questions));
  if (!answers) co_return Failure(std::move(answers).error());
  co_return std::move(answers->at(key));
}

Task<InputAnswers> CallContext::AskAll(std::vector<Question> questions) {
  if (input == nullptr) {
    co_return Fail(ErrorCode::kFailedPrecondition, std::string(reason::kClientInputUnavailable),
                   "There is no client that could be asked.");
  }
  co_return co_await input->Ask(*this, std::move(questions));
}

}  // namespace ducat::mcp
