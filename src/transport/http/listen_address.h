#pragma once
// ListenAddress: where the HTTP server listens (protocol.md 7.2): HOST:PORT with a numeric host or
// localhost, or unix:/path. Opening it gives a listening, non-blocking, close-on-exec descriptor.
// Called at the start; failures are sentences for people.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat::transport {

inline constexpr std::string_view kDefaultHttpAddress = "127.0.0.1:8931";

struct ListenAddress {
  std::string host;  // without brackets; empty for a Unix socket
  uint16_t port = 0;
  std::string unix_path;

  [[nodiscard]] bool is_unix() const { return !unix_path.empty(); }
  [[nodiscard]] bool is_loopback() const;
};

// Fails with "invalid_setting".
[[nodiscard]] Result<ListenAddress> ParseListenAddress(std::string_view text);

// Fails with "address_in_use" or "address_unavailable". A stale Unix socket is replaced only when
// nothing accepts on it; its mode is 0600.
[[nodiscard]] Result<int> OpenListener(const ListenAddress& address);

// The port that a listener got: for port 0.
[[nodiscard]] uint16_t BoundPort(int descriptor);

}  // namespace ducat::transport
