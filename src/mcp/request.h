#pragma once
// Request: one request from its routing to its reply. Shared by the session's in-flight table, the
// coroutine that serves it and the timers; ends when the last of them lets go. Control thread only.

#include <memory>
#include <string>

#include "base/cancel.h"
#include "json/view.h"
#include "mcp/batch.h"
#include "mcp/call_context.h"
#include "mcp/call_record.h"
#include "mcp/http_caller.h"
#include "mcp/inquiry.h"
#include "mcp/method.h"
#include "mcp/outbox.h"
#include "mcp/progress.h"
#include "mcp/revision.h"
#include "mcp/scopes.h"
#include "mcp/tasks.h"
#include "mcp/timer_queue.h"
#include "mcp/tool.h"

namespace ducat::mcp {

class Session;

struct Request : std::enable_shared_from_this<Request> {
  Session* session = nullptr;    // null once the session is gone; then nothing is sent
  Outbox* outbox = nullptr;      // valid while `session` is
  std::shared_ptr<Batch> batch;  // set for an element of a batch
  std::string id;                // raw token
  std::string key;               // IdKey: under it in the in-flight table
  Method method = Method::kPing;
  Revision revision = kModern;
  // Valid until the first suspension; `document` keeps them alive when serving starts later.
  json::View params;
  json::View arguments;
  json::Document document;
  json::Document arguments_document;  // when arguments came as a string of JSON
  std::shared_ptr<const Tool> tool;
  std::optional<LogLevel> log_threshold;  // empty: no log lines to the client
  size_t log_lines = 0;
  std::unique_ptr<ProgressReporter> progress;  // with a progress token only
  std::unique_ptr<Inquiry> inquiry;            // once it asks or has come with answers
  std::shared_ptr<TaskRecord> task;            // once it is one: session and outbox are gone
  bool may_become_task = false;
  std::unique_ptr<ObservedCall> observed;  // until it is told; with observers only
  CancelSource cancel;
  CallContext context;
  std::chrono::milliseconds time_limit{0};
  TimerQueue::Entry deadline_timer;
  TimerQueue::Entry task_timer;  // when it becomes a task
  MonotonicTime started_at;
  std::string_view transport;  // for the log: a literal
  Grant grant;                 // of its caller
  HttpCaller* http = nullptr;  // of its POST, while it is being received
  bool serving = false;        // its coroutine has begun
  bool counted = false;        // among its principal's calls in flight
  bool holds_slot = false;     // among the running calls
  bool answered = false;       // replied, cancelled or abandoned: nothing more is sent
};

}  // namespace ducat::mcp
