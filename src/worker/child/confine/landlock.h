#pragma once
// Landlock: the file-system cage of a worker (guard.md 4.2), by system call, since libc has no
// wrappers. Handles every right the running kernel knows, so that what is not granted is denied.
// Applies to the calling thread and to what it starts: before any other thread, after no_new_privs.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace ducat::worker::child {

struct LandlockRules {
  std::vector<std::string> readable;           // files and directories; must exist
  std::vector<std::string> readable_if_there;  // skipped when missing
  std::vector<std::string> writable;           // directories
};

// `abi` > 0 as the kernel says (worker/sandbox_support.h). Fails with reason "sandbox_failed";
// nothing is confined then.
[[nodiscard]] Status RestrictFiles(const LandlockRules& rules, int abi);

}  // namespace ducat::worker::child
