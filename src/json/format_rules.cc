#include "json/format_rules.h"

#include <algorithm>
#include <optional>

#include "base/iso_time.h"
#include "base/text.h"

namespace ducat::json {

namespace {

// The number that exactly `count` digits at `at` spell.
std::optional<unsigned> Digits(std::string_view text, size_t at, size_t count) {
  if (text.size() < at + count) return std::nullopt;
  unsigned value = 0;
  for (const char c : text.substr(at, count)) {
    if (!IsAsciiDigit(c)) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

bool IsDate(std::string_view text) {
  return DaysOfIsoDate(text).has_value();
}

bool IsOffset(std::string_view text) {
  if (text == "Z" || text == "z") return true;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return false;
  const auto hours = Digits(text, 1, 2);
  const auto minutes = Digits(text, 4, 2);
  return hours && minutes && *hours <= 23 && *minutes <= 59;
}

bool IsDateTime(std::string_view text) {
  constexpr size_t kTimeAt = 11;
  if (text.size() < 20 || !IsDate(text.substr(0, 10)) || AsciiLower(text[10]) != 't') return false;
  const auto hour = Digits(text, kTimeAt, 2);
  const auto minute = Digits(text, kTimeAt + 3, 2);
  const auto second = Digits(text, kTimeAt + 6, 2);
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) return false;
  if (text[kTimeAt + 2] != ':' || text[kTimeAt + 5] != ':') return false;
  size_t i = kTimeAt + 8;
  if (text[i] == '.') {
    const size_t fraction = ++i;
    while (i < text.size() && IsAsciiDigit(text[i])) {
      ++i;
    }
    if (i == fraction) return false;
  }
  return IsOffset(text.substr(i));
}

bool IsUri(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return false;
  const auto is_letter = [](char c) { return AsciiLower(c) >= 'a' && AsciiLower(c) <= 'z'; };
  const auto in_scheme = [&](char c) {
    return is_letter(c) || IsAsciiDigit(c) || c == '+' || c == '-' || c == '.';
  };
  const auto in_rest = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte < 0x7F &&
           std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
  };
  return is_letter(text[0]) && std::ranges::all_of(text.substr(0, colon), in_scheme) &&
         std::ranges::all_of(text.substr(colon + 1), in_rest);
}

}  // namespace

bool FitsFormat(Format format, std::string_view text) {
  switch (format) {
    case Format::kNone:
      return true;
    case Format::kDate:
      return IsDate(text);
    case Format::kDateTime:
      return IsDateTime(text);
    case Format::kUri:
      return IsUri(text);
  }
  return true;
}

}  // namespace ducat::json
