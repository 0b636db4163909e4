#pragma once
// Dates and times as ISO 8601 writes them, in the proleptic Gregorian calendar: days that exist, in
// years 0000 to 9999. Pure functions; any thread may call them. Nothing on text that is none.

#include <cstdint>
#include <optional>
#include <string_view>

namespace ducat {

// "2024-02-29" as days since 1970-01-01.
[[nodiscard]] std::optional<int64_t> DaysOfIsoDate(std::string_view text);

// "2024-02-29", "2024-02-29T18:30", "2024-02-29 18:30:05.250", each time also with "Z" or "+01:00",
// as microseconds since 1970-01-01T00:00:00. A zone is reckoned in; without one the time is taken
// as it stands. More than six digits of a fraction are none.
[[nodiscard]] std::optional<int64_t> MicrosOfIsoTimestamp(std::string_view text);

}  // namespace ducat
