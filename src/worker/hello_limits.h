#pragma once
// What a worker may use, from what HELLO says (guard.md 4.4). Used by the worker to set its limits
// and by the pool to judge its size. Pure.

#include <algorithm>
#include <cstdint>

#include "worker/hello.h"

namespace ducat::worker {

// Address space: two times the engine's limit and a gibibyte, and per thread above four a stack and
// a malloc arena.
[[nodiscard]] constexpr uint64_t AddressSpaceBytes(const Hello& hello) {
  const auto extra_threads = static_cast<uint64_t>(std::max(0, hello.threads - 4));
  return 2 * hello.memory_limit_bytes + (uint64_t{1} << 30) + extra_threads * (uint64_t{72} << 20);
}

// Largest file it may write.
[[nodiscard]] constexpr uint64_t FileBytesMax(const Hello& hello) {
  return hello.role == Role::kIngest ? std::max(hello.temp_limit_bytes, hello.file_bytes_max)
                                     : hello.temp_limit_bytes;
}

}  // namespace ducat::worker
