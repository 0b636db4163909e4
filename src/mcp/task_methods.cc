// Calls that become tasks (protocol.md 13.1): when they do, how they end, and the methods that look
// at them. A task's request has neither session nor outbox; what it does goes into its record.
#include <algorithm>
#include <utility>

#include "mcp/answer_fit.h"
#include "mcp/envelope.h"
#include "mcp/server.h"
#include "mcp/text.h"

namespace ducat::mcp {
namespace {

constexpr size_t kTaskIdBytesMax = 64;

// The result inside a reply to `id`.
std::string ResultOf(std::string reply, std::string_view id) {
  constexpr std::string_view kBefore = R"({"jsonrpc":"2.0","id":,"result":)";
  reply.erase(0, kBefore.size() + id.size());
  reply.pop_back();
  return reply;
}

std::string StatusText(double done, std::optional<double> total, std::string_view text) {
  std::string out = CleanForDisplay(text);
  std::string far;
  json::AppendShortest(far, done);
  if (total) {
    far += " of ";
    json::AppendShortest(far, *total);
  }
  return out.empty() ? far : out + " (" + far + ")";
}

std::string_view WhyCancelled(CancelCause cause) {
  switch (cause) {
    case CancelCause::kClient:
      return "Cancelled by the client";
    case CancelCause::kDeadline:
      return "Cancelled: its time was over";
    case CancelCause::kShutdown:
      return "Cancelled: the server is shutting down";
    case CancelCause::kNone:
      break;
  }
  return "Cancelled";
}

}  // namespace

Params<void> Server::PrepareTask(Request& request) {
  const TaskMode mode = request.tool->info.tasks;
  if (mode == TaskMode::kNever || !IsModern(request.revision)) return {};
  request.may_become_task = request.context.client.tasks;
  if (mode != TaskMode::kRequired) return {};
  if (!request.may_become_task) {
    return tl::unexpected(MissingTasksExtension("Tool " + request.tool->info.name));
  }
  if (tasks_.HasRoom(request.context.principal)) return {};
  return tl::unexpected(
      RpcError{.code = rpc::kOverloaded,
               .message = "Too many tasks are kept: this tool runs as a task alone",
               .data = R"({"retryAfter":60})",
               .http_status = 503});
}

std::chrono::milliseconds Server::TaskTimeLimit(const Request& request) const {
  const auto declared = request.tool->info.deadline;
  const auto limit = options_.limits.task_deadline;
  return declared.count() > 0 ? std::min(limit, declared) : limit;
}

void Server::BeginTask(const RequestPtr& request) {
  // What it does meanwhile may take as long as a task.
  request->context.deadline = request->started_at + TaskTimeLimit(*request);
  const TaskMode mode = request->tool->info.tasks;
  if (mode == TaskMode::kAtOnce) {
    StartTask(request);
  } else if (mode == TaskMode::kAfter) {
    request->task_timer = timers_.At(request->started_at + options_.limits.task_after,
                                     [this, weak = std::weak_ptr(request)] {
                                       if (const RequestPtr alive = weak.lock()) StartTask(alive);
                                     });
  }
}

// Without room the call stays as it is.
void Server::StartTask(const RequestPtr& request) {
  request->task_timer = {};
  if (request->answered || request->task) return;
  request->task = tasks_.Create(request->context.principal, timers_.clock().Wall());
  if (!request->task) return;
  request->task->request = request;
  request->task->scopes = request->tool->info.scopes;
  LeaveFlight(*request);
  request->time_limit = TaskTimeLimit(*request);
  ArmDeadline(request);
  WireTaskContext(request);
  static_cast<void>(
      timers_.At(timers_.clock().Now() + options_.limits.task_ttl, [this, task = request->task] {
        EndTask(*task, CancelCause::kDeadline);
        tasks_.Forget(task->id);
      }));
  ResultWriter out(request->id, request->revision, modern_meta_, "task");
  tasks_.Append(*request->task, out.json());
  LogOutcome(*request, "task", "", "");
  TellObservers(*request, 0);
  Session& session = *std::exchange(request->session, nullptr);
  std::exchange(request->outbox, nullptr)->Send(Outbox::Kind::kReply, out.Finish());
  session.Remove(request->key);
  ReleaseSlot(*request);
}

// Nobody hears its progress or logs; how far it is stands in its status.
void Server::WireTaskContext(const RequestPtr& request) {
  request->context.progress = [this, weak = std::weak_ptr(request)](
                                  double done, std::optional<double> total, std::string_view text) {
    const RequestPtr alive = weak.lock();
    if (!alive || alive->answered) return;
    alive->task->message = StatusText(done, total, text);
    SetTaskStatus(alive->task, alive->task->status);
  };
}

// How far it was says nothing about its next state.
void Server::SetTaskStatus(const std::shared_ptr<TaskRecord>& task, TaskStatus status) {
  if (task->over()) return;
  if (status == TaskStatus::kInputRequired) {
    task->message = "Waiting for input from the client";
  } else if (task->status == TaskStatus::kInputRequired) {
    task->message.clear();
  }
  task->status = status;
  task->updated_at = timers_.clock().Wall();
  TaskChanged(task);
}

void Server::TaskChanged(const std::shared_ptr<TaskRecord>& task) {
  if (std::exchange(task->tell_due, true)) return;
  static_cast<void>(timers_.At(timers_.clock().Now() + options_.limits.change_gather, [this, task] {
    task->tell_due = false;
    std::string members;
    json::JsonWriter writer(members);
    writer.BeginObject();
    AppendDetails(*task, writer);
    subscriptions_.SendTask(task->id, members.substr(1));
  }));
}

void Server::FinishTask(Request& request, Reply reply) {
  request.answered = true;
  LeaveFlight(request);
  const WallTime now = timers_.clock().Wall();
  request.task->message = reply ? "" : reply.error().message;
  if (reply) {
    tasks_.Settle(*request.task, TaskStatus::kCompleted, ResultOf(*std::move(reply), request.id),
                  now);
  } else {
    tasks_.Settle(*request.task, TaskStatus::kFailed, EncodeErrorObject(reply.error()), now);
  }
  TaskChanged(request.task);
}

// Cancelled, if it is not over.
void Server::EndTask(TaskRecord& task, CancelCause cause) {
  if (!task.over()) task.message = WhyCancelled(cause);
  tasks_.Settle(task, TaskStatus::kCancelled, "", timers_.clock().Wall());
  const RequestPtr request = task.request.lock();
  if (!request || request->answered) return;
  request->answered = true;
  LeaveFlight(*request);
  LogOutcome(*request, "cancelled", "", "");
  CancelSource source = request->cancel;
  source.Cancel(cause);
}

Params<std::shared_ptr<TaskRecord>> Server::TaskOf(const Request& request) const {
  const auto id = RequiredString(request.params, "taskId", "params.taskId", kTaskIdBytesMax);
  if (!id) return tl::unexpected(id.error());
  auto task = tasks_.Find(*id, request.context.principal);
  if (!task) return InvalidParams("Task " + std::string(*id) + " not found");
  return task;
}

void Server::AppendDetails(const TaskRecord& task, json::JsonWriter& out) const {
  tasks_.Append(task, out);
  if (task.status == TaskStatus::kCompleted) out.RawField("result", task.outcome);
  if (task.status == TaskStatus::kFailed) out.RawField("error", task.outcome);
  if (task.status != TaskStatus::kInputRequired) return;
  if (const RequestPtr request = task.request.lock()) AppendInputRequests(*request->inquiry, out);
}

Server::Reply Server::GetTask(const Request& request) {
  const auto task = TaskOf(request);
  if (!task) return tl::unexpected(task.error());
  ResultWriter out(request.id, request.revision, modern_meta_);
  AppendDetails(**task, out.json());
  return out.Finish();
}

Server::Reply Server::UpdateTask(const Request& request) {
  const auto task = TaskOf(request);
  if (!task) return tl::unexpected(task.error());
  const json::View responses = request.params.Find("inputResponses").value_or(json::View());
  if (!responses.IsObject()) return InvalidParams("params.inputResponses must be an object");
  const RequestPtr asking = (*task)->request.lock();
  if (asking && (*task)->status == TaskStatus::kInputRequired) {
    auto taken = TakeTaskAnswers(responses, *asking->inquiry);
    if (!taken) return tl::unexpected(std::move(taken).error());
    const bool all = asking->inquiry->open.empty();
    SetTaskStatus(*task, all ? TaskStatus::kWorking : TaskStatus::kInputRequired);
    if (all) asking->inquiry->changed.cancel();
  }
  return ResultWriter(request.id, request.revision, modern_meta_).Finish();
}

Params<void> Server::TakeTaskAnswers(json::View responses, Inquiry& inquiry) {
  for (const OpenQuestion& open : inquiry.open) {
    const auto answer = responses.Find(open.name);
    if (answer && !answer->IsObject()) {
      return InvalidParams("params.inputResponses." + open.name + " must be an object");
    }
  }
  std::erase_if(inquiry.open, [&](OpenQuestion& open) {
    const auto answer = responses.Find(open.name);
    if (!answer) return false;
    if (AnswerFits(open.question.request, *answer)) {
      inquiry.told.emplace(open.question.key, answer->ToJson());
      return true;
    }
    open.name = FreshName(open.question.key, inquiry);
    return false;
  });
  return {};
}

// Names are unique for the task's life, so a question that is asked again gets another.
std::string Server::FreshName(const std::string& key, Inquiry& inquiry) {
  std::string name = key;
  for (int try_number = 2; !inquiry.names.insert(name).second; ++try_number) {
    name = key + "-" + std::to_string(try_number);
  }
  return name;
}

Server::Reply Server::CancelTask(const Request& request) {
  const auto task = TaskOf(request);
  if (!task) return tl::unexpected(task.error());
  if (!(*task)->over()) {
    EndTask(**task, CancelCause::kClient);
    TaskChanged(*task);
  }
  return ResultWriter(request.id, request.revision, modern_meta_).Finish();
}

}  // namespace ducat::mcp
