#include "examples/calendar.h"

#include <chrono>

#include <fmt/format.h>

namespace ducat::examples {

namespace {
constexpr int64_t kSecondsPerDay = 86400;
}

Day MakeDay(Date date) {
  const std::chrono::year_month_day calendar{std::chrono::year(date.year),
                                             std::chrono::month(static_cast<unsigned>(date.month)),
                                             std::chrono::day(static_cast<unsigned>(date.day))};
  return Day{static_cast<int>(std::chrono::sys_days(calendar).time_since_epoch().count())};
}

Date ToDate(Day day) {
  const std::chrono::year_month_day calendar{std::chrono::sys_days(std::chrono::days(day.days))};
  return Date{.year = static_cast<int>(calendar.year()),
              .month = static_cast<int>(static_cast<unsigned>(calendar.month())),
              .day = static_cast<int>(static_cast<unsigned>(calendar.day()))};
}

Second AtSecondOfDay(Day day, int second_of_day) {
  return Second{day.days * kSecondsPerDay + second_of_day};
}

std::string DayText(Day day) {
  const Date date = ToDate(day);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::string SecondText(Second at, char separator) {
  const int64_t rest = at.seconds % kSecondsPerDay;
  return fmt::format("{}{}{:02}:{:02}:{:02}",
                     DayText(Day{static_cast<int>(at.seconds / kSecondsPerDay)}), separator,
                     rest / 3600, rest / 60 % 60, rest % 60);
}

std::string GermanDayText(Day day) {
  const Date date = ToDate(day);
  return fmt::format("{:02}.{:02}.{:04}", date.day, date.month, date.year);
}

}  // namespace ducat::examples
