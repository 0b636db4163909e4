#include "worker/child/ingest/value_class.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace ducat::ingest {
namespace {

constexpr size_t kSmallDigits = 15;
constexpr size_t kInt64Digits = 19;
constexpr size_t kWideDigits = 38;
constexpr size_t kDoubleDigits = 17;
constexpr size_t kWordBytesMax = 32;
constexpr size_t kUuidBytes = 36;
constexpr size_t kIsoDateBytes = 10;

// Reads a value from its front.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  [[nodiscard]] bool done() const { return text_.empty(); }
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  char TakeOneOf(std::string_view any) {
    if (text_.empty() || any.find(text_.front()) == std::string_view::npos) return '\0';
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }
  bool Take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  // The run of digits, which may be empty.
  std::string_view Digits() {
    size_t n = 0;
    while (n < text_.size() && IsAsciiDigit(text_[n])) {
      ++n;
    }
    const std::string_view digits = text_.substr(0, n);
    text_.remove_prefix(n);
    return digits;
  }
  // Exactly `n` digits as a number; -1 when they are not there.
  int Number(size_t n) {
    if (text_.size() < n) return -1;
    int value = 0;
    for (size_t i = 0; i < n; ++i) {
      if (!IsAsciiDigit(text_[i])) return -1;
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(n);
    return value;
  }

 private:
  std::string_view text_;
};

bool IsDate(int year, int month, int day) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  const int days = month == 2 && is_leap ? 29 : kDays[static_cast<size_t>(month) - 1];
  return day <= days;
}

