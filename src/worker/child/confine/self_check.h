#pragma once
// The cage tried from inside (guard.md 4.1 j): what must fail is attempted once before READY, so
// that a kernel or a set-up in which a layer does not hold is noticed before the first statement.

#include "base/result.h"
#include "worker/hello.h"

namespace ducat::worker::child {

// Fails with reason "sandbox_failed" when something succeeded that must not. `landlock`: files are
// checked.
[[nodiscard]] Status CheckCage(const Hello& hello, bool landlock);

}  // namespace ducat::worker::child
