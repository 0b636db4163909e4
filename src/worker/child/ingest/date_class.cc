#include "worker/child/ingest/date_class.h"

#include <array>

#include "worker/child/ingest/value_reader.h"

namespace ducat::ingest {
namespace {

bool IsDate(int year, int month, int day) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  const int days = month == 2 && is_leap ? 29 : kDays[static_cast<size_t>(month) - 1];
  return day <= days;
}

// HH:MM[:SS[.f]]; `seconds` tells whether seconds were written. 24:00 only as the end of a day.
bool TakeTime(ValueReader& reader, bool may_be_24, bool& seconds) {
  const int hour = reader.Number(2);
  if (hour < 0 || hour > 24 || (hour == 24 && !may_be_24) || !reader.Take(':')) return false;
  const int minute = reader.Number(2);
  if (minute < 0 || minute > 59) return false;
  int second = 0;
  bool any_fraction = false;
  seconds = reader.Take(':');
  if (seconds) {
    second = reader.Number(2);
    if (second < 0 || second > 59) return false;
    if (reader.Take('.')) {
      const std::string_view fraction = reader.Digits();
      if (fraction.empty() || fraction.size() > 6) return false;
      any_fraction = fraction.find_first_not_of('0') != std::string_view::npos;
    }
  }
  return hour < 24 || (minute == 0 && second == 0 && !any_fraction);
}

// Z, +HH, +HHMM, +HH:MM
bool TakeZone(ValueReader& reader) {
  if (reader.Take('Z')) return reader.done();
  if (reader.TakeOneOf("+-") == '\0') return false;
  const int hours = reader.Number(2);
  if (hours < 0 || hours > 15) return false;
  if (reader.done()) return true;
  reader.Take(':');
  const int minutes = reader.Number(2);
  return minutes >= 0 && minutes <= 59 && reader.done();
}

// One or two digits as a number; -1 when there are none or more.
int ShortNumber(ValueReader& reader) {
  const std::string_view digits = reader.Digits();
  if (digits.empty() || digits.size() > 2) return -1;
  int value = 0;
  for (const char c : digits) {
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace

TextClass YearFirst(std::string_view value) {
  ValueReader reader(value);
  const int year = reader.Number(4);
  const char separator = reader.TakeOneOf("-/");
  const int month = reader.Number(2);
  if (separator == '\0' || !reader.Take(separator)) return kText;
  if (!IsDate(year, month, reader.Number(2))) return kText;
  if (reader.done()) return kIsoDate;
  if (separator != '-' || reader.TakeOneOf("T ") == '\0') return kText;
  bool seconds = false;
  if (!TakeTime(reader, /*may_be_24=*/false, seconds)) return kText;
  if (reader.done()) return kTimestamp;
  return seconds && TakeZone(reader) ? kTimestampZone : kText;
}

ValueClass YearLast(std::string_view value) {
  constexpr ValueClass kNoDate{};
  ValueReader reader(value);
  const int first = ShortNumber(reader);
  const char separator = reader.TakeOneOf("/.-");
  const int second = ShortNumber(reader);
  if (first < 0 || second < 0 || separator == '\0' || !reader.Take(separator)) return kNoDate;
  const int year = reader.Number(4);
  if (!reader.done()) return kNoDate;
  const bool day_first = IsDate(year, second, first);
  const bool month_first = IsDate(year, first, second);
  if (!day_first && !month_first) return kNoDate;
  const ValueMark mark = separator == '/' ? kSlashed : separator == '.' ? kDotted : kDashed;
  if (!month_first) return {.text_class = kDayFirst, .marks = mark};
  if (!day_first) return {.text_class = kMonthFirst, .marks = mark};
  return {.text_class = first == second ? kSameFirst : kEitherFirst, .marks = mark};
}

bool IsTimeOfDay(std::string_view value) {
  ValueReader reader(value);
  bool seconds = false;
  return TakeTime(reader, /*may_be_24=*/true, seconds) && reader.done();
}

bool IsDateDigits(std::string_view digits) {
  constexpr size_t kDateDigits = 8;
  if (digits.size() != kDateDigits) return false;
  ValueReader reader(digits);
  const int year = reader.Number(4);
  const int month = reader.Number(2);
  return IsDate(year, month, reader.Number(2));
}

}  // namespace ducat::ingest
