#pragma once
// The engine's physical plan as text, for "query" with EXPLAIN and for "explain_query". Fails with
// what the engine says. Job thread.

#include <cstdint>
#include <string>
#include <string_view>

#include "worker/child/engine/connection.h"

namespace ducat::analyst {

inline constexpr int64_t kPlanCharactersMax = 20'000;

// Runs an EXPLAIN statement that the guard has passed and gives what it prints.
[[nodiscard]] engine::EngineResult<std::string> PlanText(engine::Connection& connection,
                                                         std::string_view explain_sql,
                                                         const engine::NamedParameters& parameters);

}  // namespace ducat::analyst
