#include "worker/child/job_loop.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/text.h"
#include "json/decode.h"
#include "json/encode.h"
#include "worker/child/engine/connection.h"
#include "worker/child/exit_codes.h"
#include "worker/child/frame_output.h"
#include "worker/job_error.h"

namespace ducat::worker::child {
namespace {

constexpr size_t kMessageBytesMax = size_t{64} << 10;
// The arguments of a job were bounded by the caller's message; they nest inside the order.
constexpr json::ParseLimits kOrderLimits{.depth_max = 128, .nodes_max = 1'000'000};
// A whole catalog: ten thousand files, tables with all their columns.
constexpr json::ParseLimits kCatalogLimits{.nodes_max = 8'000'000};
// Then the database file is free for writers (analyst.md 2.3).
constexpr std::chrono::seconds kDatabaseIdle{2};

[[noreturn]] void ExitBroken(const Error& error) {
  std::fprintf(stderr, "ducat-worker: %s: %s\n", error.reason.c_str(), error.message.c_str());
  _exit(kExitBroken);
}

}  // namespace

JobLoop::JobLoop(Channel& channel, const Hello& hello, engine::Connection& connection,
                 std::vector<JobEntry> jobs)
    : channel_(channel),
      hello_(hello),
      connection_(connection),
      jobs_(std::move(jobs)),
      state_(connection, catalog_),
      guard_(hello.profile, hello.data_dir),
      watch_([&connection] { connection.Interrupt(); }) {}

void JobLoop::Run() {
  std::thread([this] { ReadFrames(); }).detach();
  for (;;) {
    const Order order = NextOrder();
    if (order.kind == FrameKind::kCatalog) {
      ApplyCatalog(order.payload);
    } else {
      RunJob(order);
    }
  }
}

void JobLoop::ReadFrames() {
  for (;;) {
    const Result<Channel::Input> input =
        channel_.Read(watch_.Attend(), [this](const Frame& frame) { return Take(frame); });
    if (!input) ExitBroken(input.error());
    if (*input == Channel::Input::kEnd) _exit(0);
  }
}

Status JobLoop::Take(const Frame& frame) {
  const uint64_t job = frame.header.job;
  switch (frame.header.kind) {
    case FrameKind::kCancel:
      watch_.Cancel(job);
      return {};
    case FrameKind::kJob: {
      json::Document document;
      TRY_ASSIGN(const json::View view, document.Parse(frame.payload, kOrderLimits));
      TRY_ASSIGN(const JobOrder order, json::Decode<JobOrder>(view));
      watch_.Expect(
          job, std::chrono::steady_clock::now() + std::chrono::milliseconds(order.deadline_ms));
      break;
    }
    case FrameKind::kCatalog:
      break;
    default:
      return Internal("HELLO twice, or a frame of the other direction");
  }
  const std::lock_guard lock(inbox_mutex_);
  inbox_.push_back({.kind = frame.header.kind, .job = job, .payload = std::string(frame.payload)});
  inbox_filled_.notify_one();
  return {};
}

JobLoop::Order JobLoop::NextOrder() {
  std::unique_lock lock(inbox_mutex_);
  const auto filled = [this] { return !inbox_.empty(); };
  if (connection_.database_attached() && !inbox_filled_.wait_for(lock, kDatabaseIdle, filled)) {
    lock.unlock();
    connection_.DetachDatabase();
    lock.lock();
  }
  inbox_filled_.wait(lock, filled);
  Order order = std::move(inbox_.front());
  inbox_.pop_front();
  return order;
}

void JobLoop::ApplyCatalog(const std::string& payload) {
  json::Document document;
  const Result<json::View> view = document.Parse(payload, kCatalogLimits);
  if (!view) ExitBroken(view.error());
  const Result<CatalogDelta> delta = json::Decode<CatalogDelta>(*view);
  if (!delta) ExitBroken(delta.error());
  // A catalog that cannot be applied leaves this worker of no use; the control process binds
  // another.
  const Status applied = catalog_.Apply(*delta, connection_);
  if (!applied) ExitBroken(applied.error());
}

void JobLoop::RunJob(const Order& order) {
  json::Document document;
  const Result<json::View> view = document.Parse(order.payload, kOrderLimits);
  if (!view) ExitBroken(view.error());
  const auto name = view->Find("name");
  const auto entry = std::find_if(jobs_.begin(), jobs_.end(), [&](const JobEntry& job) {
    return name && job.name == name->AsString();
  });
  FrameOutput output(channel_, watch_, order.job);
  const std::function<bool()> interrupted = [this] { return watch_.cause() != CancelCause::kNone; };
  JobContext context{.hello = hello_,
                     .connection = connection_,
                     .catalog = catalog_,
                     .output = output,
                     .interrupted = interrupted,
                     .guard = guard_};
  // Before anything of the job happens: an end that comes earlier is not the job's.
  channel_.Write(FrameKind::kStarted, order.job, {});
  watch_.Begin();
  Result<std::string> result = Internal("no such job");
  if (entry != jobs_.end()) {
    result = Call(*entry, context, view->Find("arguments").value_or(json::View()));
  }
  output.Flush();
  if (SendEnd(order.job, std::move(result))) CheckState();
}

Result<std::string> JobLoop::Call(const JobEntry& entry, JobContext& context,
                                  json::View arguments) {
  if (const CancelCause cause = watch_.cause(); cause != CancelCause::kNone) {
    return Failure(EndedEarly(cause, {}));
  }
  Result<std::string> result = CallGuarded(entry, context, arguments);
  if (result) return result;
  const std::string& reason = result.error().reason;
  const CancelCause cause = watch_.cause();
  if (cause == CancelCause::kNone || reason == "memory_limit" || reason == "temp_limit") {
    return result;
  }
  // Whatever the engine called it: the job ended because it was interrupted.
  return Failure(EndedEarly(cause, {}));
}

Result<std::string> JobLoop::CallGuarded(const JobEntry& entry, JobContext& context,
                                         json::View arguments) {
  try {
    return entry.run(context, arguments);
  } catch (const std::bad_alloc&) {
    return Failure(MemoryLimit());
  } catch (const std::exception& exception) {
    return Internal(std::string("foreign exception: ") + exception.what());
  } catch (...) {
    return Internal("foreign exception");
  }
}

bool JobLoop::SendEnd(uint64_t job, Result<std::string> result) {
  // An internal error leaves the engine in a state that nobody knows (guard.md F19).
  JobEnd end{.retire = connection_.is_broken()};
  if (result) {
    if (!result->empty()) end.counters.json = std::move(*result);
  } else {
    // A database that was replaced, or whose log is new, can be read by a new worker alone.
    const bool is_stale = result.error().reason == "database_invalid";
    if (is_stale || result.error().code == ErrorCode::kInternal) end.retire = true;
    end.error = ToFailure(std::move(result).error());
    end.error->message = ClipUtf8(end.error->message, kMessageBytesMax);
    end.error->hint = ClipUtf8(end.error->hint, kMessageBytesMax);
  }
  // The watch ends before DONE leaves: what comes after DONE is the next job's.
  watch_.End();
  channel_.Write(FrameKind::kDone, job, json::Encode(end));
  return !end.retire;
}

// After the answer, so that no call pays for it: a job that comes meanwhile has not begun, and the
// control process gives it to another worker when this one ends here.
void JobLoop::CheckState() {
  const std::string change = state_.FindChange();
  if (change.empty()) return;
  ExitBroken(Error{.code = ErrorCode::kInternal,
                   .reason = "engine_lockdown",
                   .message = "a job changed the engine: " + change});
}

}  // namespace ducat::worker::child
