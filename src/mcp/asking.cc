// Input from the client (protocol.md 5.4, 12): one Ask of a handler, three ways to its answer. A
// modern call ends with its questions and is sent anew; a legacy one sends requests on the call's
// stream; a task waits until tasks/update brings the answers.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/digest.h"
#include "base/text.h"
#include "json/canonical.h"
#include "mcp/answer_fit.h"
#include "mcp/error_mapping.h"
#include "mcp/server.h"

namespace ducat::mcp {
namespace {

// What a retry changes: it is the same call all the same.
constexpr std::array<std::string_view, 3> kNotOfTheCall{"_meta", "inputResponses", "requestState"};
constexpr std::string_view kRoundRefused = "requestState is invalid or expired";
constexpr size_t kClientTextBytes = 200;

Failure Unavailable(std::string message) {
  return Fail(ErrorCode::kFailedPrecondition, std::string(reason::kClientInputUnavailable),
              std::move(message));
}

int64_t SecondsOf(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::string_view CapabilityOf(InputKind kind) {
  switch (kind) {
    case InputKind::kElicitation:
      return "elicitation";
    case InputKind::kSampling:
      return "sampling";
    case InputKind::kRoots:
      break;
  }
  return "roots";
}

// Forms belong to 2025-06-18 and later.
bool MayAsk(const Request& request, InputKind kind) {
  return request.context.client.Allows(kind) &&
         (kind != InputKind::kElicitation || HasStructured(request.revision));
}

Failure NotDeclared(const Request& request, const std::vector<Question>& questions) {
  std::string data;
  std::string names;
  for (const Question& question : questions) {
    const std::string_view name = CapabilityOf(question.request.kind);
    if (names.find(name) != names.npos) continue;
    data.append(data.empty() ? "\"" : ",\"").append(name).append("\":{}");
    names.append(names.empty() ? "" : ", ").append(name);
  }
  const bool modern = IsModern(request.revision);
  return Failure(Error{
      .code = ErrorCode::kFailedPrecondition,
      .reason = std::string(modern ? reason::kMissingCapability : reason::kClientInputUnavailable),
      .message = "This call has to ask, and the client has not declared " + names,
      .hint = {},
      .data = modern ? data : std::string()});
}

// The members of `params` as the revision knows them.
void AppendParams(const InputRequest& request, Revision revision, json::JsonWriter& out) {
  std::string params = "{";
  if (request.kind == InputKind::kElicitation && revision >= kNewestLegacy) {
    params += R"("mode":"form",)";
  }
  out.Raw(params + request.params + "}");
}

void AppendQuestion(const InputRequest& request, Revision revision, json::JsonWriter& out) {
  out.Field("method", MethodOf(request.kind));
  out.Key("params");
  AppendParams(request, revision, out);
}

// Whether `id` is one that the session has given out: "s-" and a number.
bool WasAsked(std::string_view id, uint64_t last) {
  if (!id.starts_with("\"s-") || !id.ends_with('"')) return false;
  id = id.substr(3, id.size() - 4);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() && number > 0 && number <= last;
}

Params<void> ReadResponses(json::View responses, Inquiry& inquiry) {
  if (!responses.IsObject()) return InvalidParams("params.inputResponses must be an object");
  std::string broken;
  responses.ForEachMember([&](std::string_view key, json::View answer) {
    if (!answer.IsObject()) broken = key;
    inquiry.given.emplace(key, answer.ToJson());
    return broken.empty();
  });
  if (broken.empty()) return {};
  return InvalidParams("params.inputResponses." + broken + " must be an object");
}

bool GivenFits(const Question& question, const Inquiry& inquiry) {
  const auto given = inquiry.given.find(question.key);
  if (given == inquiry.given.end()) return false;
  json::Document document;
  const Result<json::View> answer = document.Parse(given->second);
  return answer && AnswerFits(question.request, *answer);
}

}  // namespace

Params<void> Server::PrepareInquiry(Request& request, bool asks) {
  if (!IsModern(request.revision)) return {};
  const auto responses = request.params.Find("inputResponses");
  const auto state = request.params.Find("requestState");
  if (!asks && !responses && !state) return {};
  request.inquiry = std::make_unique<Inquiry>(executor_);
  Inquiry& inquiry = *request.inquiry;
  inquiry.is_retry = responses || state;
  inquiry.params_digest = Hex(Sha256(json::CanonicalJson(request.params, kNotOfTheCall)));
  if (responses) {
    if (auto read = ReadResponses(*responses, inquiry); !read) return read;
  }
  if (!state) return {};
  const auto text = state->AsString();
  if (!text || text->size() > options_.limits.request_state_bytes_max) {
    return InvalidParams(std::string(kRoundRefused));
  }
  auto read = request_states_.Decode(*text);
  if (!read || read->principal != request.context.principal ||
      read->method != Name(request.method) || read->params_digest != inquiry.params_digest ||
      read->expires_s <= SecondsOf(timers_.clock().Wall())) {
    return InvalidParams(std::string(kRoundRefused));
  }
  inquiry.round = read->round;
  inquiry.told = std::move(read->told);
  return {};
}

Task<InputAnswers> Server::Ask(CallContext& context, std::vector<Question> questions) {
  Request& request = *context.request;
  const auto forbidden = std::ranges::partition(
      questions, [&](const Question& question) { return MayAsk(request, question.request.kind); });
  if (forbidden.size() == questions.size()) co_return NotDeclared(request, questions);
  questions.erase(forbidden.begin(), forbidden.end());
  if (!request.inquiry) request.inquiry = std::make_unique<Inquiry>(executor_);
  Inquiry& inquiry = *request.inquiry;
  std::vector<std::string> keys;
  for (Question& question : questions) {
    keys.push_back(question.key);
    if (inquiry.told.contains(question.key)) continue;
    if (GivenFits(question, inquiry)) {
      inquiry.told[question.key] = inquiry.given[question.key];
      continue;
    }
    OpenQuestion open{.question = std::move(question), .name = {}, .patience = {}};
    open.name = open.question.key;
    inquiry.open.push_back(std::move(open));
  }
  if (!inquiry.open.empty()) {
    if (!request.task && IsModern(request.revision)) {
      if (inquiry.params_digest.empty()) co_return Internal("a handler asks without saying so");
      co_return Fail(ErrorCode::kFailedPrecondition, std::string(reason::kInputRequired), "");
    }
    co_await (request.task ? AskInTask(request) : AskLegacy(request));
    if (context.cancel.cancelled()) {
      co_return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled.");
    }
    if (!inquiry.failure.empty()) co_return Unavailable(std::exchange(inquiry.failure, {}));
  }
  InputAnswers answers;
  for (const std::string& key : keys) {
    answers.emplace(key, InputAnswer(inquiry.told[key]));
  }
  co_return answers;
}

boost::asio::awaitable<void> Server::AwaitAnswers(Request& request) {
  Inquiry& inquiry = *request.inquiry;
  const auto subscription =
      request.context.cancel.OnCancel([&inquiry](CancelCause) { inquiry.changed.cancel(); });
  while (!inquiry.open.empty() && inquiry.failure.empty() && !request.context.cancel.cancelled()) {
    inquiry.changed.expires_at(MonotonicTime::max());
    co_await inquiry.changed.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }
}

boost::asio::awaitable<void> Server::AskInTask(Request& request) {
  Inquiry& inquiry = *request.inquiry;
  for (OpenQuestion& open : inquiry.open) {
    open.name = FreshName(open.question.key, inquiry);
  }
  SetTaskStatus(request.task, TaskStatus::kInputRequired);
  co_await AwaitAnswers(request);
  inquiry.open.clear();
}

// A client's time is not the call's: its deadline stands still meanwhile.
boost::asio::awaitable<void> Server::AskLegacy(Request& request) {
  Inquiry& inquiry = *request.inquiry;
  const RequestPtr self = request.shared_from_this();
  if (request.session == nullptr || !request.session->takes_requests ||
      !request.outbox->TakesRequests()) {
    inquiry.failure = "The client cannot be asked on this connection.";
    inquiry.open.clear();
    co_return;
  }
  const MonotonicTime began = timers_.clock().Now();
  timers_.Remove(request.deadline_timer);
  for (OpenQuestion& open : inquiry.open) {
    SendQuestion(self, open);
  }
  co_await AwaitAnswers(request);
  if (request.answered) co_return;
  WithdrawQuestions(request);
  inquiry.open.clear();
  request.context.deadline += timers_.clock().Now() - began;
  ArmDeadline(self);
}

// Late answers find nobody. Not left to the coroutine: its session may be gone when it wakes up.
void Server::WithdrawQuestions(Request& request) {
  if (!request.inquiry || IsModern(request.revision)) return;
  for (OpenQuestion& open : request.inquiry->open) {
    timers_.Remove(open.patience);
    if (request.session != nullptr) request.session->asked.erase(open.name);
  }
}

void Server::SendQuestion(const RequestPtr& request, OpenQuestion& open) {
  Session& session = *request->session;
  open.name = "\"s-" + std::to_string(++session.last_asked) + "\"";
  session.asked.emplace(open.name, request);
  const InputKind kind = open.question.request.kind;
  const auto wait = kind == InputKind::kElicitation ? options_.limits.elicitation_wait
                                                    : options_.limits.client_wait;
  open.patience = timers_.At(
      timers_.clock().Now() + wait, [weak = std::weak_ptr(request), method = MethodOf(kind), wait] {
        const RequestPtr alive = weak.lock();
        if (!alive) return;
        alive->inquiry->failure = "The client has not answered " + std::string(method) + " in " +
                                  std::to_string(wait.count() / 1'000) + " s.";
        alive->inquiry->changed.cancel();
      });
  std::string message;
  json::JsonWriter writer(message);
  writer.BeginObject();
  writer.RawField("jsonrpc", "\"2.0\"");
  writer.RawField("id", open.name);
  AppendQuestion(open.question.request, request->revision, writer);
  writer.EndObject();
  request->outbox->Send(Outbox::Kind::kRequest, std::move(message));
}

bool Server::ReceiveAnswer(json::View value, const std::string& key, Session& session) {
  const auto found = session.asked.find(key);
  if (found == session.asked.end()) return WasAsked(key, session.last_asked);
  const RequestPtr request = found->second.lock();
  session.asked.erase(found);
  if (!request || request->answered) return true;
  Inquiry& inquiry = *request->inquiry;
  const auto open = std::ranges::find(inquiry.open, key, &OpenQuestion::name);
  if (open == inquiry.open.end()) return true;
  const Question& question = open->question;
  const std::string method(MethodOf(question.request.kind));
  if (const auto answer = value.Find("result"); answer && AnswerFits(question.request, *answer)) {
    inquiry.told.emplace(question.key, answer->ToJson());
  } else if (answer) {
    inquiry.failure = "The client's answer to " + method + " does not fit what was asked.";
  } else {
    const json::View error = value.Find("error").value_or(json::View());
    const auto text = error.Find("message").value_or(json::View()).AsString().value_or("");
    inquiry.failure =
        "The client refused " + method + ": " + std::string(ClipUtf8(text, kClientTextBytes));
  }
  timers_.Remove(open->patience);
  inquiry.open.erase(open);
  inquiry.changed.cancel();
  return true;
}

bool Server::EndsWithQuestions(const Request& request, const Error& error) {
  return error.reason == reason::kInputRequired && !request.task && request.inquiry &&
         !request.inquiry->open.empty();
}

Server::Reply Server::InputRequired(Request& request) {
  Inquiry& inquiry = *request.inquiry;
  const std::string state = request_states_.Encode(
      {.principal = request.context.principal,
       .method = std::string(Name(request.method)),
       .params_digest = inquiry.params_digest,
       .expires_s = SecondsOf(timers_.clock().Wall() + options_.limits.request_state_ttl),
       .round = inquiry.round + 1,
       .told = inquiry.told});
  if (const size_t most = options_.limits.request_state_bytes_max; state.size() > most) {
    inquiry.open.clear();
    const Error error =
        Unavailable("The answers so far have " + std::to_string(state.size()) +
                    " bytes as requestState; at most " + std::to_string(most) + " are carried on.")
            .value();
    return HandlerFailure(request, error, "");
  }
  ResultWriter out(request.id, request.revision, modern_meta_, "input_required");
  AppendInputRequests(inquiry, out.json());
  out.json().Field("requestState", state);
  LogOutcome(request, "input_required", "", "");
  return out.Finish();
}

void Server::AppendInputRequests(const Inquiry& inquiry, json::JsonWriter& out) {
  out.Key("inputRequests");
  out.BeginObject();
  for (const OpenQuestion& open : inquiry.open) {
    out.Key(open.name);
    out.BeginObject();
    AppendQuestion(open.question.request, kModern, out);
    out.EndObject();
  }
  out.EndObject();
}

}  // namespace ducat::mcp
