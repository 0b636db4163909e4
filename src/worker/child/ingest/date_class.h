#pragma once
// Written dates and times, as classes of values (analyst.md 3.4). What is no date of the calendar
// is text. Pure; any thread.

#include <string_view>

#include "worker/child/ingest/value_class.h"

namespace ducat::ingest {

// 2024-12-31 or 2024/12/31, also with a time and a zone; kText when it is none of these.
[[nodiscard]] TextClass YearFirst(std::string_view value);
// 31/12/2024 and its kind: the order is known when only one reading is a date.
[[nodiscard]] ValueClass YearLast(std::string_view value);
// HH:MM[:SS[.f]], 24:00 as the end of a day.
[[nodiscard]] bool IsTimeOfDay(std::string_view value);
// 20241231
[[nodiscard]] bool IsDateDigits(std::string_view digits);

}  // namespace ducat::ingest
