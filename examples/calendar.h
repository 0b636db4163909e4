#pragma once
// Days and seconds of the example data, as counts since 1970-01-01 UTC, and their ISO 8601 text.
// Plain values without time zone or locale.

#include <cstdint>
#include <string>

namespace ducat::examples {

struct Day {
  int days = 0;  // since 1970-01-01
};

struct Second {
  int64_t seconds = 0;  // since 1970-01-01T00:00:00Z
};

struct Date {
  int year = 0;
  int month = 0;
  int day = 0;
};

[[nodiscard]] Day MakeDay(Date date);
[[nodiscard]] Date ToDate(Day day);
[[nodiscard]] Second AtSecondOfDay(Day day, int second_of_day);

[[nodiscard]] std::string DayText(Day day);                       // 2025-03-04
[[nodiscard]] std::string SecondText(Second at, char separator);  // 2025-03-04T06:30:00
[[nodiscard]] std::string GermanDayText(Day day);                 // 04.03.2025

}  // namespace ducat::examples
