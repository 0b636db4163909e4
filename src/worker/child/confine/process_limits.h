#pragma once
// The plain parts of the cage (guard.md 4.1 a, d, e, f): ties to the parent, resource limits, no
// new privileges, own namespaces. Main thread, before any other.

#include <sys/types.h>

#include "base/result.h"
#include "worker/hello.h"

namespace ducat::worker::child {

// Dies with the parent and shows its memory to nobody. False when `parent` is not the parent (any
// more).
[[nodiscard]] bool TieToParent(pid_t parent);
// RLIMIT_AS (not under sanitizers), FSIZE, NOFILE, CORE, STACK. Fails with reason "sandbox_failed".
[[nodiscard]] Status LimitResources(const Hello& hello);
[[nodiscard]] Status RefuseNewPrivileges();
// User, network and IPC namespaces where that needs no privilege; a bonus. True when they are
// there. Never as root, who would lose the right to read other users' files.
[[nodiscard]] bool EnterNamespaces();

}  // namespace ducat::worker::child
