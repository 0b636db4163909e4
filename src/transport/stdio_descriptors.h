#pragma once
// The descriptors of the stdio transport (protocol.md 6). Claiming takes fd 0 and fd 1 away from
// everyone else: stray prints land on stderr, stray reads find nothing. Called once, first thing in
// a server's main, before anything can print.

#include "base/result.h"

namespace ducat::transport {

struct StdioDescriptors {
  int input = -1;
  int output = -1;
};

// Private, close-on-exec descriptors. Non-blocking where that does not touch a file description
// that others share. Fails with reason "stdio_unavailable" when fd 0 or 1 is closed.
[[nodiscard]] Result<StdioDescriptors> ClaimStdio();

// One descriptor made private: opened anew for a pipe or terminal, duplicated otherwise. `fd` stays
// open. For tests; ClaimStdio uses it.
[[nodiscard]] Result<int> PrivateDescriptor(int fd, bool for_writing);

}  // namespace ducat::transport
