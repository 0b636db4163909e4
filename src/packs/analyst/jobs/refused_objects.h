#pragma once
// Tables and views of the attached --db that no job may read, because the SQL in them (a view's
// SELECT, a generated column) is not what a caller may run (guard.md P1, P2) or reads such an
// object. A value; job thread.

#include <map>
#include <string>
#include <utility>

#include "worker/child/engine/connection.h"

namespace ducat::analyst {

struct ObjectRefusal {
  std::string reason;  // view_not_allowed, column_not_allowed, engine_error (names nothing)
  std::string text;
};

// By schema and name.
using RefusedObjects = std::map<std::pair<std::string, std::string>, ObjectRefusal>;

// Binds and runs none of them.
[[nodiscard]] engine::EngineResult<RefusedObjects> FindRefusedObjects(
    engine::Connection& connection);

}  // namespace ducat::analyst
