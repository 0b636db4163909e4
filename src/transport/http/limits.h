#pragma once
// Limits of the HTTP transport (protocol.md 7.7, 7.8, 9), each with its name, default and flag
// (`--limit-<name>` unless said otherwise). Plain values: the app fills them from flags, tests make
// them small.

#include <chrono>
#include <cstddef>

namespace ducat::transport {

struct HttpLimits {
  size_t body_bytes_max = size_t{4} << 20U;             // --max-body
  size_t head_bytes_max = size_t{16} << 10U;            // head-bytes
  size_t header_lines_max = 100;                        // header-lines
  size_t target_bytes_max = 2'048;                      // target-bytes
  size_t connections_max = 4'096;                       // connections
  size_t requests_max = 1'024;                          // requests: in flight in all
  size_t unsent_bytes_max = size_t{1} << 20U;           // unsent-bytes: of one stream
  size_t unsent_events_max = 256;                       // unsent-events: of one stream
  size_t sessions_max = 10'000;                         // sessions
  size_t sessions_per_principal_max = 1'000;            // sessions-per-principal
  size_t replay_events_max = 256;                       // --replay-events: of one session
  size_t replay_bytes_max = size_t{1} << 20U;           // replay-bytes: of one session
  std::chrono::milliseconds handshake_time{10'000};     // handshake-time: of TLS
  std::chrono::milliseconds head_time{10'000};          // head-time: from its first byte
  std::chrono::milliseconds body_time{60'000};          // body-time
  std::chrono::milliseconds body_grace{10'000};         // then at least body_rate_min
  size_t body_rate_min = 1'024;                         // body-rate: bytes a second
  std::chrono::milliseconds idle{120'000};              // idle: between requests
  std::chrono::milliseconds stalled_write{30'000};      // stalled-write
  std::chrono::milliseconds session_idle{30 * 60'000};  // --session-idle
  std::chrono::milliseconds replay_ttl{5 * 60'000};     // --replay-ttl
  std::chrono::milliseconds drain{10'000};              // --drain
};

// Not limits: when an answer that is on its way becomes a stream, and how often a silent one
// speaks.
inline constexpr std::chrono::milliseconds kStreamAfter{3'000};
inline constexpr std::chrono::milliseconds kKeepAliveEvery{15'000};

}  // namespace ducat::transport
