#include "worker/child/ingest/number_class.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "worker/child/ingest/date_class.h"
#include "worker/child/ingest/value_reader.h"

namespace ducat::ingest {
namespace {

constexpr size_t kSmallDigits = 15;
constexpr size_t kInt64Digits = 19;
constexpr size_t kWideDigits = 38;
constexpr size_t kDoubleDigits = 17;
constexpr size_t kFormattedBytesMax = 32;
constexpr size_t kDateDigits = 8;

struct NumberForm {
  bool valid = false;
  char sign = '\0';
  std::string_view whole, fraction;
  bool has_point = false, has_exponent = false;
};

NumberForm ReadNumber(std::string_view value) {
  NumberForm form;
  ValueReader reader(value);
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
  ValueReader reader(value);
  reader.Take('-');
  const std::string_view whole = reader.Digits();
  if (whole.empty() || whole.size() > kSmallDigits || (whole.size() > 1 && whole[0] == '0')) {
    return false;
  }
  if (!reader.Take(',')) return false;
  const std::string_view fraction = reader.Digits();
  return !fraction.empty() && fraction.size() <= kSmallDigits && reader.done();
}

bool TakeUnit(ValueReader& reader, bool percent) {
  if (percent && reader.Take('%')) return true;
  return reader.Take('$') || reader.Take("€") || reader.Take("£") || reader.Take("¥");
}

// A number with separators or a unit, read with one decimal separator: 1,234.50 or $5 or 10 %.
struct FormattedForm {
  bool valid = false;
  uint32_t whole = 0, fraction = 0;  // digits
};

// Groups of three behind a first one that is no zero, all set off alike.
bool TakeGroups(ValueReader& reader, std::string_view separators, FormattedForm& form,
                bool& spaced) {
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
  ValueReader reader(value);
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

// Of a plain number.
ValueMarks MarksOf(const NumberForm& form) {
  ValueMarks marks = form.has_exponent ? kScientific : 0;
  const bool is_date = !form.has_point && !form.has_exponent && form.sign == '\0' &&
                       form.whole.size() == kDateDigits && IsDateDigits(form.whole);
  marks |= is_date ? kDateLike : kNotDateLike;
  if (!form.has_point) return marks;
  const bool is_group = !form.has_exponent && form.fraction.size() == 3 && !form.whole.empty() &&
                        form.whole.size() <= 3 && form.whole.front() != '0';
  return marks | kFractional | (is_group ? kPointOrComma : kPointOnly);
}

}  // namespace

std::optional<ValueClass> PlainNumber(std::string_view value) {
  const NumberForm form = ReadNumber(value);
  if (!form.valid) return std::nullopt;
  return ValueClass{.text_class = Number(value, form),
                    .whole_digits = static_cast<uint32_t>(form.whole.size()),
                    .fraction_digits = static_cast<uint32_t>(form.fraction.size()),
                    .marks = MarksOf(form)};
}

ValueClass FormattedNumber(std::string_view value) {
  if (value.size() > kFormattedBytesMax) return {};
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

}  // namespace ducat::ingest
