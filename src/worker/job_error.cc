#include "worker/job_error.h"

#include <csignal>
#include <utility>

namespace ducat::worker {

Error QueryTimeout(std::chrono::milliseconds timeout) {
  const std::string limit = std::to_string(timeout.count());
  return Error{.code = ErrorCode::kDeadlineExceeded,
               .reason = "query_timeout",
               .message = "The query did not finish within " + limit + " ms and was stopped.",
               .hint =
                   "Filter or aggregate earlier, read fewer columns, or try a sample (USING SAMPLE "
                   "10000 ROWS).",
               .data = "\"timeout_ms\":" + limit};
}

Error Cancelled() {
  return Error{.code = ErrorCode::kCancelled,
               .reason = "cancelled",
               .message = "The call was cancelled before it finished.",
               .hint = "Send it again when its result is still wanted."};
}

Error EndedEarly(CancelCause cause, std::chrono::milliseconds timeout) {
  switch (cause) {
    case CancelCause::kDeadline:
      return QueryTimeout(timeout);
    case CancelCause::kNone:
    case CancelCause::kClient:
    case CancelCause::kShutdown:
      break;
  }
  return Cancelled();
}

Error MemoryLimit() {
  return Error{.code = ErrorCode::kResourceExhausted,
               .reason = "memory_limit",
               .message = "The statement needs more memory than a query may use.",
               .hint =
                   "Filter or aggregate before joining or sorting, avoid lists and strings over "
                   "whole tables, or read fewer columns."};
}

Error TempLimit() {
  return Error{
      .code = ErrorCode::kResourceExhausted,
      .reason = "temp_limit",
      .message = "The statement needs more temporary disk space than a query may use.",
      .hint = "Filter or aggregate before sorting or joining, or add a LIMIT to the sort."};
}

Error WorkerCrashed(std::string_view detail) {
  return Error{.code = ErrorCode::kUnavailable,
               .reason = "worker_crashed",
               .message = "The process that ran this call ended unexpectedly (" +
                          std::string(detail) + "). No table was lost.",
               .hint = "Try once more; when it happens again, write the statement differently.",
               .retryable = true,
               .data = "\"detail\":\"" + std::string(detail) + "\""};
}

Error WorkerUnavailable(std::string_view message) {
  return Error{.code = ErrorCode::kUnavailable,
               .reason = "worker_unavailable",
               .message = std::string(message),
               .hint =
                   "Try again in a moment. When it happens again, look into the server's log: it "
                   "says what keeps workers from starting.",
               .retryable = true};
}

Error Quarantined(std::chrono::seconds left) {
  const std::string seconds = std::to_string(left.count());
  return Error{.code = ErrorCode::kPermissionDenied,
               .reason = "quarantined",
               .message =
                   "This statement ended its worker process twice in ten minutes; it is "
                   "refused for another " +
                   seconds + " s.",
               .hint = "Write it differently: smaller steps, fewer rows, other functions.",
               .data = "\"retryAfter\":" + seconds};
}

Error Overloaded(size_t waiting) {
  return Error{
      .code = ErrorCode::kResourceExhausted,
      .reason = "overloaded",
      .message = "Too many calls are waiting for a worker (" + std::to_string(waiting) + ").",
      .hint = "Wait for running calls to end, then try again.",
      .retryable = true};
}

std::string SignalName(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGABRT:
      return "SIGABRT";
    case SIGBUS:
      return "SIGBUS";
    case SIGILL:
      return "SIGILL";
    case SIGFPE:
      return "SIGFPE";
    case SIGKILL:
      return "SIGKILL";
    case SIGTERM:
      return "SIGTERM";
    case SIGSYS:
      return "SIGSYS";
    case SIGXFSZ:
      return "SIGXFSZ";
    case SIGXCPU:
      return "SIGXCPU";
    case SIGPIPE:
      return "SIGPIPE";
    case SIGTRAP:
      return "SIGTRAP";
    default:
      return "signal " + std::to_string(signal);
  }
}

}  // namespace ducat::worker
