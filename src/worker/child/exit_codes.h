#pragma once
// How a worker ends by itself (guard.md 4.1 and 4.5); the control process reports the number and
// tells a kernel without a layer of the cage from an engine that does not start.

namespace ducat::worker::child {

inline constexpr int kExitUsage = 64;   // started by hand
inline constexpr int kExitBroken = 70;  // a layer or the engine does not hold, or a broken frame
inline constexpr int kExitSandboxMissing = 78;  // strict, and the kernel lacks a layer

}  // namespace ducat::worker::child
