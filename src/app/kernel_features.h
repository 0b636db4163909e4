#pragma once
// What this kernel offers for confinement, asked before a server starts (guard.md 4.5). Two system
// calls; nothing is changed. Called by main.

#include <string>
#include <vector>

#include "app/settings.h"
#include "base/result.h"

namespace ducat::app {

struct KernelFeatures {
  int landlock_abi = 0;  // 0: not available
  bool seccomp = false;
};

[[nodiscard]] KernelFeatures AskKernel();

// Decides strict or best-effort and gives a warning for each feature that is missing. Fails with
// sandbox_missing (exit 78) when what is required is not there. `beyond_loopback`: the server
// listens for others than this machine's user.
[[nodiscard]] Result<std::vector<std::string>> ChooseSandbox(const KernelFeatures& kernel,
                                                             bool beyond_loopback,
                                                             Settings& settings);

}  // namespace ducat::app
