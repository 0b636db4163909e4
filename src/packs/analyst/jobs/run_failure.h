#pragma once
// Engine errors of statements that the jobs themselves write, as errors of a tool (guard.md 7).
// Such a statement is right by construction, so what fails is the data, a limit, or the engine.
// Pure.

#include <string_view>

#include "base/result.h"
#include "worker/child/engine/connection.h"

namespace ducat::analyst {

// `table`: whom the message names, as the catalog does.
[[nodiscard]] Error RunFailure(const engine::EngineError& error, std::string_view table);

}  // namespace ducat::analyst