// HH:MM[:SS[.f]]; `seconds` tells whether seconds were written. 24:00 only as the end of a day.
bool TakeTime(Reader& reader, bool may_be_24, bool& seconds) {
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
bool TakeZone(Reader& reader) {
  if (reader.Take('Z')) return reader.done();
  if (reader.TakeOneOf("+-") == '\0') return false;
  const int hours = reader.Number(2);
  if (hours < 0 || hours > 15) return false;
  if (reader.done()) return true;
  reader.Take(':');
  const int minutes = reader.Number(2);
  return minutes >= 0 && minutes <= 59 && reader.done();
}

TextClass YearFirst(std::string_view value) {
  Reader reader(value);
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

// One or two digits as a number; -1 when there are none or more.
int ShortNumber(Reader& reader) {
  const std::string_view digits = reader.Digits();
  if (digits.empty() || digits.size() > 2) return -1;
  int value = 0;
  for (const char c : digits) {
    value = value * 10 + (c - '0');
  }
  return value;
}

// 31/12/2024 and its kind: the order is known when only one reading is a date.
ValueClass YearLast(std::string_view value) {
  constexpr ValueClass kNoDate{};
  Reader reader(value);
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

struct NumberForm {
  bool valid = false;
  char sign = '\0';
  std::string_view whole, fraction;
  bool has_point = false, has_exponent = false;
};

NumberForm ReadNumber(std::string_view value) {
  NumberForm form;
  Reader reader(value);
  form.sign = reader.TakeOneOf("+-");
  form.whole = reader.Digits();
  form.has_point = reader.Take('.');
  if (form.has_point) form.fraction = reader.Digits();
  if (form.whole.empty() && form.fraction.empty()) return form;
  if (reader.TakeOneOf("eE") != '\0') {
    form.has_exponent = true;
    reader.TakeOneOf("+-");
    if (reader.Digits().empty()) return form;
  }
  form.valid = reader.done();
  return form;
}

// Without leading zeros and, behind a point, without trailing ones.
size_t SignificantDigits(const NumberForm& form) {
  std::string_view fraction = form.fraction;
  while (fraction.ends_with('0')) {
    fraction.remove_suffix(1);
  }
  const size_t whole =
      form.whole.size() - std::min(form.whole.find_first_not_of('0'), form.whole.size());
  if (whole > 0) return whole + fraction.size();
  return fraction.size() - std::min(fraction.find_first_not_of('0'), fraction.size());
}

bool IsZero(std::string_view digits) {
  return digits.find_first_not_of('0') == std::string_view::npos;
}

// True when a double can be near: neither infinite nor zero for what is not zero.
bool IsInRange(std::string_view value, const NumberForm& form) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc::result_out_of_range) return false;
  return std::isfinite(number) && (number != 0 || (IsZero(form.whole) && IsZero(form.fraction)));
}

TextClass Integer(const NumberForm& form) {
  constexpr std::string_view kMax = "9223372036854775807";
  constexpr std::string_view kMin = "9223372036854775808";
  const size_t digits = form.whole.size();
  if (digits <= kSmallDigits) return kSmallInteger;
  if (digits < kInt64Digits) return kInteger64;
  if (digits == kInt64Digits && form.whole <= (form.sign == '-' ? kMin : kMax)) return kInteger64;
  return digits <= kWideDigits ? kInteger128 : kLostNumber;
}

TextClass Number(std::string_view value, const NumberForm& form) {
  const bool is_code =
      form.sign == '+' || (form.whole.size() > 1 && form.whole.front() == '0') || value == "-0";
  if (is_code) return kCode;
  if (!form.has_point && !form.has_exponent) return Integer(form);
  const bool is_short = value.size() <= kDoubleDigits && !form.has_exponent;
  if (is_short) return kNumber;
  if (SignificantDigits(form) <= kDoubleDigits && IsInRange(value, form)) {
    return form.has_exponent ? kExponent : kNumber;
  }
  const bool fits = form.whole.size() + form.fraction.size() <= kWideDigits;
  return fits && !form.has_exponent ? kLongNumber : kLostNumber;
}

// -?(0|[1-9][0-9]{0,14}),[0-9]{1,15} of at most 18 characters: exact as a double.
bool IsCommaNumber(std::string_view value) {
  if (value.size() > kDoubleDigits + 1) return false;
  Reader reader(value);
  reader.Take('-');
  const std::string_view whole = reader.Digits();
  if (whole.empty() || whole.size() > kSmallDigits || (whole.size() > 1 && whole[0] == '0')) {
    return false;
  }
  if (!reader.Take(',')) return false;
  const std::string_view fraction = reader.Digits();
  return !fraction.empty() && fraction.size() <= kSmallDigits && reader.done();
}

bool TakeUnit(Reader& reader, bool percent) {
  if (percent && reader.Take('%')) return true;
  return reader.Take('$') || reader.Take("€") || reader.Take("£") || reader.Take("¥");
}

// A number with separators or a unit, read with one decimal separator: 1,234.50 or $5 or 10 %.
struct FormattedForm {
  bool valid = false;
  uint32_t whole = 0, fraction = 0;  // digits
};

// Groups of three behind a first one that is no zero, all set off alike.
bool TakeGroups(Reader& reader, std::string_view separators, FormattedForm& form, bool& spaced) {
  const uint32_t first = form.whole;
  char used = '\0';
  while (const char separator = reader.TakeOneOf(separators)) {
    const std::string_view group = reader.Digits();
    spaced = group.empty() && separator == ' ';
    if (spaced) return true;
    if (group.size() != 3 || first > 3 || (used != '\0' && used != separator)) return false;
    used = separator;
    form.whole += 3;
  }
  return true;
}

FormattedForm ReadFormatted(std::string_view value, char decimal) {
  FormattedForm form;
  Reader reader(value);
  reader.TakeOneOf("+-");
  TakeUnit(reader, /*percent=*/false);
  reader.Take(' ');
  const std::string_view first = reader.Digits();
  if (first.empty()) return form;
  form.whole = static_cast<uint32_t>(first.size());
  bool spaced = false;
  if (!TakeGroups(reader, decimal == '.' ? ", '" : ". '", form, spaced)) return form;
  if (form.whole > first.size() && first.front() == '0') return form;
  if (!spaced && reader.Take(decimal)) {
    form.fraction = static_cast<uint32_t>(reader.Digits().size());
    if (form.fraction == 0) return form;
    spaced = reader.Take(' ');
  }
  const bool has_unit = TakeUnit(reader, /*percent=*/true);
  form.valid = reader.done() && (has_unit || !spaced);
  return form;
}

// Text when neither decimal separator makes it a number.
ValueClass Formatted(std::string_view value) {
  if (value.size() > kWordBytesMax) return {};
  const FormattedForm point = ReadFormatted(value, '.');
  const FormattedForm comma = ReadFormatted(value, ',');
  if (!point.valid && !comma.valid) return {};
  ValueClass found{.text_class = IsCommaNumber(value) ? kDecimalComma : kFormattedNumber};
  for (const FormattedForm& form : {point, comma}) {
    if (!form.valid) continue;
    found.whole_digits = std::max(found.whole_digits, form.whole);
    found.fraction_digits = std::max(found.fraction_digits, form.fraction);
  }
  if (found.fraction_digits > 0) found.marks |= kFractional;
  if (!comma.valid) found.marks |= kPointOnly;
  if (!point.valid) found.marks |= kCommaOnly;
  const bool differ = point.valid && comma.valid && point.fraction != comma.fraction;
  if (differ) found.marks |= kPointOrComma;
  return found;
}

// Of a plain number.
ValueMarks MarksOf(const NumberForm& form) {
  ValueMarks marks = form.has_exponent ? kScientific : 0;
  if (!form.has_point) return marks;
  const bool is_group = !form.has_exponent && form.fraction.size() == 3 && !form.whole.empty() &&
                        form.whole.size() <= 3 && form.whole.front() != '0';
  return marks | kFractional | (is_group ? kPointOrComma : kPointOnly);
}

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
  Reader reader(value);
  bool seconds = false;
  if (TakeTime(reader, /*may_be_24=*/true, seconds) && reader.done()) {
    return {.text_class = kTimeOfDay};
  }
  if (value == "-" || value == "--" || value == ".") return {.text_class = kNullWord};
  if (value == "-inf" || value == "-Infinity") return {.text_class = kSpecialNumber};
  if (IsUuid(value)) return {.text_class = kUuid};
  return Formatted(value);
}

ValueClass BeginsLikeNumber(std::string_view value) {
  const NumberForm form = ReadNumber(value);
  if (form.valid) {
    return {.text_class = Number(value, form),
            .whole_digits = static_cast<uint32_t>(form.whole.size()),
            .fraction_digits = static_cast<uint32_t>(form.fraction.size()),
            .marks = MarksOf(form)};
  }
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
  return Formatted(value);
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
