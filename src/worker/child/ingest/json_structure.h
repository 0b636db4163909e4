#pragma once
// What the records of a JSON file have in common, as the engine finds it over all of them, and
// which columns are kept as JSON text because their values nest too deep or have keys that differ
// in case only, which no STRUCT can hold (analyst.md 3.5). Job thread.

#include <string>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/child/ingest/column_types.h"

namespace ducat::ingest {

// Nesting that is kept as structure (analyst.md 7.1).
inline constexpr int kStructureDepthMax = 64;
// Lists in one another: the time for writing and reading them doubles with each.
inline constexpr int kListDepthMax = 16;

struct JsonStructure {
  std::vector<engine::ResultColumn> columns;
  std::vector<engine::Type> types;
  std::vector<TypeFinding> findings;
  int depth = kStructureDepthMax;  // to which the engine may find structure by itself
};

// Options that every reading of JSON has.
[[nodiscard]] std::string JsonReaderOptions();
// `read_json` over the file with the types that the engine finds.
[[nodiscard]] std::string DetectedJson(const std::string& path, int depth);
[[nodiscard]] engine::EngineResult<JsonStructure> FindJsonStructure(engine::Connection& connection,
                                                                    const std::string& path);

}  // namespace ducat::ingest
