#pragma once
// SQL that a database file brings along: the SELECT of a view, the expressions of generated
// columns. It runs when the object is read, so it is judged as a caller's statement is (guard.md
// 6.6), except that it may read no file and that its tables are only named. What cannot be read
// back is refused. Job thread.

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "worker/child/engine/connection.h"

namespace ducat::guard {

struct StoredVerdict {
  std::string refusal;           // names the function or file; empty: it may run
  std::set<std::string> tables;  // that it reads: lower case, without schema
};

// `create`: CREATE VIEW or CREATE TABLE as the engine writes it; `neighbours`: the objects of the
// same schema, in lower case.
[[nodiscard]] StoredVerdict JudgeStoredView(engine::Connection& connection, std::string_view create,
                                            const std::set<std::string, std::less<>>& neighbours);
[[nodiscard]] StoredVerdict JudgeGeneratedColumns(engine::Connection& connection,
                                                  std::string_view create);

}  // namespace ducat::guard
