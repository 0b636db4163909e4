#pragma once
// The system calls of a worker (guard.md 4.3): an allow-list with argument checks, everything else
// EPERM. Loaded once, before any other thread; it can never be taken back.

#include "base/result.h"

namespace ducat::worker::child {

// Fails with reason "sandbox_failed" when the kernel has no seccomp filters; always fatal.
[[nodiscard]] Status LoadSeccompFilter();

}  // namespace ducat::worker::child
