#pragma once
// What this kernel offers for the cage of a worker (guard.md 4.5), asked without starting one: a
// command that needs a strict cage can say at once that it will not get it. Any thread; nothing is
// changed.

#include <string>
#include <vector>

namespace ducat::worker {

struct SandboxSupport {
  int landlock_abi = 0;  // 0: Landlock is missing or switched off
  bool seccomp = false;  // without it no worker starts, whatever the setting

  // Names of what is missing, as in Ready::missing.
  [[nodiscard]] std::vector<std::string> missing() const;
};

[[nodiscard]] SandboxSupport ProbeSandbox();

}  // namespace ducat::worker
