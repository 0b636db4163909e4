#pragma once
// The engine's refusals in the words and positions of the caller's text (guard.md 7 to 9). What the
// engine says never goes out as it is: no paths, no wrapper, no catalog names. Pure.

#include <string>
#include <string_view>

#include "worker/child/engine/connection.h"
#include "worker/child/guard/finding.h"
#include "worker/child/guard/guard.h"

namespace ducat::guard {

// The first line of what the engine says, at most 500 bytes, without the folders of any path in it.
[[nodiscard]] std::string EngineWords(std::string_view message);
// Stage 4: a text that the parser refuses. `position` of the error counts characters of the parsed
// text.
[[nodiscard]] Finding ParserFinding(const engine::EngineError& error, std::string_view parsed);
// Binding and running: the finding's span is in the text that ran.
[[nodiscard]] Finding EngineFinding(const engine::EngineError& error);

}  // namespace ducat::guard
