#pragma once
// The engine's lock-down (guard.md 5): which settings are set, in which order, and what they must
// read back as. Plain data made from EngineSettings; database.cc runs it. Any thread.

#include <cstdint>
#include <string>
#include <vector>

#include "worker/child/engine/connection.h"

namespace ducat::engine {

struct LockedSetting {
  std::string name;
  std::string statement;  // SQL that sets it; empty: it has the value already and must keep it
  std::string
      expected;  // what the engine reports afterwards; of a list: sorted, each with a newline
  bool is_list = false;
  bool is_compared = true;
};

// In the order in which they are set; settings that are only required come last.
[[nodiscard]] std::vector<LockedSetting> LockdownOf(const EngineSettings& settings);

// How the engine prints a size: "2.0 GiB", "512 bytes".
[[nodiscard]] std::string HumanBytes(uint64_t bytes);

}  // namespace ducat::engine
