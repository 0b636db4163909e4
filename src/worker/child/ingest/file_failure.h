#pragma once
// Engine errors while a file is read, as the reasons that a catalog entry carries (analyst.md 10).
// The message keeps the engine's words about the place (line, byte) and loses paths and advice.
// Pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "worker/child/engine/connection.h"

namespace ducat::ingest {

// True when trying another way of reading is useless: interrupted, out of memory or disk, engine
// broken.
[[nodiscard]] bool IsFinal(const engine::EngineError& error);

// What a caller calls the file that the engine knows as `path`. No absolute path stays in the
// message: those of `hidden` are removed.
struct FileNames {
  std::string_view path;
  std::string_view name;
  std::vector<std::string_view> hidden;
};

// What to do about a file that is unreadable for `reason`; may be empty.
[[nodiscard]] std::string_view HintFor(std::string_view reason);

// The first sentence that says something: the rest is advice for people who type options.
[[nodiscard]] std::string EngineSentence(std::string message, const FileNames& names);

[[nodiscard]] Error FileFailure(const engine::EngineError& error, const FileNames& names);

}  // namespace ducat::ingest
