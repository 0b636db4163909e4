#pragma once
// The errors a job can end with whatever its kind (guard.md 3.3 and 7), written once so that both
// halves and every pack say the same. Pure functions; the texts are for the caller and name no path
// and no pid.

#include <chrono>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"

namespace ducat::worker {

[[nodiscard]] Error QueryTimeout(std::chrono::milliseconds timeout);
[[nodiscard]] Error Cancelled();
// The right one of the two for a token's cause.
[[nodiscard]] Error EndedEarly(CancelCause cause, std::chrono::milliseconds timeout);
[[nodiscard]] Error MemoryLimit();
[[nodiscard]] Error TempLimit();
// `detail`: the signal's name, "exit 70" or "frame"; goes into error.data.
[[nodiscard]] Error WorkerCrashed(std::string_view detail);
[[nodiscard]] Error WorkerUnavailable(std::string_view message);
[[nodiscard]] Error Quarantined(std::chrono::seconds left);
[[nodiscard]] Error Overloaded(size_t waiting);

// "SIGSEGV"; "signal 42" for one without a name here.
[[nodiscard]] std::string SignalName(int signal);

}  // namespace ducat::worker
