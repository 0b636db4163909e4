#include "app/setting_values.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/text.h"
#include "json/writer.h"

namespace ducat::app {
namespace {

Failure NotAllowed(std::string expected) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting", "expected " + std::move(expected));
}

template <class Number>
bool ParseAll(std::string_view text, Number& number) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [stop, problem] = std::from_chars(begin, end, number);
  return problem == std::errc() && stop == end && !text.empty();
}

std::string NumberText(double value) {
  std::string text;
  json::AppendShortest(text, value);
  return text;
}

struct Unit {
  std::string_view name;
  uint64_t size;  // in bytes or milliseconds
};
constexpr std::array kByteUnits{Unit{"kib", uint64_t{1} << 10},
                                Unit{"mib", uint64_t{1} << 20},
                                Unit{"gib", uint64_t{1} << 30},
                                Unit{"tib", uint64_t{1} << 40},
                                Unit{"kb", 1'000},
                                Unit{"mb", 1'000'000},
                                Unit{"gb", 1'000'000'000},
                                Unit{"tb", 1'000'000'000'000},
                                Unit{"b", 1}};
constexpr std::array kTimeUnits{Unit{"ms", 1}, Unit{"min", 60'000}, Unit{"s", 1'000},
                                Unit{"h", 3'600'000}};

// The number before the first unit that fits, and that unit's size; 1 for a number alone.
std::pair<std::string_view, uint64_t> SplitUnit(std::string_view text,
                                                std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    return {Trim(text.substr(0, text.size() - unit.name.size())), unit.size};
  }
  return {text, 1};
}

}  // namespace

Result<int64_t> ParseWhole(std::string_view text, int64_t least, int64_t most) {
  int64_t value = 0;
  if (!ParseAll(text, value) || value < least || value > most) {
    return NotAllowed("a whole number from " + std::to_string(least) + " to " +
                      std::to_string(most));
  }
  return value;
}

Result<uint64_t> ParseBytes(std::string_view text, uint64_t least) {
  const std::string lower = AsciiLower(Trim(text));
  const auto [digits, unit] = SplitUnit(lower, kByteUnits);
  uint64_t count = 0;
  if (!ParseAll(digits, count) || count > std::numeric_limits<int64_t>::max() / unit ||
      count * unit < least) {
    return NotAllowed("a size of at least " + BytesText(least) + ", such as 512MiB or 2GiB");
  }
  return count * unit;
}

Result<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  constexpr uint64_t kMostMs = uint64_t{30} * 24 * 3'600'000;
  const auto [digits, unit] = SplitUnit(Trim(text), kTimeUnits);
  uint64_t count = 0;
  if (!ParseAll(digits, count) || count < 1 || count > kMostMs / unit) {
    return NotAllowed("a time such as 500ms, 10s, 30min or 2h, at most 30 days");
  }
  return std::chrono::milliseconds(count * unit);
}

Result<std::chrono::milliseconds> ParseSeconds(std::string_view text, double least, double most) {
  double value = 0;
  if (!ParseAll(text, value) || !std::isfinite(value) || value < least || value > most) {
    return NotAllowed("seconds from " + NumberText(least) + " to " + NumberText(most));
  }
  return std::chrono::milliseconds(std::llround(value * 1000));
}

Result<bool> ParseSwitch(std::string_view text) {
  const std::string lower = AsciiLower(Trim(text));
  if (lower == "true" || lower == "1" || lower == "yes" || lower == "on") return true;
  if (lower == "false" || lower == "0" || lower == "no" || lower == "off") return false;
  return NotAllowed("true or false");
}

Result<size_t> ParseChoice(std::string_view text, std::span<const std::string_view> choices) {
  std::string all;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (EqualsIgnoringCase(Trim(text), choices[i])) return i;
    all += i == 0 ? "" : (i + 1 == choices.size() ? " or " : ", ");
    all += choices[i];
  }
  return NotAllowed(std::move(all));
}

std::string BytesText(uint64_t bytes) {
  for (const auto& [name, unit] : {Unit{"GiB", uint64_t{1} << 30}, Unit{"MiB", uint64_t{1} << 20},
                                   Unit{"KiB", uint64_t{1} << 10}}) {
    if (bytes >= unit && bytes % unit == 0) {
      return std::to_string(bytes / unit).append(" ").append(name);
    }
  }
  return std::to_string(bytes) + " bytes";
}

}  // namespace ducat::app
