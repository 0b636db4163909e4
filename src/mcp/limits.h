#pragma once
// Limits of the protocol core (protocol.md 9, 10). Each is named here with its default; the app may
// change them from flags, tests make them small.

#include <chrono>
#include <cstddef>

#include "json/view.h"

namespace ducat::mcp {

struct Limits {
  json::ParseLimits json;  // of a message
  size_t batch_max = 100;
  size_t tool_name_bytes_max = 128;
  size_t uri_bytes_max = 2'048;
  size_t cursor_bytes_max = 512;
  size_t request_state_bytes_max = 8'192;
  size_t in_flight_max = 256;  // requests of one stdio session
  size_t calls_running_max = 64;
  size_t calls_waiting_max = 256;
  size_t calls_per_principal_max = 32;  // running or waiting
  size_t page_size = 100;
  size_t completions_max = 100;
  size_t subscriptions_max = 1'024;
  size_t subscriptions_per_principal_max = 64;
  size_t subscribed_uris_max = 256;  // of one subscription or legacy session
  size_t log_lines_max = 50;         // to the client, per request
  size_t instructions_max = 800;     // characters
  size_t result_bytes_max = size_t{1} << 20U;
  size_t tasks_max = 1'000;
  size_t tasks_per_principal_max = 100;
  // Results kept for tasks, all together: above it no call becomes a task.
  size_t task_results_bytes_max = size_t{16} << 20U;
  std::chrono::milliseconds call_deadline{55'000};
  std::chrono::milliseconds call_deadline_with_progress{300'000};
  std::chrono::milliseconds task_deadline{3'600'000};
  std::chrono::milliseconds task_after{5'000};  // a call that runs longer becomes a task
  std::chrono::milliseconds task_ttl{3'600'000};
  std::chrono::milliseconds request_state_ttl{600'000};
  std::chrono::milliseconds client_wait{60'000};        // for the client's own answer
  std::chrono::milliseconds elicitation_wait{600'000};  // for its user's
  std::chrono::milliseconds change_gather{100};
};

}  // namespace ducat::mcp
