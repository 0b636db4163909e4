#pragma once
// Flags of limits that no other flag names, each --limit-<name> (protocol.md 9). A table, so that a
// limit, its flag and its help stand on one line. The applying functions fail with a sentence that
// says what is allowed. Constants.

#include <array>

#include "app/setting_values.h"
#include "app/settings.h"

namespace ducat::app {

inline constexpr std::string_view kLimitGroup = "Limits";

// Far beyond any use, and small enough that no sum of sizes overflows.
inline constexpr int64_t kLimitMost = int64_t{1} << 32;
inline constexpr int64_t kDepthMost = 1'024;  // what reads JSON goes down by recursion
inline constexpr uint64_t kBufferLeast = 1'024;

template <auto Limit, int64_t Most>
Status ApplyCount(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const int64_t count, ParseWhole(value, 1, Most));
  Limit(settings) = static_cast<size_t>(count);
  return {};
}

template <auto Limit>
Status ApplySize(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const uint64_t bytes, ParseBytes(value, kBufferLeast));
  Limit(settings) = static_cast<size_t>(bytes);
  return {};
}

template <auto Limit>
Status ApplyTime(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const std::chrono::milliseconds time, ParseDuration(value));
  if (time.count() <= 0) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_setting", "expected a time above 0");
  }
  Limit(settings) = time;
  return {};
}

// `Limit` gives the place of the limit in the settings.
template <auto Limit, int64_t Most = kLimitMost>
constexpr Flag CountFlag(std::string_view name, std::string_view help,
                         FlagScope scope = FlagScope::kServers) {
  return {.name = name,
          .value = "N",
          .help = help,
          .reference_env = "",
          .apply = &ApplyCount<Limit, Most>,
          .group = kLimitGroup,
          .scope = scope};
}

template <auto Limit>
constexpr Flag SizeFlag(std::string_view name, std::string_view help, FlagScope scope) {
  return {.name = name,
          .value = "SIZE",
          .help = help,
          .reference_env = "",
          .apply = &ApplySize<Limit>,
          .group = kLimitGroup,
          .scope = scope};
}

template <auto Limit>
constexpr Flag TimeFlag(std::string_view name, std::string_view help) {
  return {.name = name,
          .value = "TIME",
          .help = help,
          .reference_env = "",
          .apply = &ApplyTime<Limit>,
          .group = kLimitGroup,
          .scope = FlagScope::kServers};
}

inline constexpr std::array kLimitFlags{
    SizeFlag<[](Settings& s) -> size_t& { return s.stdio.line_bytes_max; }>(
        "limit-stdio-line", "one line of input; 10MiB", FlagScope::kStdio),
    SizeFlag<[](Settings& s) -> size_t& { return s.stdio.unwritten_bytes_max; }>(
        "limit-stdio-unsent", "unwritten output, then reading stops; 64MiB", FlagScope::kStdio),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.json.depth_max; }, kDepthMost>(
        "limit-json-depth", "levels of a message; 64"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.json.nodes_max; }>(
        "limit-json-nodes", "values in a message; 200000"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.batch_max; }>(
        "limit-batch", "messages of a batch; 100"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.tool_name_bytes_max; }>(
        "limit-tool-name", "bytes of a tool's or prompt's name; 128"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.uri_bytes_max; }>(
        "limit-uri", "bytes of a URI; 2048"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.cursor_bytes_max; }>(
        "limit-cursor", "bytes of a cursor; 512"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.request_state_bytes_max; }>(
        "limit-request-state", "bytes of a requestState; 8192"),
    TimeFlag<[](Settings& s) -> std::chrono::milliseconds& {
      return s.protocol.request_state_ttl;
    }>("limit-request-state-time", "how long it holds; 10min"),
    TimeFlag<[](Settings& s) -> std::chrono::milliseconds& { return s.protocol.client_wait; }>(
        "limit-client-wait", "for a client's answer; 60s"),
    TimeFlag<[](Settings& s) -> std::chrono::milliseconds& { return s.protocol.elicitation_wait; }>(
        "limit-elicitation-wait", "for its user's answer; 10min"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.tasks_max; }>(
        "limit-tasks", "tasks that are kept; 1000"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.tasks_per_principal_max; }>(
        "limit-tasks-per-principal", "tasks of one client; 100"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.task_results_bytes_max; }>(
        "limit-task-results", "bytes of kept results; 16777216"),
    TimeFlag<[](Settings& s) -> std::chrono::milliseconds& { return s.protocol.task_ttl; }>(
        "limit-task-time", "how long a task is kept; 1h"),
    TimeFlag<[](Settings& s) -> std::chrono::milliseconds& { return s.protocol.task_deadline; }>(
        "limit-task-deadline", "how long a task may run; 1h"),
    TimeFlag<[](Settings& s) -> std::chrono::milliseconds& { return s.protocol.task_after; }>(
        "limit-task-after", "a call that runs longer becomes a task; 5s"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.in_flight_max; }>(
        "limit-stdio-requests", "requests in flight; 256", FlagScope::kStdio),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.calls_running_max; }>(
        "limit-calls-running", "calls at a time; 64"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.calls_waiting_max; }>(
        "limit-calls-waiting", "calls that wait for others; 256"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.calls_per_principal_max; }>(
        "limit-calls-per-principal", "calls in flight of one client; 32"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.subscriptions_max; }>(
        "limit-subscriptions", "listen streams; 1024"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.subscriptions_per_principal_max; }>(
        "limit-subscriptions-per-principal", "listen streams of one client; 64"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.subscribed_uris_max; }>(
        "limit-subscribed-uris", "URIs of one subscription; 256"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.log_lines_max; }>(
        "limit-log-lines", "log messages to the client per request; 50"),
    CountFlag<[](Settings& s) -> size_t& { return s.protocol.result_bytes_max; }>(
        "limit-result", "bytes of one result; 1048576"),
    CountFlag<[](Settings& s) -> size_t& { return s.pool.queue_max; }>(
        "limit-jobs-waiting", "jobs that wait for a worker; 32", FlagScope::kCalls),
    CountFlag<[](Settings& s) -> size_t& { return s.analyst.scan.files_max; }>(
        "limit-files", "files of the data directory; 100000", FlagScope::kCalls),
    CountFlag<[](Settings& s) -> size_t& { return s.analyst.unpack_ratio_max; }>(
        "limit-unpack-ratio", "unpacked bytes for each packed one, above 64 MiB; 1000",
        FlagScope::kCalls),
};

}  // namespace ducat::app
