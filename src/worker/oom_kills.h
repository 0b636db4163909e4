#pragma once
// How often the kernel has killed a process of this machine for want of memory: `oom_kill` of
// /proc/vmstat (Linux 4.13 and later). Tells its SIGKILL from one that somebody sent. Stateless;
// any thread.

#include <cstdint>
#include <optional>
#include <string_view>

namespace ducat::worker {

// Nothing when the kernel does not say.
[[nodiscard]] std::optional<uint64_t> ReadOomKills();
[[nodiscard]] std::optional<uint64_t> ParseOomKills(std::string_view vmstat);

}  // namespace ducat::worker
