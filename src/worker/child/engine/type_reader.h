#pragma once
// From the C API's logical type to a Type, for the .cc files of this folder only (includes
// duckdb.h).

#include <set>
#include <string>
#include <string_view>

#include <duckdb.h>

#include "worker/child/engine/types.h"

namespace ducat::engine {

// The engine's keywords, lower case: field names among them are quoted in a type's text.
using Keywords = std::set<std::string, std::less<>>;

[[nodiscard]] Type ReadType(duckdb_logical_type type, const Keywords& keywords);

}  // namespace ducat::engine
