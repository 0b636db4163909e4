#include "json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "json/escape.h"

namespace ducat::json {

namespace {

constexpr uint64_t kExactMax = (uint64_t{1} << 53) - 1;  // integers that every reader keeps exactly
constexpr double kExactLimit = 9007199254740992.0;       // 2^53

void AppendDigits(std::string& out, uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void AppendSigned(std::string& out, bool negative, uint64_t magnitude) {
  if (negative) out.push_back('-');
  AppendDigits(out, magnitude);
}

constexpr uint64_t Magnitude(int64_t value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

// Most measured values have few decimals. A quotient of two exact integers is the double nearest to
// that decimal, so when it is `value` its text reads back the same; and with at most 15 digits no
// shorter text can. Answers false when the value is not of that kind.
bool AppendFewDecimals(std::string& out, double magnitude) {
  constexpr double kScale = 1e6;
  constexpr size_t kDecimals = 6;
  if (magnitude >= 1e9) return false;
  const auto scaled = static_cast<uint64_t>(std::llrint(magnitude * kScale));
  if (static_cast<double>(scaled) / kScale != magnitude) return false;
  AppendDigits(out, scaled / 1'000'000);
  std::array<char, kDecimals + 1> decimals{'.'};
  uint64_t rest = scaled % 1'000'000;
  size_t length = 1;
  for (size_t i = kDecimals; i > 0; --i, rest /= 10) {
    decimals[i] = static_cast<char>('0' + rest % 10);
    if (length == 1 && decimals[i] != '0') length = i + 1;
  }
  out.append(decimals.data(), length);
  return true;
}

template <class Number>
void AppendShortestDigits(std::string& out, Number magnitude, std::chars_format format) {
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), magnitude, format).ptr;
  out.append(digits.data(), end);
}

// Plain digits where people expect them. From 2^53 on the exponent form: as plain digits a whole
// number would read as an integer, and those have to fit into 64 bits.
template <class Number>
void AppendFinite(std::string& out, Number value) {
  if (std::signbit(value)) out.push_back('-');
  const Number magnitude = std::abs(value);
  // "-0" would read back as the integer zero, which has no sign.
  if (magnitude == 0 && std::signbit(value)) {
    out.append("0.0", 3);
    return;
  }
  if (magnitude < static_cast<Number>(kExactLimit)) {
    const auto whole = static_cast<uint64_t>(magnitude);
    if (static_cast<Number>(whole) == magnitude) return AppendDigits(out, whole);
    if (magnitude >= static_cast<Number>(1e-6)) {
      if constexpr (std::is_same_v<Number, double>) {
        if (AppendFewDecimals(out, magnitude)) return;
      }
      return AppendShortestDigits(out, magnitude, std::chars_format::fixed);
    }
  }
  AppendShortestDigits(out, magnitude, std::chars_format::scientific);
}

template <class Number>
void AppendNumber(std::string& out, Number value) {
  if (std::isfinite(value)) return AppendFinite(out, value == 0 ? Number{0} : value);
  out.append(std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
}

}  // namespace

void AppendShortest(std::string& out, double value) {
  AppendFinite(out, value);
}
void AppendShortest(std::string& out, float value) {
  AppendFinite(out, value);
}

void JsonWriter::Separate() {
  if (!first_ && !after_key_) out_.push_back(',');
  first_ = false;
  after_key_ = false;
}

void JsonWriter::BeginObject() {
  Separate();
  out_.push_back('{');
  first_ = true;
}

void JsonWriter::EndObject() {
  out_.push_back('}');
  first_ = false;
}

void JsonWriter::BeginArray() {
  Separate();
  out_.push_back('[');
  first_ = true;
}

void JsonWriter::EndArray() {
  out_.push_back(']');
  first_ = false;
}

void JsonWriter::Key(std::string_view name) {
  Separate();
  out_.push_back('"');
  AppendEscaped(out_, name);
  out_.append("\":", 2);
  after_key_ = true;
}

void JsonWriter::Null() {
  Separate();
  out_.append("null", 4);
}

void JsonWriter::Bool(bool value) {
  Separate();
  out_.append(value ? "true" : "false");
}

void JsonWriter::Integer(int64_t value) {
  Separate();
  const uint64_t magnitude = Magnitude(value);
  if (magnitude <= kExactMax) return AppendSigned(out_, value < 0, magnitude);
  out_.push_back('"');
  AppendSigned(out_, value < 0, magnitude);
  out_.push_back('"');
}

void JsonWriter::Unsigned(uint64_t value) {
  Separate();
  if (value <= kExactMax) return AppendDigits(out_, value);
  out_.push_back('"');
  AppendDigits(out_, value);
  out_.push_back('"');
}

void JsonWriter::Double(double value) {
  Separate();
  AppendNumber(out_, value);
}

void JsonWriter::Float(float value) {
  Separate();
  AppendNumber(out_, value);
}

void JsonWriter::String(std::string_view text) {
  Separate();
  out_.push_back('"');
  AppendEscaped(out_, text);
  out_.push_back('"');
}

void JsonWriter::Raw(std::string_view json) {
  // Nothing to splice: no comma either, but a key needs its value.
  if (json.empty() && !after_key_) return;
  Separate();
  out_.append(json.empty() ? std::string_view("null") : json);
}

void JsonWriter::EscapedString(std::string_view escaped) {
  Separate();
  out_.push_back('"');
  out_.append(escaped);
  out_.push_back('"');
}

}  // namespace ducat::json
