#pragma once
// Limits of the stdio transport (protocol.md 6, 9), apart from it so that settings need no Asio.
// The app may change them from flags, tests make them small. A plain value.

#include <cstddef>

namespace ducat::transport {

struct StdioLimits {
  size_t line_bytes_max = size_t{10} << 20U;
  size_t unwritten_bytes_max = size_t{64} << 20U;
};

}  // namespace ducat::transport
