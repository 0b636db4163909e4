#include "json/whole_number.h"

#include <charconv>

#include "base/text.h"
#include "json/shape_access.h"

namespace ducat::json {

namespace {

// 64 bits of mantissa: exact for every value here and every double bound.
long double Exact(const WholeNumber& number) {
  const auto magnitude = static_cast<long double>(number.magnitude);
  return number.negative ? -magnitude : magnitude;
}
static_assert(std::numeric_limits<long double>::digits >= 64);

}  // namespace

std::optional<WholeNumber> WholeNumber::FromView(View value) {
  if (const auto integer = value.AsInteger()) {
    const auto bits = static_cast<uint64_t>(*integer);
    if (*integer < 0) return WholeNumber{.negative = true, .magnitude = uint64_t{0} - bits};
    return WholeNumber{.magnitude = bits};
  }
  if (const auto natural = value.AsUnsigned()) return WholeNumber{.magnitude = *natural};
  return std::nullopt;
}

std::optional<WholeNumber> WholeNumber::FromText(std::string_view text) {
  WholeNumber number{.negative = text.starts_with('-')};
  if (number.negative) text.remove_prefix(1);
  if (text.empty() || !IsAsciiDigit(text[0]) || (text[0] == '0' && text.size() > 1)) {
    return std::nullopt;
  }
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto read = std::from_chars(begin, end, number.magnitude);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  if (number.magnitude == 0) number.negative = false;
  return number;
}

bool WholeNumber::IsBelow(double bound) const {
  return Exact(*this) < bound;
}
bool WholeNumber::IsAbove(double bound) const {
  return Exact(*this) > bound;
}

int WholeNumber::AgainstType(const Shape& shape) const {
  if (!shape.is_signed) {
    if (negative) return -1;
    return magnitude > HighestUnsigned(shape.size) ? 1 : 0;
  }
  const auto highest = static_cast<uint64_t>(HighestSigned(shape.size));
  if (negative) return magnitude > highest + 1 ? -1 : 0;
  return magnitude > highest ? 1 : 0;
}

void WholeNumber::Store(const Shape& shape, void* out) const {
  StoreInteger(out, shape.size, negative ? uint64_t{0} - magnitude : magnitude);
}

std::string LowestText(const Shape& shape) {
  return shape.is_signed ? std::to_string(LowestSigned(shape.size)) : "0";
}

std::string HighestText(const Shape& shape) {
  return shape.is_signed ? std::to_string(HighestSigned(shape.size))
                         : std::to_string(HighestUnsigned(shape.size));
}

}  // namespace ducat::json
