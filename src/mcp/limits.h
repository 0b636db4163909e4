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
  std::chrono::milliseconds call_deadline{55'000};
  std::chrono::milliseconds call_deadline_with_progress{300'000};
  std::chrono::milliseconds change_gather{100};
};

}  // namespace ducat::mcp
