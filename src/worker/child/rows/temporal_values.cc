// DATE, TIME*, TIMESTAMP*, INTERVAL. The proleptic Gregorian calendar of the engine; years before 1
// are "0044-03-15 (BC)", years above 9999 have more digits, as the engine prints them.
#include <array>
#include <limits>

#include "json/writer.h"
#include "worker/child/rows/cells.h"

namespace ducat::rows {
namespace {

using engine::TypeId;

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kSecondsPerDay = 86'400;
constexpr int32_t kMaxOffsetSeconds = 16 * 3600 - 1;  // of TIMETZ

void AppendPadded(std::string& out, uint64_t value, int width) {
  std::array<char, 20> digits{};
  size_t start = digits.size();
  for (; value > 0 || width > 0; value /= 10, --width) {
    digits[--start] = static_cast<char>('0' + value % 10);
  }
  out.append(digits.data() + start, digits.size() - start);
}

struct Day {
  int64_t year;  // 0 is 1 BC
  unsigned month, day;
};

// Days since 1970-01-01 to a date: years of 400 begin in March, so that the leap day is last.
Day DayOf(int64_t days) {
  const int64_t shifted = days + 719'468;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const auto day_of_era = static_cast<uint64_t>(shifted - era * 146'097);
  const uint64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const uint64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const uint64_t from_march = (5 * day_of_year + 2) / 153;
  const auto month = static_cast<unsigned>(from_march < 10 ? from_march + 3 : from_march - 9);
  const auto day = static_cast<unsigned>(day_of_year - (153 * from_march + 2) / 5 + 1);
  const int64_t year = static_cast<int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0);
  return {.year = year, .month = month, .day = day};
}

void AppendDay(std::string& out, int64_t days) {
  const Day day = DayOf(days);
  AppendPadded(out, static_cast<uint64_t>(day.year > 0 ? day.year : 1 - day.year), 4);
  out.push_back('-');
  AppendPadded(out, day.month, 2);
  out.push_back('-');
  AppendPadded(out, day.day, 2);
  if (day.year <= 0) out.append(" (BC)");
}

// "HH:MM:SS", then the fraction without trailing zeros, nothing when it is zero.
void AppendClock(std::string& out, uint64_t seconds, uint64_t nanos) {
  AppendPadded(out, seconds / 3600, 2);
  out.push_back(':');
  AppendPadded(out, seconds / 60 % 60, 2);
  out.push_back(':');
  AppendPadded(out, seconds % 60, 2);
  if (nanos == 0) return;
  out.push_back('.');
  AppendPadded(out, nanos, 9);
  while (out.back() == '0') {
    out.pop_back();
  }
}

template <int64_t UnitsPerSecond>
void AppendClock(std::string& out, int64_t units) {
  const auto value = static_cast<uint64_t>(units);
  AppendClock(out, value / UnitsPerSecond,
              value % UnitsPerSecond * (kNanosPerSecond / UnitsPerSecond));
}

// The largest value and its negative stand for infinity in every one of these types.
template <class T>
bool AppendInfinity(std::string& out, T value) {
  if (value == std::numeric_limits<T>::max()) {
    out.append("\"infinity\"");
  } else if (value == -std::numeric_limits<T>::max()) {
    out.append("\"-infinity\"");
  } else {
    return false;
  }
  return true;
}

void AppendDate(const Cells& cells, uint64_t row, const ValueStyle& /*style*/, std::string& out) {
  const auto days = cells.vector.At<int32_t>(row);
  if (AppendInfinity(out, days)) return;
  out.push_back('"');
  AppendDay(out, days);
  out.push_back('"');
}

template <int64_t UnitsPerSecond>
void AppendTime(const Cells& cells, uint64_t row, const ValueStyle& /*style*/, std::string& out) {
  out.push_back('"');
  AppendClock<UnitsPerSecond>(out, cells.vector.At<int64_t>(row));
  out.push_back('"');
}

template <int64_t UnitsPerSecond, bool HasZone>
void AppendTimestamp(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto units = cells.vector.At<int64_t>(row);
  if (AppendInfinity(out, units)) return;
  constexpr int64_t kUnitsPerDay = kSecondsPerDay * UnitsPerSecond;
  int64_t days = units / kUnitsPerDay;
  int64_t rest = units % kUnitsPerDay;
  if (rest < 0) {
    rest += kUnitsPerDay;
    --days;
  }
  out.push_back('"');
  AppendDay(out, days);
  out.push_back(style.iso_times ? 'T' : ' ');
  AppendClock<UnitsPerSecond>(out, rest);
  if (HasZone) out.append(style.iso_times ? "+00:00" : "+00");
  out.push_back('"');
}

// Microseconds in the upper 40 bits; below them the offset, reversed so that order is right.
void AppendTimeTz(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto bits = cells.vector.At<uint64_t>(row);
  const int32_t offset = kMaxOffsetSeconds - static_cast<int32_t>(bits & 0xFFFFFFU);
  const auto seconds = static_cast<uint64_t>(offset < 0 ? -offset : offset);
  out.push_back('"');
  AppendClock<1'000'000>(out, static_cast<int64_t>(bits >> 24U));
  out.push_back(offset < 0 ? '-' : '+');
  AppendPadded(out, seconds / 3600, 2);
  if (style.iso_times || seconds % 3600 != 0) {
    out.push_back(':');
    AppendPadded(out, seconds / 60 % 60, 2);
  }
  if (seconds % 60 != 0) {
    out.push_back(':');
    AppendPadded(out, seconds % 60, 2);
  }
  out.push_back('"');
}

void AppendInterval(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto interval = cells.vector.At<engine::Interval>(row);
  out.append("{\"months\":");
  json::JsonWriter(out).Integer(interval.months);
  out.append(",\"days\":");
  json::JsonWriter(out).Integer(interval.days);
  out.append(",\"micros\":");
  if (style.wide_integers_as_text) {
    out.append("\"" + std::to_string(interval.micros) + "\"");
  } else {
    json::JsonWriter(out).Integer(interval.micros);
  }
  out.push_back('}');
}

}  // namespace

AppendFunction TemporalWriter(TypeId id) {
  switch (id) {
    case TypeId::kDate:
      return &AppendDate;
    case TypeId::kTime:
      return &AppendTime<1'000'000>;
    case TypeId::kTimeNs:
      return &AppendTime<kNanosPerSecond>;
    case TypeId::kTimeTz:
      return &AppendTimeTz;
    case TypeId::kTimestamp:
      return &AppendTimestamp<1'000'000, false>;
    case TypeId::kTimestampTz:
      return &AppendTimestamp<1'000'000, true>;
    case TypeId::kTimestampS:
      return &AppendTimestamp<1, false>;
    case TypeId::kTimestampMs:
      return &AppendTimestamp<1'000, false>;
    case TypeId::kTimestampNs:
      return &AppendTimestamp<kNanosPerSecond, false>;
    case TypeId::kInterval:
      return &AppendInterval;
    default:
      return nullptr;
  }
}

}  // namespace ducat::rows
