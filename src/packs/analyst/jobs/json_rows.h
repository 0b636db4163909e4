#pragma once
// JsonRows: the rows of a job's own statement, every value as the JSON text that callers see
// (analyst.md 7). For statistics and samples: small results only. Job thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"

namespace ducat::analyst {

using JsonRow = std::vector<std::string>;

[[nodiscard]] engine::EngineResult<std::vector<JsonRow>> FetchJson(engine::Connection& connection,
                                                                   std::string_view sql);

// Reading such texts back: counts of our own statements, which are numbers or null.
[[nodiscard]] int64_t AsInteger(std::string_view json);
[[nodiscard]] double AsDouble(std::string_view json);
[[nodiscard]] inline bool IsNull(std::string_view json) {
  return json == "null";
}

// At most `characters_max` characters of a text, and nested values of more as text, cut with "…".
// Numbers, booleans and null stay.
[[nodiscard]] std::string ClipJson(std::string json, size_t characters_max);

}  // namespace ducat::analyst
