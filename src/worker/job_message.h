#pragma once
// Payloads of JOB and DONE (guard.md 3.2), described once for both halves. Plain values. What the
// control process reads from DONE was written by a worker: the pool checks it before anything of it
// is passed on.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/shape.h"

template <>
struct ducat::json::EnumNames<ducat::ErrorCode> {
  static constexpr std::array<std::string_view, 10> kNames{
      "invalid_argument",  "not_found",           "permission_denied",
      "unauthenticated",   "failed_precondition", "resource_exhausted",
      "deadline_exceeded", "cancelled",           "unavailable",
      "internal"};
};

namespace ducat::worker {

struct JobOrder {
  std::string name;
  json::AnyValue arguments{.json = "{}"};
  int64_t deadline_ms = 0;  // from the arrival of the frame

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&JobOrder::name>("name", "name of the job"),
                      Describe<&JobOrder::arguments>("arguments", "what the job gets"),
                      Describe<&JobOrder::deadline_ms>("deadline_ms", "time it may take")};
  }
};

struct JobFailure {
  ErrorCode code = ErrorCode::kInternal;
  std::string reason;
  std::string message;
  std::string hint;
  bool retryable = false;
  std::string data;  // members of error.data without braces

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&JobFailure::code>("code", "class of the failure"),
                      Describe<&JobFailure::reason>("reason", "stable id"),
                      Describe<&JobFailure::message>("message", "what is wrong"),
                      Describe<&JobFailure::hint>("hint", "what to do next"),
                      Describe<&JobFailure::retryable>("retryable", "the same call may succeed"),
                      Describe<&JobFailure::data>("data", "further members, as JSON")};
  }
};

// Success when `error` is absent.
struct JobEnd {
  std::optional<JobFailure> error;
  json::AnyValue counters{.json = "{}"};
  bool retire = false;  // the engine's state is in doubt: end this worker

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&JobEnd::error>("error", "why the job failed"),
        Describe<&JobEnd::counters>("counters", "figures of the job", {.default_json = "{}"}),
        Describe<&JobEnd::retire>("retire", "end this worker", {.default_json = "false"})};
  }
};

[[nodiscard]] JobFailure ToFailure(Error error);
[[nodiscard]] Error ToError(JobFailure failure);

}  // namespace ducat::worker
