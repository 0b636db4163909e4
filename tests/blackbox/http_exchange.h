#pragma once
// Talking to a `ducat serve` on a port of loopback, one request a connection: what the tests of the
// real executable share.

#include <string>
#include <string_view>

#include "ducat_process.h"

namespace ducat::testing {

// What the server prints when it listens: its port, 0 when it never does.
[[nodiscard]] int PortOf(DucatProcess& server);

// One request on a connection of its own, until the server closes it.
[[nodiscard]] std::string Exchange(int port, std::string_view request);

// A modern tools/call. `headers` are whole lines with their CR LF.
[[nodiscard]] std::string CallTool(int port, std::string_view tool, std::string_view arguments,
                                   std::string_view headers = "");

}  // namespace ducat::testing
