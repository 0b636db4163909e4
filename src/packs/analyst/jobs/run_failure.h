#pragma once
// Engine errors of statements that the jobs themselves write, as errors of a tool (guard.md 7).
// Such a statement is right by construction, so what fails is the data, a limit, or the engine.
// Pure.

#include <string_view>

#include "base/result.h"
#include "worker/catalog.h"
#include "worker/child/engine/connection.h"

namespace ducat::analyst {

// The message names the table, its file, and what the engine says about it, without folders.
[[nodiscard]] Error RunFailure(const engine::EngineError& error, const worker::CatalogTable& table);
// As above for what is no table of the catalog: the database.
[[nodiscard]] Error RunFailure(const engine::EngineError& error, std::string_view name);
// A caller's statement over `table` that failed while it ran, `judged` as the guard words it: the
// fault may be the file's, which is read where it lies, and no change of the statement helps then.
[[nodiscard]] Error QueryFailure(const engine::EngineError& error, Error judged,
                                 const worker::CatalogTable& table);

}  // namespace ducat::analyst
