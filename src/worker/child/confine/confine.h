#pragma once
// Confine: all layers of the cage in the order of guard.md 4.1 (c) to (h). Main thread, before any
// other thread and before the engine is opened. There is no way back.

#include <string>
#include <vector>

#include "base/result.h"
#include "worker/hello.h"

namespace ducat::worker::child {

struct Cage {
  int landlock_abi = 0;  // 0: not applied
  bool namespaces = false;
  std::vector<std::string> missing;  // features that this kernel lacks
};

// Fails with reason "sandbox_missing" when `hello.sandbox` is strict and Landlock is not there
// (exit 78), "sandbox_failed" when a layer that is there could not be applied (exit 70).
[[nodiscard]] Result<Cage> Confine(const Hello& hello);

}  // namespace ducat::worker::child
