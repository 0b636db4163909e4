#include "base/iso_time.h"

#include <chrono>

#include "base/text.h"

namespace ducat {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kSecondsPerMinute = 60;
constexpr int64_t kSecondsPerDay = 86'400;
constexpr size_t kDateLength = 10;
constexpr size_t kFractionDigits = 6;

// Takes pieces off the start of a text.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Exactly `count` digits, of a number that is at most `highest`.
  std::optional<int64_t> Digits(size_t count, int64_t highest) {
    if (rest_.size() < count) return std::nullopt;
    int64_t value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (!IsAsciiDigit(c)) return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value <= highest ? std::optional(value) : std::nullopt;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// The digits after a point, as microseconds.
std::optional<int64_t> Fraction(Scan& scan) {
  size_t count = 0;
  while (count < scan.rest().size() && IsAsciiDigit(scan.rest()[count])) {
    ++count;
  }
  if (count == 0 || count > kFractionDigits) return std::nullopt;
  std::optional<int64_t> micros = scan.Digits(count, kMicrosPerSecond);
  for (size_t i = count; micros.has_value() && i < kFractionDigits; ++i) {
    *micros *= 10;
  }
  return micros;
}

// HH:MM[:SS[.f]] as microseconds.
std::optional<int64_t> TimeOfDay(Scan& scan) {
  const auto hour = scan.Digits(2, 23);
  if (!hour || !scan.Take(':')) return std::nullopt;
  const auto minute = scan.Digits(2, 59);
  if (!minute) return std::nullopt;
  int64_t micros = (*hour * 60 + *minute) * kSecondsPerMinute * kMicrosPerSecond;
  if (!scan.Take(':')) return micros;
  const auto second = scan.Digits(2, 59);
  if (!second) return std::nullopt;
  micros += *second * kMicrosPerSecond;
  if (!scan.Take('.')) return micros;
  const auto fraction = Fraction(scan);
  if (!fraction) return std::nullopt;
  return micros + *fraction;
}

// What is to be added for UTC; nothing at the end is a time as it stands.
std::optional<int64_t> ZoneMicros(Scan& scan) {
  if (scan.rest().empty()) return 0;
  if (scan.Take('Z') || scan.Take('z')) return 0;
  const bool east = scan.Take('+');
  if (!east && !scan.Take('-')) return std::nullopt;
  const auto hours = scan.Digits(2, 23);
  if (!hours || !scan.Take(':')) return std::nullopt;
  const auto minutes = scan.Digits(2, 59);
  if (!minutes) return std::nullopt;
  const int64_t micros = (*hours * 60 + *minutes) * kSecondsPerMinute * kMicrosPerSecond;
  return east ? -micros : micros;
}

}  // namespace

std::optional<int64_t> DaysOfIsoDate(std::string_view text) {
  Scan scan(text);
  const auto year = scan.Digits(4, 9999);
  if (!year || !scan.Take('-')) return std::nullopt;
  const auto month = scan.Digits(2, 12);
  if (!month || !scan.Take('-')) return std::nullopt;
  const auto day = scan.Digits(2, 31);
  if (!day || !scan.rest().empty()) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::optional<int64_t> MicrosOfIsoTimestamp(std::string_view text) {
  const auto days = DaysOfIsoDate(text.substr(0, kDateLength));
  if (!days) return std::nullopt;
  const int64_t midnight = *days * kSecondsPerDay * kMicrosPerSecond;
  if (text.size() == kDateLength) return midnight;
  Scan scan(text.substr(kDateLength));
  if (!scan.Take('T') && !scan.Take('t') && !scan.Take(' ')) return std::nullopt;
  const auto clock = TimeOfDay(scan);
  if (!clock) return std::nullopt;
  const auto zone = ZoneMicros(scan);
  if (!zone || !(scan.rest().empty())) return std::nullopt;
  return midnight + *clock + *zone;
}

}  // namespace ducat
