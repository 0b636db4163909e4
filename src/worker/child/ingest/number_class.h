#pragma once
// Written numbers, as classes of values (analyst.md 3.4): plain ones, and those with separators or
// units. Pure; any thread.

#include <optional>
#include <string_view>

#include "worker/child/ingest/value_class.h"

namespace ducat::ingest {

// 12, -1.5, 1e3, 007; nothing when it is not written like that.
[[nodiscard]] std::optional<ValueClass> PlainNumber(std::string_view value);
// 1,234.50 or $5 or 10 %; kText when neither decimal separator makes it a number.
[[nodiscard]] ValueClass FormattedNumber(std::string_view value);

}  // namespace ducat::ingest
