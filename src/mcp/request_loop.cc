// The request loop: how a request runs from its first step to its end, and the one place of the
// control process that catches foreign exceptions.
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "json/writer.h"
#include "mcp/error_mapping.h"
#include "mcp/server.h"
#include "mcp/text.h"

namespace ducat::mcp {
namespace {

std::string Describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

std::string LogNotification(LogLevel level, std::string_view logger, std::string_view message,
                            std::string_view data) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.RawField("jsonrpc", "\"2.0\"");
  writer.RawField("method", "\"notifications/message\"");
  writer.Key("params");
  writer.BeginObject();
  writer.Field("level", Name(level));
  writer.Field("logger", logger);
  writer.Key("data");
  writer.BeginObject();
  writer.Field("message", CleanForDisplay(message));
  if (!data.empty()) out.append(",").append(data);
  writer.EndObject();
  writer.EndObject();
  writer.EndObject();
  return out;
}

Error TimeoutError(std::chrono::milliseconds limit) {
  const std::string seconds = std::to_string((limit.count() + 999) / 1000);
  return {.code = ErrorCode::kDeadlineExceeded,
          .reason = std::string(reason::kTimeout),
          .message = "The call was stopped after " + seconds + " s.",
          .hint = "Ask for less: a narrower filter, fewer rows, a smaller range of dates.",
          .data = "\"timeout_ms\":" + std::to_string(limit.count())};
}

}  // namespace

void Server::WireContext(const RequestPtr& request, std::string progress_token) {
  CallContext& context = request->context;
  context.request_id = request_ids_.Next();
  context.cancel = request->cancel.token();
  context.wants_progress = !progress_token.empty();
  const std::weak_ptr<Request> weak = request;
  context.release_stream = [weak] {
    const RequestPtr alive = weak.lock();
    if (alive && !alive->answered && !alive->task && !alive->batch) alive->outbox->Release();
  };
  if (progress_token.empty() || !MayTakeTime(request->method)) {
    context.progress = [](double, std::optional<double>, std::string_view) {};
  } else {
    request->progress = std::make_unique<ProgressReporter>(
        timers_, std::move(progress_token), HasAnnotations(request->revision),
        [raw = request.get()](std::string message) {
          if (raw->answered || raw->task) return;
          raw->outbox->Send(Outbox::Kind::kExpendable, std::move(message));
        });
    context.progress = [weak](double done, std::optional<double> total, std::string_view text) {
      const RequestPtr alive = weak.lock();
      if (alive && !alive->answered && !alive->task) alive->progress->Report(done, total, text);
    };
  }
  if (!request->log_threshold) {
    context.log = [](LogLevel, std::string_view, std::string_view, std::string_view) {};
    return;
  }
  context.log = [weak, lines_max = options_.limits.log_lines_max](
                    LogLevel level, std::string_view logger, std::string_view message,
                    std::string_view data) {
    const RequestPtr alive = weak.lock();
    if (!alive || alive->answered || alive->task || level < *alive->log_threshold) return;
    if (alive->log_lines++ >= lines_max) return;
    alive->outbox->Send(Outbox::Kind::kExpendable, LogNotification(level, logger, message, data));
  };
}

void Server::Begin(const RequestPtr& request) {
  const bool is_call = request->method == Method::kToolsCall;
  request->time_limit = request->context.wants_progress
                            ? options_.limits.call_deadline_with_progress
                            : options_.limits.call_deadline;
  if (MayTakeTime(request->method)) StartObserving(*request);
  if (auto refusal = WhyNotServed(*request)) return Finish(*request, *std::move(refusal));
  if (!MayTakeTime(request->method)) return Spawn(request);
  if (is_call) {
    ++calls_of_principal_[request->context.principal];
    request->counted = true;
  }
  if (const std::optional<Error> why = WhyNotRecorded()) {
    return Finish(*request, HandlerFailure(*request, *why, ""));
  }
  request->session->Add(request);
  request->context.deadline = request->started_at + request->time_limit;
  ArmDeadline(request);
  if (request->may_become_task) BeginTask(request);
  if (!is_call || calls_running_ < options_.limits.calls_running_max) return Spawn(request);
  KeepDocument(*request);
  calls_waiting_.push_back(request);
}

void Server::ArmDeadline(const RequestPtr& request) {
  request->deadline_timer =
      timers_.At(request->context.deadline, [this, weak = std::weak_ptr(request)] {
        if (const RequestPtr alive = weak.lock()) TimeOut(*alive);
      });
}

