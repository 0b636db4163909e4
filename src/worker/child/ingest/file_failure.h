#pragma once
// Engine errors while a file is read, as the reasons that a catalog entry carries (analyst.md 10).
// The message keeps the engine's words about the place (line, byte) and loses paths and advice.
// Pure.

#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/child/engine/connection.h"

namespace ducat::ingest {

// True when trying another way of reading is useless: interrupted, out of memory or disk, engine
// broken.
[[nodiscard]] bool IsFinal(const engine::EngineError& error);

// `paths`: absolute paths that must not appear; the engine is told them, callers are not.
[[nodiscard]] Error FileFailure(const engine::EngineError& error,
                                std::initializer_list<std::string_view> paths);

}  // namespace ducat::ingest
