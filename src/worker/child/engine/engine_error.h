#pragma once
// Reading the engine's errors (errors_as_json, guard.md F17): one JSON object, after a text prefix
// when the parser refuses; plain text from a few places. Never fails: what cannot be read is kept
// as the message.

#include <string_view>

#include "worker/child/engine/connection.h"

namespace ducat::engine {

[[nodiscard]] EngineError ParseEngineError(std::string_view text);

}  // namespace ducat::engine
