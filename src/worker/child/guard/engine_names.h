#pragma once
// Names in the engine's messages: what it did not find, what it offers instead, and how a name is
// written in SQL. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"

namespace ducat::guard {

// The text between the first pair of double quotes; empty: none.
[[nodiscard]] std::string FirstQuoted(std::string_view message);
// The column that a binder error says is not there, in each of the engine's ways to say so.
[[nodiscard]] std::optional<std::string> MissingColumn(const engine::EngineError& error);
// "column x must appear in the GROUP BY clause": x, which may not be there at all.
[[nodiscard]] std::optional<std::string> UngroupedColumn(std::string_view message);
// Names that the engine offers in the place of a missing one, at most five.
[[nodiscard]] std::vector<std::string> OfferedNames(const engine::EngineError& error);
// What to do about a missing column: near names as they are written, else what there is.
[[nodiscard]] std::string ColumnHint(const std::string& name,
                                     const std::vector<std::string>& offered);

}  // namespace ducat::guard
