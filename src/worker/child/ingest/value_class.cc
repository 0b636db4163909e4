#include "worker/child/ingest/value_class.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <optional>

#include "base/text.h"
#include "worker/child/ingest/date_class.h"
#include "worker/child/ingest/number_class.h"

namespace ducat::ingest {
namespace {

constexpr size_t kWordBytesMax = 32;
constexpr size_t kUuidBytes = 36;
constexpr size_t kIsoDateBytes = 10;

// The canonical spelling: lower case, 8-4-4-4-12.
bool IsUuid(std::string_view value) {
  if (value.size() != kUuidBytes) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool right = is_dash ? c == '-' : IsAsciiDigit(c) || (c >= 'a' && c <= 'f');
    if (!right) return false;
  }
  return true;
}

ValueClass Otherwise(std::string_view value) {
  if (const ValueClass date = YearLast(value); date.text_class != kText) return date;
  if (IsTimeOfDay(value)) return {.text_class = kTimeOfDay};
  if (value == "-" || value == "--" || value == ".") return {.text_class = kNullWord};
  if (value == "-inf" || value == "-Infinity") return {.text_class = kSpecialNumber};
  if (IsUuid(value)) return {.text_class = kUuid};
  return FormattedNumber(value);
}

ValueClass BeginsLikeNumber(std::string_view value) {
  if (const std::optional<ValueClass> number = PlainNumber(value)) return *number;
  const bool year_first = value.size() >= kIsoDateBytes && (value[4] == '-' || value[4] == '/');
  if (year_first && IsAsciiDigit(value[3])) {
    const TextClass found = YearFirst(value);
    if (found != kText || value.size() != kUuidBytes) return {.text_class = found};
  }
  return Otherwise(value);
}

bool IsOneOf(std::string_view value, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), value) != words.end();
}

ValueClass Word(std::string_view value) {
  // Every word below is short, and so is what most text is not.
  if (value.size() <= 8) {
    if (EqualsIgnoringCase(value, "true") || EqualsIgnoringCase(value, "false")) {
      return {.text_class = kBooleanWord};
    }
    if (IsOneOf(value, {"NaN", "nan", "inf", "Infinity"})) return {.text_class = kSpecialNumber};
    for (const std::string_view word : {"n/a", "na", "null", "none", "nil", "#n/a", "?"}) {
      if (EqualsIgnoringCase(value, word)) return {.text_class = kNullWord};
    }
  }
  return FormattedNumber(value);
}

}  // namespace

ValueClass ClassifyValue(std::string_view value) {
  // + , - . / and the digits: one comparison sends most text to its class.
  if (value.front() >= '+' && value.front() <= '9') return BeginsLikeNumber(value);
  if (value.size() <= kWordBytesMax) return Word(value);
  return {.text_class = IsUuid(value) ? kUuid : kText};
}

void ColumnFacts::Add(const ValueClass& value) {
  ++values;
  classes |= value.text_class;
  ++counts[static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(value.text_class)))];
  whole_digits = std::max(whole_digits, value.whole_digits);
  fraction_digits = std::max(fraction_digits, value.fraction_digits);
  marks |= value.marks;
}

void ColumnFacts::Merge(const ColumnFacts& other) {
  values += other.values;
  classes |= other.classes;
  needs_trim = needs_trim || other.needs_trim;
  for (size_t bit = 0; bit < counts.size(); ++bit) {
    counts[bit] += other.counts[bit];
  }
  whole_digits = std::max(whole_digits, other.whole_digits);
  fraction_digits = std::max(fraction_digits, other.fraction_digits);
  marks |= other.marks;
}

int64_t ColumnFacts::Count(TextClasses any) const {
  int64_t count = 0;
  for (size_t bit = 0; bit < counts.size(); ++bit) {
    if ((any >> bit & 1U) != 0) count += counts[bit];
  }
  return count;
}

std::string_view ColumnFacts::WithoutSpaces(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace ducat::ingest