void Server::Spawn(const RequestPtr& request) {
  if (request->method == Method::kToolsCall) {
    ++calls_running_;
    request->holds_slot = true;
  }
  boost::asio::co_spawn(
      executor_, Serve(request),
      [this, request](const std::exception_ptr& exception) { Ended(request, exception); });
  // Called from outside the loop: the coroutine has yet to read its params.
  if (!request->serving) KeepDocument(*request);
  // It has asked all that it must, and goes on.
  if (request->may_become_task && request->tool->info.tasks == TaskMode::kRequired) {
    StartTask(request);
  }
}

// The params of a request that is served later must outlive the next message.
void Server::KeepDocument(Request& request) {
  request.document = std::exchange(document_, json::Document());
}

boost::asio::awaitable<void> Server::Serve(RequestPtr request) {
  request->serving = true;
  switch (request->method) {
    case Method::kToolsCall: {
      Reply reply = co_await CallTool(request);
      Finish(*request, std::move(reply));
      break;
    }
    case Method::kResourcesRead: {
      Reply reply = co_await ReadResource(request);
      Finish(*request, std::move(reply));
      break;
    }
    case Method::kPromptsGet: {
      Reply reply = co_await GetPrompt(request);
      Finish(*request, std::move(reply));
      break;
    }
    case Method::kListen: {
      auto opened = subscriptions_.Listen(*request, modern_meta_);
      if (!opened) Finish(*request, tl::unexpected(std::move(opened).error()));
      request->answered = true;
      break;
    }
    default:
      Finish(*request, ServeNow(*request));
  }
}

void Server::Ended(const RequestPtr& request, const std::exception_ptr& exception) {
  if (exception) {
    Error error = Internal(Describe(exception)).value();
    if (request->answered) {
      LogOutcome(*request, "error", reason::kInternalError, error.message);
    } else {
      Finish(*request, HandlerFailure(*request, error, ""));
    }
  }
  ReleaseSlot(*request);
}

void Server::ReleaseSlot(Request& request) {
  if (!std::exchange(request.holds_slot, false)) return;
  --calls_running_;
  while (!calls_waiting_.empty() && calls_running_ < options_.limits.calls_running_max) {
    const RequestPtr next = std::move(calls_waiting_.front());
    calls_waiting_.pop_front();
    if (!next->answered) Spawn(next);
  }
}

void Server::Finish(Request& request, Reply reply) {
  if (request.answered) return;
  const bool asks = request.inquiry && !request.inquiry->open.empty();
  if (request.may_become_task && !asks && reply &&
      request.tool->info.tasks == TaskMode::kRequired) {
    StartTask(request.shared_from_this());
  }
  if (request.task) return FinishTask(request, std::move(reply));
  request.answered = true;
  LeaveFlight(request);
  const int refusal_status = reply ? 0 : reply.error().http_status;
  if (!reply && request.observed) request.observed->code = reply.error().code;
  std::string message = reply ? *std::move(reply) : EncodeError(request.id, reply.error());
  TellObservers(request, message.size());
  if (request.batch) {
    request.batch->Settle(message);
  } else if (refusal_status == 0) {
    request.outbox->Send(Outbox::Kind::kReply, std::move(message));
  } else {
    request.outbox->Refuse(std::move(message), refusal_status);
  }
  if (MayTakeTime(request.method)) request.session->Remove(request.key);
}

// What every end of a request has in common, answered or not.
void Server::LeaveFlight(Request& request) {
  timers_.Remove(request.deadline_timer);
  timers_.Remove(request.task_timer);
  WithdrawQuestions(request);
  if (request.progress) request.progress->Stop();
  if (!std::exchange(request.counted, false)) return;
  const auto own = calls_of_principal_.find(request.context.principal);
  if (--own->second == 0) calls_of_principal_.erase(own);
}

void Server::CancelRequest(Request& request, CancelCause cause) {
  if (request.answered) return;
  request.answered = true;
  LeaveFlight(request);
  if (request.batch) {
    request.batch->Settle("");
  } else if (request.session != nullptr) {
    request.outbox->Close();
  }
  // Removing may end the session's part of it; the request itself is held by its coroutine.
  CancelSource source = request.cancel;
  LogOutcome(request, "cancelled", "", "");
  TellObservers(request, 0);
  if (request.session != nullptr) request.session->Remove(request.key);
  source.Cancel(cause);
}

void Server::CancelAll(Session& session) {
  for (const auto& [key, request] : session.TakeAll()) {
    if (request->batch) request->batch->Abandon();
    request->session = nullptr;
    CancelRequest(*request, CancelCause::kShutdown);
    request->outbox = nullptr;
  }
}

void Server::TimeOut(Request& request) {
  request.deadline_timer = {};
  if (request.answered) return;
  const Error error = TimeoutError(request.time_limit);
  CancelSource source = request.cancel;
  Finish(request, HandlerFailure(request, error, ""));
  source.Cancel(CancelCause::kDeadline);
}

}  // namespace ducat::mcp
